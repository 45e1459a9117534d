import type { ReadBy } from '#contract/formatters.ts';
import type { Badge as BadgeName, PriceInfo } from '#contract/schemas/catalogue.ts';
import { cx } from '#ui/cx.ts';
import { formatMoney, formatTotal } from '#ui/format.ts';
import { useLocale, useT } from '#ui/i18n.tsx';

interface PriceProps {
  priceInfo: PriceInfo;
  /** `large` on the product page. */
  size?: 'regular' | 'large';
  className?: string;
}

const priceClass = 'inline-flex flex-wrap items-baseline gap-x-2 lining-nums tabular-nums';

/** The price; with the previous price if it is reduced; with "from" if some options cost more. */
export function Price({ priceInfo, size = 'regular', className }: PriceProps) {
  const t = useT();
  const locale = useLocale();
  const { price, listPrice, currency, from } = priceInfo;
  const reduced = listPrice !== null && listPrice > price;
  const now = formatMoney(price, locale, currency);
  return (
    <span className={cx(priceClass, size === 'large' && 'font-medium text-[1.5rem]', className)}>
      <span className={reduced ? 'text-clay' : undefined}>
        {reduced && <span className="sr-only">{t('ui.price.now')} </span>}
        {/* An element of its own: a browser that translates the page puts others in place of texts, which then stay as they are. */}
        <span translate={from ? undefined : 'no'}>{from ? t('ui.price.from', { price: now }) : now}</span>
      </span>
      {reduced && (
        <s className="text-[0.9em] text-ink-soft decoration-1">
          <span className="sr-only">{t('ui.price.was')} </span>
          <span translate="no">{formatMoney(listPrice, locale, currency)}</span>
        </s>
      )}
    </span>
  );
}

interface MoneyProps {
  cents: number;
  currency: string;
  /** Of what an order comes to: who reads it, for the currency's code. */
  readBy?: ReadBy | undefined;
  className?: string;
}

export function Money({ cents, currency, readBy, className }: MoneyProps) {
  const locale = useLocale();
  const text = readBy ? formatTotal(cents, locale, currency, readBy) : formatMoney(cents, locale, currency);
  return (
    <span translate="no" className={cx('lining-nums tabular-nums', className)}>
      {text}
    </span>
  );
}

const keys = { SALE: 'badge.sale', CLEARANCE: 'badge.clearance' } as const;

/** SALE or CLEARANCE (SPEC §9), over an image's corner or in a line of text. */
export function Badge({ badge }: { badge: BadgeName }) {
  return <span className="badge">{useT()(keys[badge])}</span>;
}

/** All badges of a product over the corner of its image; put it inside a `relative` box. */
export function Badges({ badges }: { badges: BadgeName[] }) {
  if (badges.length === 0) return null;
  return (
    <span className="pointer-events-none absolute top-2 left-2 z-1 flex flex-wrap gap-1 print:hidden">
      {badges.map((badge) => (
        <Badge key={badge} badge={badge} />
      ))}
    </span>
  );
}
