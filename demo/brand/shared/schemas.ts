/** The data that the brand adds to products and to the shell of every page, by schema. The browser imports types only. */
import Type, { type Static } from 'typebox';
import type { LocalText as TextByLanguage } from '#contract/locales.ts';
import { described, LocalText, Nullable } from '#contract/schemas/common.ts';
import { daySeconds } from './messages.ts';

export const Brew = Type.Object({
  grams: described('Leaves, in grams.', Type.Number({ exclusiveMinimum: 0, maximum: 1000 })),
  waterMl: described('Water, in millilitres.', Type.Integer({ minimum: 1, maximum: 20_000 })),
  celsius: described('The temperature of the water, in °C.', Type.Integer({ minimum: 0, maximum: 100 })),
  infusionSeconds: described(
    'The time of each infusion of the same leaves, in seconds.',
    Type.Array(Type.Integer({ minimum: 1, maximum: 2 * daySeconds }), { minItems: 1, maxItems: 12 }),
  ),
});
export type Brew = Static<typeof Brew>;

export const BrewGuide = Type.Object({
  pot: Type.Optional(described('In a pot or a large mug.', Brew)),
  gaiwan: Type.Optional(described('In a gaiwan or a small pot, with many short infusions.', Brew)),
  cold: Type.Optional(described('In cold water, in the refrigerator.', Brew)),
});
export type BrewGuide = Static<typeof BrewGuide>;

/** What a tea drinker asks first. How many pots a pack makes follows from its leaves and from how the tea is brewed. */
export const TeaFacts = Type.Object({
  taste: described(
    'How it tastes, in one to three words or short phrases.',
    Type.Array(LocalText, { minItems: 1, maxItems: 3 }),
  ),
  strength: described('How strong it is, from 1 to 5.', Type.Integer({ minimum: 1, maximum: 5 })),
  packGrams: described(
    'Leaves in its smallest pack, in grams.',
    Type.Number({ exclusiveMinimum: 0, maximum: 10_000 }),
  ),
  origin: Type.Optional(described('Where it grew, as on its label.', LocalText)),
  harvest: Type.Optional(described('When it was picked or pressed, as on its label.', LocalText)),
});
export type TeaFacts = Static<typeof TeaFacts>;

/** The facts in words, ready for every language, so that the first view of a page brings no texts of its own. */
export interface TeaLines {
  /** Where it grew and when it was picked; null if neither is known. */
  from: TextByLanguage | null;
  taste: TextByLanguage;
  strength: number;
  strengthText: TextByLanguage;
  /** How it is brewed; null if nothing says so. */
  brewing: TextByLanguage | null;
  /** How many pots a pack makes; null if that is unknown, or less than one. */
  makes: TextByLanguage | null;
}

/** The shapes of scale drawings. `box` fits everything; `cloth` is drawn flat. */
export const outlines = [
  'box',
  'teapot',
  'side-handle-teapot',
  'mug',
  'cup',
  'tumbler',
  'gaiwan',
  'pitcher',
  'bowl',
  'plate',
  'tray',
  'vase',
  'round-jar',
  'jar',
  'tin',
  'planter',
  'lamp',
  'dome-lamp',
  'candle',
  'stand',
  'cloth',
] as const;
export type Outline = (typeof outlines)[number];

const centimetres = Type.Number({ exclusiveMinimum: 0, maximum: 10_000 });

export const Measured = Type.Object({
  outline: described('Its outline.', Type.Enum([...outlines])),
  widthCm: described('Its width in centimetres.', centimetres),
  heightCm: described('Its height in centimetres.', centimetres),
});
export type Measured = Static<typeof Measured>;

export const SizeReference = Nullable(
  Type.Object({
    name: described('Its name within a sentence, such as “our 340 ml mug”.', LocalText),
    ...Measured.properties,
  }),
);
export type SizeReference = Static<typeof SizeReference>;

/** A product's measures, and the thing that the shop draws beside its products; null if it has none. */
export interface ProductSize extends Measured {
  reference: SizeReference;
}

export type ProductExtras = { size?: ProductSize; brew?: BrewGuide; tea?: TeaLines };

/** `extras` of the shell: up to four Chinese characters of the shop's name, in whichever language has them; '' for none. */
export type ShellExtras = { seal: string };
