import Type, { type Static } from 'typebox';
import { CalendarDay, Count, described, EpochMs, NamedRef, Nullable, Strict } from '../schemas/common.ts';
import { CouponCode, CouponInput } from '../schemas/coupon.ts';
import { documentCalls, ofDocument } from './documents.ts';
import { documentOf, type StaffEndpoint } from './endpoint.ts';

const Day = Nullable(described('YYYY-MM-DD, in the time zone of the shop.', CalendarDay));
const { id: _id, startsAt: _startsAt, endsAt: _endsAt, ...settings } = CouponInput.properties;

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

const CouponAnswer = Type.Object({
  ...documentOf(CouponInput).properties,
  used: described('How often it was used, those in payments that are not over too.', Count),
  products: described('The names of its products that are there.', Type.Array(NamedRef)),
  categories: described('All that it could be for, with their parents in the label.', Type.Array(NamedRef)),
});

export const couponEndpoints = {
  ...documentCalls('coupon', 'coupons', {
    route: 'coupons',
    called: 'a coupon',
    answer: CouponAnswer,
    list: CouponList,
    needs: ['coupons.write', 'coupons.write'],
    add: Strict({ code: CouponCode, ...settings, from: Day, until: described('The last day.', Day) }),
    begins: 'that is valid from its first day on',
  }),
  endCoupon: {
    route: 'POST coupons/:id/end',
    repeat: 'same',
    summary: 'Ends a coupon now. Orders placed with it are unchanged.',
    needs: 'coupons.write',
    params: ofDocument,
    response: CouponList,
  },
} as const satisfies Record<string, StaffEndpoint>;
