import Type, { type Static } from 'typebox';
import { allergens, dietaryMarks } from '#contract/limits.ts';
import { Cents, described, Flag, Id, LocalText, Nullable, Sku, withDefault } from '#contract/schemas/common.ts';
import { taxClasses } from '#contract/taxes.ts';

const number = (minimum: number, maximum: number) => Type.Integer({ minimum, maximum });

const ModifierInput = Type.Object({
  id: described('Identifies the modifier in its group. Orders keep it.', Id),
  name: described('The name of the modifier, such as Oat milk.', LocalText),
  priceCents: withDefault(described('Added to the price of the product for each, in cents before tax.', Cents), 0),
  prices: withDefault(
    described(
      'Where the price differs by an option of the product, such as its size. The first that fits counts.',
      Type.Array(
        Type.Object({
          options: described(
            'Option values of the product, as its SKUs have them: `{ "Size": "Large" }`.',
            Type.Record(Type.String(), Type.String()),
          ),
          priceCents: described('The price with these values, in cents before tax.', Cents),
        }),
        { maxItems: 20 },
      ),
    ),
    [],
  ),
  default: withDefault(described('How many are chosen before the customer chooses: usually 1, or 0 for none.', number(0, 20)), 0),
  sku: withDefault(
    described(
      'The SKU whose stock it takes; null if its stock is not counted. In a set meal, the product it stands for.',
      Nullable(Sku),
    ),
    null,
  ),
  dietaryMarks: withDefault(described('What it is fit for.', Type.Array(Type.Enum(dietaryMarks))), []),
  allergens: withDefault(described('What it contains.', Type.Array(Type.Enum(allergens))), []),
  opens: withDefault(
    described(
      'The ids of groups to choose from once it is chosen. Groups open groups three deep.',
      Type.Array(Id, { maxItems: 10 }),
    ),
    [],
  ),
  taxClass: withDefault(
    described(
      'The tax class; null for that of the product, which a modifier nearly always has.',
      Nullable(Type.Enum<string[]>([...taxClasses])),
    ),
    null,
  ),
  singleServings: withDefault(
    described('How many single servings of food one holds, for its tax, if it has a tax class of its own.', number(1, 1000)),
    1,
  ),
  hidden: withDefault(described('Whether customers cannot choose it, such as one out of season.', Flag), false),
});
export type ModifierInput = Static<typeof ModifierInput>;

export const ModifierGroupInput = Type.Object({
  id: described('Identifies the group. Products name it.', Id),
  name: described('The name of the group, such as Milk.', LocalText),
  text: withDefault(described('A sentence below the name; null for none.', Nullable(LocalText)), null),
  min: withDefault(described('The least number of choices; 0 if none is needed.', number(0, 30)), 0),
  max: withDefault(described('The greatest number of choices.', number(1, 30)), 1),
  quantities: withDefault(described('Whether a modifier can be chosen more than once.', Flag), false),
  free: withDefault(described('How many choices cost nothing, the dearest first.', number(0, 30)), 0),
  setParts: withDefault(
    described(
      'Whether the modifiers are the products of a set meal. Each has a SKU, and its price is the surcharge for a better one.',
      Flag,
    ),
    false,
  ),
  modifiers: described(
    'The modifiers, in the order in which they are shown.',
    Type.Array(ModifierInput, { minItems: 1, maxItems: 100 }),
  ),
});
export type ModifierGroupInput = Static<typeof ModifierGroupInput>;

/** And what is different there. */
export const ProductModifierGroup = Type.Object({
  group: described('The id of a modifier group.', Id),
  min: Type.Optional(described('The least number of choices here.', number(0, 30))),
  max: Type.Optional(described('The greatest number of choices here.', number(1, 30))),
  hidden: Type.Optional(described('The ids of modifiers that this product does not have.', Type.Array(Id, { maxItems: 100 }))),
  defaults: Type.Optional(
    described('The ids of the modifiers that are chosen here before the customer chooses.', Type.Array(Id, { maxItems: 30 })),
  ),
});
export type ProductModifierGroup = Static<typeof ProductModifierGroup>;
