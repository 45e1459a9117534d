/** The calls for cash in the drawers of stores, and what they carry. */
import Type, { type Static } from 'typebox';
import {
  CalendarDay,
  Cents,
  described,
  EpochMs,
  Flag,
  Id,
  LangQuery,
  Nullable,
  Strict,
} from '../schemas/common.ts';
import type { StaffEndpoint } from './endpoint.ts';

/**
 * What staff do with the cash of a drawer.
 * - `float`: put in, from the bank.
 * - `bank`: taken out, to the bank.
 * - `spent`: taken out and spent; the note says what for.
 * - `count`: counted; a difference to the books is over or short.
 */
export const cashKinds = ['float', 'bank', 'spent', 'count'] as const;
export type CashKind = (typeof cashKinds)[number];
export const longestCashNote = 200;

const Day = described('YYYY-MM-DD, in the time zone of the shop.', CalendarDay);
const Amount = Type.Integer({ unit: 'cents' });

export const CashMove = Type.Object({
  id: Id,
  at: EpochMs,
  kind: Type.Enum(cashKinds),
  amount: described(
    'What the drawer has more by it; below zero what it has less. Of a count: over or short.',
    Amount,
  ),
  counted: described('Of a count: what was there.', Nullable(Amount)),
  note: Type.String(),
  by: described("The person's name; empty for the terminal, or for somebody who is gone.", Type.String()),
  corrects: described('The move that it takes back.', Nullable(Id)),
  isTakenBack: Flag,
});
export type CashMove = Static<typeof CashMove>;

export const CashSheet = Type.Object({
  day: Day,
  store: Id,
  currency: described('ISO 4217.', Type.String()),
  opening: described('In the drawer when the day began, by the books.', Amount),
  received: described('From buyers, with rounding.', Amount),
  refunded: described('To buyers.', Amount),
  moved: described('What staff put in and took out, with what counts found.', Amount),
  closing: described(
    'opening + received − refunded + moved: in the drawer when the day ended, or now.',
    Amount,
  ),
  moves: described('In their order.', Type.Array(CashMove)),
});
export type CashSheet = Static<typeof CashSheet>;

const CashInput = Strict({
  store: Id,
  kind: Type.Enum(cashKinds),
  amount: described('Above zero; of a count, zero too.', Cents),
  note: Type.Optional(
    described(
      'Needed for what was spent. It names no customers.',
      Type.String({ maxLength: longestCashNote }),
    ),
  ),
  day: Type.Optional(described('A day that is over, at whose end it counts; left out: now.', Day)),
});
export type CashInput = Static<typeof CashInput>;

export const cashEndpoints = {
  cashSheet: {
    route: 'GET books/cash',
    summary:
      'The drawer of a store on a day: what it began with, what came and went, and what it ended with.',
    needs: 'books.read',
    query: Strict({
      store: Id,
      day: Type.Optional(described('Today if it is left out.', Day)),
      ...LangQuery,
    }),
    response: CashSheet,
  },
  moveCash: {
    route: 'POST books/cash',
    summary: 'Records cash that was put into a drawer, taken out of it, or counted in it.',
    needs: 'books.cash',
    repeat: 'key',
    body: CashInput,
    response: CashSheet,
  },
  takeBackCash: {
    route: 'POST books/cash/:move/take-back',
    summary: 'Takes such a record back, by one that does the opposite.',
    needs: 'books.cash',
    repeat: 'same',
    params: Strict({ move: Id }),
    response: CashSheet,
  },
} as const satisfies Record<string, StaffEndpoint>;
