/** What pick lists and packing slips are printed from. */
import Type, { type Static } from 'typebox';
import { checkoutMethods, mostAtOnce } from '../limits.ts';
import { localeCodes } from '../locales.ts';
import { described } from '../schemas/annotate.ts';
import { Cents, Count, EpochMs, Id, LangQuery, LocalText, Nullable, Sku, Strict } from '../schemas/common.ts';
import { Address, Bill } from '../schemas/order.ts';
import type { StaffEndpoint } from './endpoint.ts';

const PaperLine = Type.Object({
  id: Id,
  sku: Sku,
  quantity: Count,
  nameContent: LocalText,
  optionContent: described('The chosen options; null for none.', Nullable(LocalText)),
  modifierContent: described('The chosen modifiers; null for none.', Nullable(LocalText)),
  note: Type.String(),
  amount: described('Cents before tax and discount.', Cents),
});

export const Paper = Type.Object({
  number: Type.String(),
  language: described("The order's, in which its slip is written.", Type.Enum(localeCodes)),
  method: Nullable(Type.Enum(checkoutMethods)),
  store: described('The store that hands it over or sends it; null: the warehouse.', Nullable(Id)),
  table: Nullable(Type.String()),
  pickupAt: Nullable(EpochMs),
  placedAt: EpochMs,
  timeZone: Type.String(),
  name: described("Who receives it; '' if nobody is named.", Type.String()),
  phone: Type.String(),
  address: Nullable(Address),
  comment: Type.String(),
  lines: Type.Array(PaperLine),
  bill: Bill,
});
export type Paper = Static<typeof Paper>;
export type PaperLine = Static<typeof PaperLine>;

export const paperEndpoints = {
  papers: {
    route: 'GET orders/papers',
    summary: 'What pick lists and packing slips are printed from, oldest order first. Orders that are not there are left out.',
    needs: 'orders.read',
    query: Strict({
      numbers: Type.Optional(
        described(`Order numbers, separated by commas, at most ${mostAtOnce}.`, Type.String({ maxLength: mostAtOnce * 41 })),
      ),
      ...LangQuery,
    }),
    response: Type.Object({ shopContent: described("The shop's name.", LocalText), papers: Type.Array(Paper) }),
  },
} as const satisfies Record<string, StaffEndpoint>;
