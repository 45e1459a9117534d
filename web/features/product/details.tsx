import { inLocale } from '#contract/locales.ts';
import type { Product } from '#contract/schemas/catalogue.ts';
import { useLocale, useT } from '#web/i18n/i18n.tsx';
import { Link } from '#web/lib/link.tsx';
import { urls } from '#web/lib/urls.ts';

/** The product's description and specifications. */
export function Details({ product }: { product: Product }) {
  const t = useT();
  const { description, specification } = product;
  return (
    <div className="section grid gap-x-16 gap-y-12 product:grid-cols-2">
      <section>
        <div className="prose">
          <h2>{t('product.details')}</h2>
          {description.map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))}
        </div>
        <Tags tags={product.tags} />
      </section>
      {specification.attributes.length > 0 && (
        <section>
          <h2>{t('product.specification')}</h2>
          <dl className="mt-4 border-line border-t">
            {specification.attributes.map(({ name, value }) => (
              <div key={name} className="grid grid-cols-[minmax(7rem,1fr)_2fr] gap-4 border-line border-b py-3">
                <dt className="text-ink-soft">{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </section>
      )}
    </div>
  );
}

function Tags({ tags }: Pick<Product, 'tags'>) {
  const t = useT();
  const locale = useLocale();
  if (tags.length === 0) return null;
  return (
    <nav aria-label={t('product.tags')} className="mt-4">
      <ul className="flex list-none flex-wrap gap-2 pl-0">
        {tags.map(({ name, nameContent }) => (
          <li key={name}>
            <Link href={urls.tag(name)} className="filter-chip pr-3.5">
              {inLocale(nameContent, locale)}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
