/** A coupon, as merchants write it in the office and at the terminal. */
import Type, { type Static } from 'typebox';
import { countryCodes } from '../countries.ts';
import { Cents, described, EpochMs, Id, LocalName, Nullable } from './common.ts';
import { couponKinds } from './order.ts';

const Limit = Nullable(Type.Integer({ minimum: 1, maximum: 100_000_000 }));

export const CouponCode = Type.String({
  minLength: 2,
  maxLength: 40,
  pattern: '^[\\p{L}\\p{N}._-]+$',
  problem: 'problem.coupon.code',
});

export const CouponInput = Type.Object({
  id: described('The code that customers type, as the merchant writes it.', CouponCode),
  name: described('The name that customers see.', LocalName, { label: 'office.coupon.name' }),
  kind: described('What it gives.', Type.Enum(couponKinds), {
    label: 'office.coupon.kind',
    values: 'office.coupon.kind',
  }),
  percent: described(
    'Taken off the items, in thousandths of a percent; 0 for the other kinds.',
    Type.Integer({ unit: 'milliPercent', minimum: 0, maximum: 100_000 }),
    { label: 'office.coupon.kind.percent', control: 'own' },
  ),
  amount: described('Taken off the items, in cents; 0 for the other kinds.', Cents, {
    label: 'office.coupon.kind.amount',
    control: 'own',
  }),
  minSubtotal: described(
    'What the items that it is for have to cost before the discount, in cents; 0: any.',
    Cents,
    {
      label: 'office.coupon.minSubtotal',
      section: 'office.coupon.conditions',
    },
  ),
  countries: described(
    'ISO codes of the countries of destination; empty: any.',
    Type.Array(Type.Enum([...countryCodes], { problem: 'problem.country' }), { maxItems: 300 }),
    {
      label: 'office.coupon.countries',
      hint: 'office.coupon.countriesHint',
      control: 'own',
      section: 'office.coupon.conditions',
    },
  ),
  products: described(
    'The ids of products that it is for, besides those of its categories; both empty: all. Other items are not discounted.',
    Type.Array(Id, { maxItems: 500 }),
    {
      label: 'office.coupon.products',
      hint: 'office.coupon.productsHint',
      control: 'products',
      section: 'office.coupon.items',
    },
  ),
  categories: described(
    'The ids of categories that it is for, with those below them.',
    Type.Array(Id, { maxItems: 500 }),
    {
      label: 'office.coupon.categories',
      control: 'named',
      section: 'office.coupon.items',
    },
  ),
  startsAt: described('When it becomes valid, epoch ms; null: at once.', Nullable(EpochMs), {
    label: 'office.coupon.from',
    control: 'own',
    section: 'office.coupon.conditions',
  }),
  endsAt: described('When it is no longer valid, epoch ms; null: never.', Nullable(EpochMs), {
    label: 'office.coupon.until',
    control: 'own',
    section: 'office.coupon.conditions',
  }),
  totalLimit: described('How often it can be used; null: without a limit.', Limit, {
    label: 'office.coupon.totalLimit',
    section: 'office.coupon.conditions',
  }),
  customerLimit: described('How often a customer, or an email, can use it; null: without a limit.', Limit, {
    label: 'office.coupon.customerLimit',
    section: 'office.coupon.conditions',
  }),
});
export type CouponInput = Static<typeof CouponInput>;
