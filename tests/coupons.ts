/** Issues coupons, enters promo codes and counts uses, for tests. */
import type { ErrorBody } from '#contract/schemas/common.ts';
import type { Response } from '#contract/shop/endpoints.ts';
import type { Coupon } from '#server/modules/pricing/coupon.ts';
import type { Answer, CallInput, Shopper, TestApp } from './test-app.ts';

/** 10 % off everything, without limits. */
export const plainCoupon: Omit<Coupon, 'code'> = {
  name: { en: '10% off everything', zh: '全场九折' },
  kind: 'percent',
  percent: 10_000,
  amount: 0,
  minSubtotal: 0,
  countries: [],
  products: [],
  categories: [],
  startsAt: null,
  endsAt: null,
  totalLimit: null,
  customerLimit: null,
};

let made = 0;

/** Adds a coupon with a new code, 10 % by default. Returns the code. */
export async function issueCoupon(testApp: TestApp, change: Partial<Coupon> = {}): Promise<string> {
  made += 1;
  const coupon = { ...plainCoupon, code: `TEST${made}`, ...change };
  if (!(await testApp.services.coupons.add(coupon)))
    throw new Error(`There is a coupon ${coupon.code} already`);
  return coupon.code;
}

export function enter(
  testApp: TestApp,
  session: Shopper,
  code: string,
  input: CallInput = {},
): Promise<Answer<Response<'couponVerification'> & ErrorBody>> {
  return testApp.ask('couponVerification', { session, params: { code }, ...input });
}

/** The uses of a coupon: the counter of the coupon, and its held and final rows. */
export async function usesOf(
  testApp: TestApp,
  code: string,
): Promise<{ used: number; held: number; final: number }> {
  const key = code.toUpperCase();
  const coupon = await testApp.db.read
    .selectFrom('coupons')
    .select('used')
    .where('code_key', '=', key)
    .executeTakeFirstOrThrow();
  const uses = await testApp.db.read
    .selectFrom('coupon_uses')
    .select('state')
    .where('code_key', '=', key)
    .execute();
  const count = (state: string) => uses.filter((use) => use.state === state).length;
  return { used: coupon.used, held: count('held'), final: count('used') };
}
