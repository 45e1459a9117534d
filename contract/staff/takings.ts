import Type, { type Static } from 'typebox';
import {
  CalendarDay,
  Count,
  described,
  EpochMs,
  Id,
  LangQuery,
  Nullable,
  Strict,
} from '../schemas/common.ts';
import type { StaffEndpoint } from './endpoint.ts';

const Day = described('YYYY-MM-DD, in the time zone of the shop.', CalendarDay);

/** Days of a range at most. */
export const longestRange = 366;

/** Smallest units, below zero where more was taken off. */
const Amount = Type.Integer({ unit: 'cents' });
const Taxes = Type.Array(Type.Object({ label: Type.String(), amount: Amount }));

export const TakingsCell = Type.Object({
  at: described('The start of the step.', EpochMs),
  store: described('Null for orders that are shipped from the warehouse.', Nullable(Id)),
  currency: described('ISO 4217.', Type.String()),
  orders: described('Orders placed then.', Count),
  subtotal: described(
    'With the next fields the sum of bills: of orders placed then, and what changes and cancellations then made of any. It may be negative.',
    Amount,
  ),
  discount: Amount,
  shipping: Amount,
  serviceCharge: Amount,
  kept: described('What is kept of orders that were cancelled, without taxes.', Amount),
  taxes: described('Each tax by its name, as billed.', Taxes),
  tip: Amount,
  total: described('subtotal − discount + shipping + serviceCharge + kept + taxes + tip.', Amount),
  cancelled: described('Orders that were cancelled or not picked up then, whenever they were placed.', Count),
  cancelledTotal: described('What that took off `total`.', Amount),
  back: described(
    'What refunds then took off sales whose bills stand, with their taxes. It is not in `total`.',
    Type.Object({ net: Amount, taxes: Taxes, tip: Amount, total: described('net + taxes + tip.', Amount) }),
  ),
  money: described(
    'What was received and given back then, whichever order it was for, by way of paying.',
    Type.Array(
      Type.Object({
        way: described(
          "cash, terminal or other for money that staff took, else the provider's name.",
          Type.String(),
        ),
        received: described(
          'Cents. A payment that is undone later counts when it came, and against `received` when it was undone: it may be negative.',
          Type.Integer(),
        ),
        tips: described('Tips in `received`, cents.', Type.Integer()),
        rounding: described(
          'Cents by which the cash that was received is more than `received`, since coins round it.',
          Type.Integer(),
        ),
        refunded: described(
          'With refunds that are on their way; one that a provider refused is taken off when it did.',
          Amount,
        ),
        refundedTips: described('Tips in `refunded`.', Amount),
        refundedRounding: described(
          'Cents by which the cash that was given back is less than `refunded`.',
          Type.Integer(),
        ),
      }),
    ),
  ),
});
export type TakingsCell = Static<typeof TakingsCell>;

export const Takings = Type.Object({
  from: Day,
  to: Day,
  unit: Type.Enum(['hour', 'day', 'month']),
  steps: described('The start of each step, those without sales included.', Type.Array(EpochMs)),
  cells: described('In the order of the steps; none where nothing happened.', Type.Array(TakingsCell)),
});
export type Takings = Static<typeof Takings>;

export const takingsEndpoints = {
  takings: {
    route: 'GET takings',
    summary: 'What was sold, received and given back, by hour, day or month, store, tax and way of paying.',
    needs: 'reports.read',
    query: Strict({
      from: Type.Optional(described('The first day; today if it is left out.', Day)),
      to: Type.Optional(described(`The last day, at most ${longestRange} days in all.`, Day)),
      ...LangQuery,
    }),
    response: Takings,
  },
} as const satisfies Record<string, StaffEndpoint>;
