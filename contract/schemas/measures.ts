/** The measures of products, as scale drawings show them. */
import Type, { type Static } from 'typebox';
import { outlines } from '../limits.ts';
import { described } from './annotate.ts';
import { LocalText, Nullable } from './common.ts';

const centimetres = Type.Number({ exclusiveMinimum: 0, maximum: 10_000, errorMessage: 'must be centimetres greater than 0' });

/** The shape of a drawing. */
export const Outline = Type.Enum([...outlines]);

/** A thing as seen from the front. */
export const Measured = Type.Object({
  outline: described('The shape of its drawing.', Outline),
  widthCm: described('Centimetres.', centimetres),
  heightCm: described('Centimetres.', centimetres),
});
export type Measured = Static<typeof Measured>;

/** A product's measures, and the thing that the shop draws beside its products; null if it has none. */
export const ProductSize = Type.Object({
  ...Measured.properties,
  reference: described(
    'What the shop draws beside its products; null for nothing.',
    Nullable(Type.Object({ ...Measured.properties, nameContent: LocalText })),
  ),
});
export type ProductSize = Static<typeof ProductSize>;
