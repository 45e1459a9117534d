/** How a tea is brewed. */
import Type, { type Static } from 'typebox';
import { described } from './annotate.ts';

const dayInSeconds = 86_400;

/** One way to brew it. */
export const Brew = Type.Object({
  grams: described('Leaves, in grams.', Type.Number({ exclusiveMinimum: 0, maximum: 1000 })),
  waterMl: described('Water, in millilitres.', Type.Integer({ minimum: 1, maximum: 20_000 })),
  celsius: described('The temperature of the water, in °C.', Type.Integer({ minimum: 0, maximum: 100 })),
  infusionSeconds: described(
    'The time of each infusion of the same leaves, in seconds.',
    Type.Array(Type.Integer({ minimum: 1, maximum: 2 * dayInSeconds }), { minItems: 1, maxItems: 12 }),
  ),
});
export type Brew = Static<typeof Brew>;

/** The ways to brew a tea. */
export const BrewGuide = Type.Object({
  pot: Type.Optional(described('In a pot or a large mug.', Brew)),
  gaiwan: Type.Optional(described('In a gaiwan or a small pot, with many short infusions.', Brew)),
  cold: Type.Optional(described('In cold water, in the refrigerator.', Brew)),
});
export type BrewGuide = Static<typeof BrewGuide>;
