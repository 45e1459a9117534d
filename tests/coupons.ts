/** Coupons, for tests: giving them out, typing them in, and what is left of them. */
import type { Response } from '#contract/endpoints.ts';
import type { ErrorBody } from '#contract/schemas/common.ts';
import type { Coupon } from '#server/modules/pricing/coupon.ts';
import type { Answer, CallInput, Shopper, TestApp } from './test-app.ts';

/** 10 % off everything, for everybody, for ever. */
export const plainCoupon: Omit<Coupon, 'code'> = {
  name: { en: '10% off everything', zh: '全场九折' },
  kind: 'percent',
  percent: 10_000,
  amount: 0,
  minSubtotal: 0,
  countries: [],
  startsAt: null,
  endsAt: null,
  totalLimit: null,
  customerLimit: null,
};

let made = 0;

/** Adds a coupon of 10 % unless said otherwise, with a code of its own. Returns the code. */
export async function giveOut(testApp: TestApp, change: Partial<Coupon> = {}): Promise<string> {
  made += 1;
  const coupon = { ...plainCoupon, code: `TEST${made}`, ...change };
  if (!(await testApp.services.coupons.add(coupon))) throw new Error(`There is a coupon ${coupon.code} already`);
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

/** How many uses a coupon has: counted at the coupon, and one by one. */
export async function usesOf(testApp: TestApp, code: string): Promise<{ used: number; held: number; final: number }> {
  const key = code.toUpperCase();
  const coupon = await testApp.db.read.selectFrom('coupons').select('used').where('code_key', '=', key).executeTakeFirstOrThrow();
  const uses = await testApp.db.read.selectFrom('coupon_uses').select('state').where('code_key', '=', key).execute();
  const count = (state: string) => uses.filter((use) => use.state === state).length;
  return { used: coupon.used, held: count('held'), final: count('used') };
}
