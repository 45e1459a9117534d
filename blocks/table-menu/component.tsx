import type { BlockOf } from '#contract/schemas/blocks.ts';
import { useT } from '#ui/i18n.tsx';
import { Section } from '#ui/layout.tsx';
import { Link } from '#ui/link.tsx';
import { BlockFrame, type BlockProps } from '#web/blocks/block-view.tsx';
import { urls } from '#web/lib/urls.ts';
import { Price } from '#web/ui/price.tsx';

/** A category as a printed menu: what there is, what is in it, and what it costs. Each name leads to the page where it is ordered. */
export function TableMenuBlock({ block: { title, sections } }: BlockProps<'tableMenu'>) {
  const t = useT();
  if (sections.length === 0) return null;
  return (
    <BlockFrame>
      <Section title={title} unseenTitle={t('block.products')}>
        <div className="menu:columns-2 menu:gap-x-16">
          {sections.map((section) => (
            <section key={section.title} className="mb-8 break-inside-avoid-page">
              {section.title && <h3 className="mb-2 break-after-avoid text-lg">{section.title}</h3>}
              <ul className="divide-y divide-line border-line border-y">
                {section.products.map((dish) => (
                  <Dish key={dish.id} dish={dish} />
                ))}
              </ul>
            </section>
          ))}
        </div>
      </Section>
    </BlockFrame>
  );
}

type Dish = BlockOf<'tableMenu'>['sections'][number]['products'][number];

function Dish({ dish: { id, productName, shortDesciption, priceInfo, inventory } }: { dish: Dish }) {
  const t = useT();
  return (
    <li className="group relative grid break-inside-avoid grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-4 py-3">
      <p>
        <Link
          href={urls.product(id)}
          className="font-semibold after:absolute after:inset-0 group-hover:underline"
        >
          {productName}
        </Link>
        {shortDesciption && <span className="block text-ink-soft text-sm">{shortDesciption}</span>}
      </p>
      <p className="text-right">
        <Price priceInfo={priceInfo} />
        {inventory.quantity === 0 && <span className="block text-ink-soft text-sm">{t('ui.soldOut')}</span>}
      </p>
    </li>
  );
}
