import Type, { type Static } from 'typebox';
import { countryCodes } from '../countries.ts';
import { CalendarDay, Cents, Count, described, EpochMs, LocalText, Nullable, Strict } from '../schemas/common.ts';
import { couponKinds } from '../schemas/order.ts';
import type { StaffEndpoint } from './endpoint.ts';

const Code = Type.String({ minLength: 2, maxLength: 40, pattern: '^[A-Za-z0-9._-]+$', problem: 'problem.coupon.code' });
const Day = Nullable(described('YYYY-MM-DD, in the time zone of the shop.', CalendarDay));
const Limit = Nullable(Type.Integer({ minimum: 1, maximum: 100_000_000 }));

const settings = {
  code: Code,
  name: LocalText,
  kind: Type.Enum(couponKinds),
  percent: described(
    'Thousandths of a percent; 0 for the other kinds.',
    Type.Integer({ unit: 'milliPercent', minimum: 0, maximum: 100_000 }),
  ),
  amount: described('Cents; 0 for the other kinds.', Cents),
  minSubtotal: described('Of the items before discount; 0: any.', Cents),
  countries: described('Of the destination; empty: any.', Type.Array(Type.Enum([...countryCodes]), { maxItems: 300 })),
  totalLimit: Limit,
  customerLimit: described('Uses of a customer, or of an email.', Limit),
};

export const CouponList = Type.Object({
  currency: Type.String(),
  timeZone: Type.String(),
  coupons: described(
    'The newest first.',
    Type.Array(
      Type.Object({
        ...settings,
        code: Type.String(),
        startsAt: Nullable(EpochMs),
        endsAt: described('When it is no longer valid.', Nullable(EpochMs)),
        state: Type.Enum(['scheduled', 'active', 'ended']),
        used: Count,
        held: described('Of them in payments that are not over.', Count),
      }),
    ),
  ),
});
export type CouponList = Static<typeof CouponList>;

export const couponEndpoints = {
  coupons: { route: 'GET coupons', summary: 'The coupons and their uses.', needs: 'coupons.write', response: CouponList },
  addCoupon: {
    route: 'POST coupons',
    repeat: 'key',
    summary: 'Adds a coupon.',
    needs: 'coupons.write',
    body: Strict({ ...settings, from: Day, until: described('The last day.', Day) }),
    response: CouponList,
  },
  endCoupon: {
    route: 'POST coupons/:code/end',
    repeat: 'same',
    summary: 'Ends a coupon now. Orders placed with it are unchanged.',
    needs: 'coupons.write',
    params: Strict({ code: Type.String({ minLength: 1, maxLength: 40 }) }),
    response: CouponList,
  },
} as const satisfies Record<string, StaffEndpoint>;
