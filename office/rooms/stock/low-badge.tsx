/** In the menu: how many SKUs are low, in all places of whoever looks. */
import { mostLow } from '#contract/limits.ts';
import { useLanguage } from '../../lib/i18n.tsx';
import { lowText, useLowStock } from './places.ts';

export default function LowBadge() {
  const { t } = useLanguage();
  const skus = [...useLowStock().values()].reduce((sum, count) => sum + count, 0);
  if (skus === 0) return null;
  const said = skus > mostLow ? t('office.stock.lowCountMost', { count: mostLow }) : t('office.stock.lowCount', { count: skus });
  return (
    <span className="ml-auto rounded-md bg-raised px-2 font-semibold text-amber text-sm tabular-nums" title={said}>
      <span aria-hidden="true">{lowText(skus)}</span>
      <span className="sr-only">{said}</span>
    </span>
  );
}
