import Type, { type Static } from 'typebox';
import { Cents, Count, described, Flag, LangQuery, Sku, Strict } from '../schemas/common.ts';
import { ModifierGroup } from '../schemas/modifiers.ts';
import { Bill, LineChange } from '../schemas/order.ts';
import type { StaffEndpoint } from './endpoint.ts';
import { moves, number } from './orders.ts';

const LineChanges = Type.Array(LineChange, { minItems: 1, maxItems: 100 });

const ChangeInput = Strict({
  lines: LineChanges,
  version: described('Of the preview that was seen; another one is refused.', Type.String({ maxLength: 40 })),
  from: Type.Optional(
    described(
      'The way of paying from which money is given back first: a provider, or how staff took it.',
      Type.String({ maxLength: 40 }),
    ),
  ),
});

export const ChangePreview = Type.Object({
  version: described('Given with the change that is booked.', Type.String()),
  lines: described(
    'What comes and what goes.',
    Type.Array(
      Type.Object({ name: Type.String(), text: Type.String(), unitPrice: Cents, from: Count, to: Count }),
    ),
  ),
  before: Bill,
  after: Bill,
  due: described('What is still to be paid then, cents.', Cents),
  back: described('What goes back to the buyer, cents.', Cents),
});
export type ChangePreview = Static<typeof ChangePreview>;

const Changed = Type.Object({
  due: Cents,
  given: described('False while the provider has not sent all of it.', Flag),
});

/** A product that can be put in an order, or a line of it chosen anew. */
export const OrderItem = Type.Object({
  name: Type.String(),
  skus: Type.Array(Type.Object({ sku: Sku, optionPairs: Type.String(), text: Type.String(), price: Cents })),
  groups: Type.Array(ModifierGroup),
});
export type OrderItem = Static<typeof OrderItem>;

export const orderChangeEndpoints = {
  findOrderItems: {
    route: 'GET orders/:number/items',
    summary: 'Products for an order by a word of their name or by a SKU.',
    ...moves,
    query: Strict({ text: Type.Optional(Type.String({ maxLength: 100 })), ...LangQuery }),
    response: Type.Object({ items: Type.Array(OrderItem) }),
  },
  previewChange: {
    route: 'POST orders/:number/preview',
    reads: true,
    summary: 'What changing the lines of a placed order comes to. Changes nothing.',
    ...moves,
    body: Strict({ lines: LineChanges }),
    response: ChangePreview,
  },
  changeOrder: {
    route: 'POST orders/:number/lines',
    repeat: 'key',
    summary:
      'Adds, changes and removes lines of a placed order, if no money goes back. What it costs more is due.',
    ...moves,
    body: ChangeInput,
    response: Changed,
  },
  changeOrderBack: {
    route: 'POST orders/:number/lines/refund',
    repeat: 'key',
    summary: 'The same if money goes back: the difference is refunded.',
    needs: 'orders.refund',
    fresh: true,
    params: number,
    body: ChangeInput,
    response: Changed,
  },
} as const satisfies Record<string, StaffEndpoint>;
