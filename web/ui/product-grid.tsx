import type { ComponentProps } from 'react';
import { limits } from '#contract/limits.ts';
import { cx } from '#ui/cx.ts';
import { useT } from '#ui/i18n.tsx';
import { Link } from '#ui/link.tsx';
import { pageSizes } from './picture.tsx';

export interface GridShape {
  /** Cards in a row above 767 px (1 to 6; SPEC §9: 4) and on phones (1 to 3; SPEC §9: 2). */
  perRow?: number | undefined;
  perMobileRow?: number | undefined;
  /** Phones show one row that scrolls sideways. */
  mobileRow?: boolean | undefined;
}

const phoneColumns = ['grid-cols-1', 'grid-cols-2', 'grid-cols-3'];
const columns = [
  'product:grid-cols-1',
  'product:grid-cols-2',
  'product:grid-cols-3',
  'product:grid-cols-4',
  'product:grid-cols-5',
  'product:grid-cols-6',
];

/** Classes rather than a style attribute: each style would need its hash in the content security policy. */
function gridClass({
  perRow = limits.numberPerRow,
  perMobileRow = limits.numberPerMobileRow,
  mobileRow,
}: GridShape): string {
  return cx(
    'grid gap-x-3 gap-y-8 product:gap-x-6 product:gap-y-12 huge:gap-x-8',
    phoneColumns[perMobileRow - 1],
    columns[perRow - 1],
    mobileRow && 'scroll-cards max-product:flex!',
  );
}

/** The width of a card's image, for `Picture sizes`. A card of a row that scrolls is almost as wide as the phone. */
export function gridSizes(shape: GridShape = {}): string {
  const { perRow = limits.numberPerRow, perMobileRow = limits.numberPerMobileRow, mobileRow } = shape;
  return pageSizes(
    1 / perRow,
    `(min-width: 48rem) ${Math.round(92 / perRow)}vw, ${mobileRow ? 82 : Math.round(92 / perMobileRow)}vw`,
  );
}

export function ProductGrid({
  perRow,
  perMobileRow,
  mobileRow,
  className,
  ...rest
}: GridShape & ComponentProps<'ul'>) {
  return <ul {...rest} className={cx(gridClass({ perRow, perMobileRow, mobileRow }), className)} />;
}

/** A card's placeholder: a square, then the lines of name, fact and price. */
export function ProductCardSkeleton() {
  return (
    <li className="product-card" aria-hidden="true">
      <span className="skeleton aspect-square" />
      <span className="product-card-text">
        <span className="skeleton skeleton-line w-4/5" />
        <span className="skeleton skeleton-line w-3/5 text-sm/[1.4]" />
        <span className="skeleton skeleton-line w-2/5" />
      </span>
    </li>
  );
}

/** As many placeholders as items are expected; announced once as "Loading". */
export function ProductGridSkeleton({ count = limits.pageSize, ...shape }: GridShape & { count?: number }) {
  const t = useT();
  return (
    <div role="status">
      <span className="sr-only">{t('ui.loading')}</span>
      <ul className={gridClass(shape)}>
        {Array.from({ length: count }, (_, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity and never change order
          <ProductCardSkeleton key={place} />
        ))}
      </ul>
    </div>
  );
}

/** A link to the full list of which a block shows a part. Its accessible name includes the subject. */
export function SeeMore({ href, title }: { href: string; title: string | null }) {
  const t = useT();
  return (
    <Link href={href} className="text-action">
      <span aria-hidden={title ? true : undefined}>{t('block.seeMore')}</span>
      {title && <span className="sr-only">{t('block.seeMoreOf', { name: title })}</span>}
    </Link>
  );
}
