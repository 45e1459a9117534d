import { type ReactNode, useState } from 'react';
import { inLocale } from '#contract/locales.ts';
import type { Product, ProductSummary } from '#contract/schemas/catalogue.ts';
import { useLocale, useT } from '#web/i18n/i18n.tsx';
import { Link } from '#web/lib/link.tsx';
import { localizePath } from '#web/lib/locale-path.ts';
import { mostCompared, urls } from '#web/lib/urls.ts';
import { Button } from '#web/ui/button.tsx';
import { Frame, PageHeading, Section } from '#web/ui/layout.tsx';
import { LinkButton } from '#web/ui/link-button.tsx';
import { Picture } from '#web/ui/picture.tsx';
import { Price } from '#web/ui/price.tsx';
import { ComparedSizes } from './compared-sizes.tsx';

interface CompareScreenProps {
  /** Up to three. */
  products: Product[];
  /** Products to add to the comparison. */
  related: ProductSummary[];
}

/** Products side by side, and a form to change which. Everything works without scripts. */
export function CompareScreen({ products, related }: CompareScreenProps) {
  const t = useT();
  return (
    <Frame>
      <PageHeading lead={t('compare.lead')}>{t('compare.title')}</PageHeading>
      {products.length === 0 ? (
        <LinkButton href={urls.productList()}>{t('compare.browse')}</LinkButton>
      ) : (
        <>
          <ComparedSizes products={products} />
          <Table products={products} />
          <ChoiceForm choices={[...products, ...related]} chosen={products.map(({ id }) => id)} />
        </>
      )}
    </Frame>
  );
}

/** One column a product. Each measure has its name above its row, so that three columns fit a phone. */
function Table({ products }: Pick<CompareScreenProps, 'products'>) {
  const t = useT();
  const locale = useLocale();
  const names = [...new Set(products.flatMap(({ specification }) => specification.attributes.map(({ name }) => name)))];
  const rows: [name: string, cell: (product: Product) => ReactNode][] = [
    [t('compare.price'), ({ priceInfo }) => <Price priceInfo={priceInfo} />],
    [
      t('compare.stock'),
      ({ skus, inStoreOnly }) =>
        skus.some(({ inStock }) => inStock) ? t(inStoreOnly ? 'card.inStoreOnly' : 'compare.inStock') : t('card.soldOut'),
    ],
    ...names.map((name): (typeof rows)[number] => [
      name,
      ({ specification }) => specification.attributes.find((attribute) => attribute.name === name)?.value ?? '–',
    ]),
  ];
  return (
    <table className="mt-8 w-full table-fixed text-left align-top">
      <thead>
        <tr>
          {products.map((product, index) => (
            <th key={product.id} scope="col" className="pr-4 pb-4 align-top font-normal">
              {product.mediaInfo.imageInfos[0] && (
                <Picture
                  image={product.mediaInfo.imageInfos[0]}
                  shape="square"
                  sizes="(min-width: 48rem) 26rem, 33vw"
                  alt=""
                  className="max-w-104"
                />
              )}
              <span className="mt-3 block leading-normal">
                {products.length > 1 && `${index + 1}. `}
                <Link href={urls.product(product.id)} className="link">
                  {inLocale(product.nameContent, locale)}
                </Link>
              </span>
            </th>
          ))}
        </tr>
      </thead>
      {rows.map(([name, cell]) => (
        <tbody key={name} className="border-line border-t">
          <tr>
            <th scope="rowgroup" colSpan={products.length} className="pt-3 font-normal text-ink-soft text-sm">
              {name}
            </th>
          </tr>
          <tr>
            {products.map((product) => (
              <td key={product.id} className="pr-4 pb-3 align-top leading-normal">
                {cell(product)}
              </td>
            ))}
          </tr>
        </tbody>
      ))}
    </table>
  );
}

/** Tick boxes for the products shown and related ones. Scripts disable further boxes once three are ticked. */
function ChoiceForm({ choices, chosen }: { choices: (Product | ProductSummary)[]; chosen: string[] }) {
  const t = useT();
  const locale = useLocale();
  const [ticked, setTicked] = useState(chosen);
  return (
    <Section title={t('compare.choose')}>
      <form action={localizePath(urls.compare([]), locale)} className="grid justify-items-start gap-6">
        <ul className="grid w-full gap-x-6 gap-y-2 product:grid-cols-3">
          {choices.map(({ id, nameContent }) => (
            <li key={id}>
              <label className="flex min-h-11 items-center gap-3">
                <input
                  type="checkbox"
                  name={id}
                  value="1"
                  defaultChecked={chosen.includes(id)}
                  disabled={ticked.length >= mostCompared && !ticked.includes(id)}
                  onChange={({ target }) =>
                    setTicked((before) => (target.checked ? [...before, id] : before.filter((other) => other !== id)))
                  }
                  className="size-5 accent-action"
                />
                {inLocale(nameContent, locale)}
              </label>
            </li>
          ))}
        </ul>
        <Button type="submit" variant="secondary">
          {t('compare.submit')}
        </Button>
      </form>
    </Section>
  );
}
