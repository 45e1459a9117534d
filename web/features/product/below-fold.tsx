/** What a product's page shows below its first view. One file, which loads when any of it is near the window. */
import { ProductFold } from '#brand/browser.ts';
import { inLocale } from '#contract/locales.ts';
import type { Product } from '#contract/schemas/catalogue.ts';
import { Accordion } from '#ui/accordion.tsx';
import { useLocale, useT } from '#ui/i18n.tsx';
import { Link } from '#ui/link.tsx';
import { urls } from '#web/lib/urls.ts';
import { Picture } from '#web/ui/picture.tsx';
import { RichText } from '#web/ui/rich-text.tsx';
import { alternativeTo, type Choice } from './selection.tsx';

export { ProductPicture } from '#brand/browser.ts';

export function ProductFolds({ product }: { product: Product }) {
  const t = useT();
  const { description, descriptionHtml, specification, tags } = product;
  return (
    <>
      <Accordion summary={t('product.details')} defaultOpen>
        {descriptionHtml ? (
          <RichText html={descriptionHtml} />
        ) : (
          <div className="prose">
            {description.map((paragraph) => (
              <p key={paragraph}>{paragraph}</p>
            ))}
          </div>
        )}
        <Tags tags={tags} />
      </Accordion>
      <ProductFold product={product} />
      {specification.attributes.length > 0 && (
        <Accordion summary={t('product.specification')}>
          <dl>
            {specification.attributes.map(({ name, value }) => (
              <div
                key={name}
                className="grid grid-cols-[minmax(7rem,1fr)_2fr] gap-4 border-line border-b py-3"
              >
                <dt className="text-ink-soft">{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </Accordion>
      )}
    </>
  );
}

function Tags({ tags }: Pick<Product, 'tags'>) {
  const t = useT();
  const locale = useLocale();
  if (tags.length === 0) return null;
  return (
    <nav aria-label={t('product.tags')} className="mt-4">
      <ul className="flex flex-wrap gap-x-4 text-sm">
        {tags.map(({ name, nameContent }) => (
          <li key={name}>
            <Link href={urls.tag(name)} className="link inline-block py-1">
              {inLocale(nameContent, locale)}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

export function ProductMore({ product: { scene } }: { product: Product }) {
  return (
    scene && (
      <div className="section">
        <Picture image={scene} shape="wide" sizes="100vw" className="w-full" />
      </div>
    )
  );
}

/** Ways on from a combination that cannot be bought: the nearest one in stock, and similar products. */
export function Alternatives({ product, choice }: { product: Product; choice: Choice }) {
  const t = useT();
  const locale = useLocale();
  const other = alternativeTo(product, choice);
  return (
    <p className="flex flex-wrap gap-x-6 gap-y-2">
      {other && (
        <Link href={urls.product(product.id, other.choice)} className="link" keepScroll replace>
          {t('product.chooseInstead', { value: inLocale(other.value.valueContent, locale) })}
        </Link>
      )}
      <a href="#related" className="link">
        {t('product.related.soldOut')}
      </a>
    </p>
  );
}
