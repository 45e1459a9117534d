/** What the shop still lacks: the first evening's steps, and what `doctor` finds. */
import Type, { type Static } from 'typebox';
import { described } from '../schemas/annotate.ts';
import { Count, EpochMs, Flag, Nullable, Strict } from '../schemas/common.ts';
import type { StaffEndpoint } from './endpoint.ts';

/** In their order. */
export const setupSteps = ['shop', 'store', 'money', 'taxonomy', 'product', 'stock', 'order'] as const;

const Place = Type.Object({
  text: Type.String(),
  room: described('The screen of the office that mends it; null: none does.', Nullable(Type.String())),
});

export const ShopLacks = Type.Object({
  steps: Type.Array(Type.Object({ step: Type.Enum(setupSteps), done: Flag })),
  findings: Type.Array(
    Type.Object({
      subject: Type.String(),
      level: described('`fail`: customers are affected.', Type.Enum(['fail', 'warn'])),
      ...Place.properties,
      places: described('Where, if there are several.', Type.Array(Place)),
      more: described('How many places are left out.', Count),
    }),
  ),
  checked: described('How many products, pages and other records were read.', Count),
  at: EpochMs,
});
export type ShopLacks = Static<typeof ShopLacks>;

export const setupEndpoints = {
  shopLacks: {
    route: 'GET setup',
    summary: 'What the shop still lacks, with the screens that mend it. Of a large shop, the findings may be minutes old.',
    needs: 'goods.write',
    query: Strict({ lang: Type.Optional(Type.String({ maxLength: 10 })) }),
    response: ShopLacks,
  },
} as const satisfies Record<string, StaffEndpoint>;
