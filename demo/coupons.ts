/** The demo's coupons, each for one of the rules there are. */
import type { CouponKind } from '#contract/schemas/order.ts';
import type { Services } from '#server/container.ts';
import type { Coupon } from '#server/modules/pricing/index.ts';
import { dayMs, instantAt } from '#server/platform/time-zone.ts';
import coupons from './data/coupons.json' with { type: 'json' };

/** Where the main store's clock is. */
const timeZone = 'America/Toronto';

type DemoCoupon = Omit<(typeof coupons)[number], 'kind'> & { kind: CouponKind };
export const demoCoupons = coupons as DemoCoupon[];

/** Adds those that are not there yet. */
export async function loadDemoCoupons(services: Services): Promise<void> {
  for (const coupon of demoCoupons) await services.coupons.add(couponOf(coupon));
}

function couponOf({ startsOn, endsOn, percent, amountCents, minSubtotalCents, ...coupon }: DemoCoupon): Coupon {
  return {
    ...coupon,
    percent: percent * 1000,
    amount: amountCents,
    minSubtotal: minSubtotalCents,
    startsAt: startsOn === null ? null : instantAt(startsOn, 0, timeZone),
    // The last day counts whole.
    endsAt: endsOn === null ? null : instantAt(dayAfter(endsOn), 0, timeZone),
  };
}

function dayAfter(date: string): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + dayMs).toISOString().slice(0, 10);
}
