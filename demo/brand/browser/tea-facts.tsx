import { inLocale } from '#contract/locales.ts';
import type { Product } from '#contract/schemas/catalogue.ts';
import { cx } from '#ui/cx.ts';
import { useLocale } from '#ui/i18n.tsx';
import type { ProductExtras } from '../shared/schemas.ts';

const strengths = [1, 2, 3, 4, 5];

/** Where a tea is from, how it tastes, how strong it is, how far a pack goes and how it is brewed: above the button that buys it. */
export function ProductLead({ product: { extras } }: { product: Product }) {
  const locale = useLocale();
  const { tea } = (extras ?? {}) as ProductExtras;
  if (!tea) return null;
  const { from, taste, strength, strengthText, makes, brewing } = tea;
  return (
    <div className="text-sm">
      {from && <p className="text-ink-soft">{inLocale(from, locale)}</p>}
      <p>{inLocale(taste, locale)}</p>
      <p className="flex flex-wrap items-center gap-x-3">
        <span role="img" aria-label={inLocale(strengthText, locale)} className="flex gap-1">
          {strengths.map((each) => (
            <span
              key={each}
              className={cx('size-2 rounded-full', each <= strength ? 'bg-action' : 'bg-line')}
            />
          ))}
        </span>
        {makes && inLocale(makes, locale)}
      </p>
      {brewing && <p className="text-ink-soft">{inLocale(brewing, locale)}</p>}
    </div>
  );
}
