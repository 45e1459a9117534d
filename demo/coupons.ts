import type { CouponKind } from '#contract/schemas/order.ts';
import type { Services } from '#server/container.ts';
import type { RunChange } from '#server/modules/changes/index.ts';
import type { Coupon } from '#server/modules/pricing/index.ts';
import { dayMs, instantAt } from '#server/platform/time-zone.ts';
import coupons from './data/coupons.json' with { type: 'json' };

const timeZone = 'America/Toronto';

type DemoCoupon = Omit<(typeof coupons)[number], 'kind'> & { kind: CouponKind };
export const demoCoupons = coupons as DemoCoupon[];

export async function loadDemoCoupons({ coupons: service }: Services, run: RunChange): Promise<void> {
  for (const coupon of demoCoupons) await run((change) => service.add(change, couponOf(coupon)));
}

function couponOf({
  startsOn,
  endsOn,
  percent,
  amountCents,
  minSubtotalCents,
  ...coupon
}: DemoCoupon): Coupon {
  return {
    products: [],
    categories: [],
    ...coupon,
    percent: percent * 1000,
    amount: amountCents,
    minSubtotal: minSubtotalCents,
    startsAt: startsOn === null ? null : instantAt(startsOn, 0, timeZone),
    endsAt: endsOn === null ? null : instantAt(dayAfter(endsOn), 0, timeZone),
  };
}

function dayAfter(date: string): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + dayMs).toISOString().slice(0, 10);
}
