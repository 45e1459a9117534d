/** Explains to the customer why a coupon does not apply. */
import { dateFormat } from '#contract/formatters.ts';
import type { Locale } from '#contract/locales.ts';
import { formatMoney } from '#contract/money.ts';
import type { CouponState } from '#contract/schemas/order.ts';
import type { EvaluatedCoupon } from '#server/modules/pricing/index.ts';

export interface CouponMessage {
  key: `coupon.refused.${Exclude<CouponState, 'applied'>}`;
  values: Record<string, string>;
}

/** Null if it applies. `timeZone` is the shop's, for the day from which a code can be used. */
export function couponMessage(
  { code, coupon, state, missing }: EvaluatedCoupon,
  locale: Locale,
  shop: { currency: string; timeZone: string },
): CouponMessage | null {
  if (state === 'applied') return null;
  const money = (cents: number) => formatMoney(cents, locale, shop.currency);
  const day = dateFormat(locale, { dateStyle: 'long', timeZone: shop.timeZone });
  return {
    key: `coupon.refused.${state}`,
    values: {
      code,
      minimum: money(coupon?.minSubtotal ?? 0),
      missing: money(missing),
      date: coupon?.startsAt == null ? '' : day.format(coupon.startsAt),
    },
  };
}
