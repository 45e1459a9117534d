/** Modifier groups, as merchants write them in files and in the office. */
import Type, { type Static } from 'typebox';
import { allergens, dietaryMarks } from '../limits.ts';
import { taxClasses } from '../taxes.ts';
import { Cents, described, Flag, Id, LocalName, LocalText, Nullable, Sku, withDefault } from './common.ts';

const number = (minimum: number, maximum: number) => Type.Integer({ minimum, maximum });

export const ModifierInput = Type.Object({
  id: described('Identifies the modifier in its group. Orders keep it.', Id),
  name: described('The name of the modifier, such as Oat milk.', LocalName, { label: 'office.store.name' }),
  priceCents: withDefault(
    described('Added to the price of the product for each, in cents before tax.', Cents, {
      label: 'office.money.price',
    }),
    0,
  ),
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
      { label: 'office.group.priceBy', control: 'own', section: 'office.group.more' },
    ),
    [],
  ),
  default: withDefault(
    described('How many are chosen before the customer chooses: usually 1, or 0 for none.', number(0, 20), {
      label: 'office.group.default',
      control: 'own',
    }),
    0,
  ),
  sku: withDefault(
    described(
      'The SKU whose stock it takes; null if its stock is not counted. In a set meal, the product it stands for.',
      Nullable(Sku),
      { label: 'office.group.sku', hint: 'office.group.skuHint' },
    ),
    null,
  ),
  dietaryMarks: withDefault(
    described('What it is fit for.', Type.Array(Type.Enum(dietaryMarks)), {
      label: 'office.group.marks',
      control: 'named',
      section: 'office.group.more',
    }),
    [],
  ),
  allergens: withDefault(
    described('What it contains.', Type.Array(Type.Enum(allergens)), {
      label: 'office.group.allergens',
      control: 'named',
      section: 'office.group.more',
    }),
    [],
  ),
  opens: withDefault(
    described(
      'The ids of groups to choose from once it is chosen. Groups open groups three deep.',
      Type.Array(Id, { maxItems: 10 }),
      {
        label: 'office.group.opens',
        hint: 'office.group.opensHint',
        control: 'named',
        section: 'office.group.more',
      },
    ),
    [],
  ),
  taxClass: withDefault(
    described(
      'The tax class; null for that of the product, which a modifier nearly always has.',
      Nullable(Type.Enum<string[]>([...taxClasses])),
      {
        label: 'office.goods.taxClass',
        values: 'office.money.class',
        none: 'office.group.taxedAsProduct',
        section: 'office.group.more',
      },
    ),
    null,
  ),
  singleServings: withDefault(
    described(
      'How many single servings of food one holds, for its tax, if it has a tax class of its own.',
      number(1, 1000),
      {
        label: 'office.goods.sku.singleServings',
        section: 'office.group.more',
      },
    ),
    1,
  ),
  hidden: withDefault(
    described('Whether customers cannot choose it, such as one out of season.', Flag, {
      label: 'office.group.hidden',
      section: 'office.group.more',
    }),
    false,
  ),
});
export type ModifierInput = Static<typeof ModifierInput>;

export const ModifierGroupInput = Type.Object({
  id: described('Identifies the group. Products name it.', Id),
  name: described('The name of the group, such as Milk.', LocalName, { label: 'office.store.name' }),
  text: withDefault(
    described('A sentence below the name; null for none.', Nullable(LocalText), {
      label: 'office.group.text',
    }),
    null,
  ),
  min: withDefault(
    described('The least number of choices; 0 if none is needed.', number(0, 30), {
      label: 'office.group.min',
      hint: 'office.group.minHint',
    }),
    0,
  ),
  max: withDefault(
    described('The greatest number of choices.', number(1, 30), { label: 'office.group.max' }),
    1,
  ),
  quantities: withDefault(
    described('Whether a modifier can be chosen more than once.', Flag, { label: 'office.group.quantities' }),
    false,
  ),
  free: withDefault(
    described('How many choices cost nothing, the dearest first.', number(0, 30), {
      label: 'office.group.free',
      hint: 'office.group.freeHint',
    }),
    0,
  ),
  setParts: withDefault(
    described(
      'Whether the modifiers are the products of a set meal. Each has a SKU, and its price is the surcharge for a better one.',
      Flag,
      { label: 'office.group.setParts', hint: 'office.group.setPartsHint' },
    ),
    false,
  ),
  modifiers: described(
    'The modifiers, in the order in which they are shown.',
    Type.Array(ModifierInput, { minItems: 1, maxItems: 100 }),
    { label: 'office.group.choices', control: 'own', section: 'office.group.choices' },
  ),
});
export type ModifierGroupInput = Static<typeof ModifierGroupInput>;

/** And what is different there. */
export const ProductModifierGroup = Type.Object({
  group: described('The id of a modifier group.', Id, { label: 'office.goods.group' }),
  min: Type.Optional(
    described('The least number of choices here.', number(0, 30), { label: 'office.group.min' }),
  ),
  max: Type.Optional(
    described('The greatest number of choices here.', number(1, 30), { label: 'office.group.max' }),
  ),
  hidden: Type.Optional(
    described('The ids of modifiers that this product does not have.', Type.Array(Id, { maxItems: 100 }), {
      label: 'office.goods.groupHidden',
    }),
  ),
  defaults: Type.Optional(
    described(
      'The ids of the modifiers that are chosen here before the customer chooses.',
      Type.Array(Id, { maxItems: 30 }),
      {
        label: 'office.goods.groupDefaults',
      },
    ),
  ),
});
export type ProductModifierGroup = Static<typeof ProductModifierGroup>;
