/** The decisions that a product asks for when it is ordered, such as ice, sugar or toppings. */
import Type, { type Static } from 'typebox';
import { allergens, dietaryMarks } from '../limits.ts';
import {
  Cents,
  Count,
  described,
  Flag,
  Id,
  LocalText,
  Nullable,
  ServedTimes,
  Sku,
  Strict,
} from './common.ts';

export type DietaryMark = (typeof dietaryMarks)[number];
export type Allergen = (typeof allergens)[number];

export const Modifier = Type.Object({
  id: described('Unique in its group.', Id),
  nameContent: LocalText,
  price: described('What one of it adds to a unit of the product, cents before tax.', Cents),
  prices: described(
    'Where the price differs by an option of the product: an option pair, and the price with it.',
    Type.Array(Type.Object({ optionPair: described('Such as `#Size:Large`.', Type.String()), price: Cents })),
  ),
  defaultQuantity: described('How many are chosen before the customer chooses; 0 for none.', Count),
  sku: described('The SKU whose stock it takes; null if its stock is not counted.', Nullable(Sku)),
  dietaryMarks: Type.Array(Type.Enum(dietaryMarks)),
  allergens: Type.Array(Type.Enum(allergens)),
  soldOutAt: described('The stores that have none of it today.', Type.Array(Id)),
  opens: described('Groups that are asked for once it is chosen, by id.', Type.Array(Id)),
});
export type Modifier = Static<typeof Modifier>;

/** `min` to `max` choices; the `free` dearest of them cost nothing. */
export const ModifierGroup = Type.Object({
  id: Id,
  nameContent: LocalText,
  textContent: described('A sentence below the name.', Nullable(LocalText)),
  min: described('The least number of choices; 0 if none is needed.', Count),
  max: described('The greatest number of choices, 1 or more.', Count),
  quantities: described('Whether a modifier can be chosen more than once.', Flag),
  free: described('How many choices cost nothing, the dearest first.', Count),
  served: Type.Optional(described('When its choices can be ordered; absent for always.', ServedTimes)),
  opened: described('Whether it is asked for only once a modifier opens it.', Flag),
  setParts: described(
    'Whether the choices are the products of a set meal: the price of the set is divided among them by their own prices, for tax.',
    Flag,
  ),
  modifiers: Type.Array(Modifier),
});
export type ModifierGroup = Static<typeof ModifierGroup>;

const selectionFields = {
  group: Id,
  modifier: Id,
  quantity: Type.Optional(described('1 if it is absent.', Type.Integer({ minimum: 1, maximum: 20 }))),
};
export const InnermostSelection = Strict(selectionFields);
export const OpenedSelection = Strict({
  ...selectionFields,
  modifiers: Type.Optional(Type.Array(InnermostSelection, { maxItems: 30 })),
});

/** With what it opened. Groups open groups up to three deep. */
export const ModifierSelection = Strict({
  ...selectionFields,
  modifiers: Type.Optional(
    described('In the groups that it opens.', Type.Array(OpenedSelection, { maxItems: 30 })),
  ),
});
export type ModifierSelection = Static<typeof ModifierSelection>;

/** Left out, the defaults are chosen. */
export const ModifierSelections = Type.Array(ModifierSelection, { maxItems: 30 });

const lineFields = {
  group: Id,
  modifier: Id,
  nameContent: LocalText,
  quantity: described('In a unit of the line.', Count),
  amount: described('What it adds to a unit of the line, cents before tax; free choices add nothing.', Cents),
};
export const InnermostLineModifier = Type.Object(lineFields);
export const OpenedLineModifier = Type.Object({
  ...lineFields,
  modifiers: Type.Array(InnermostLineModifier),
});

/** As chosen; once the order is placed, as it was then. */
export const LineModifier = Type.Object({ ...lineFields, modifiers: Type.Array(OpenedLineModifier) });
export type LineModifier = Static<typeof LineModifier>;

/** Beside the SKU. */
export const lineChoices = {
  modifiers: Type.Optional(ModifierSelections),
  note: Type.Optional(
    described(
      'For the kitchen, at most 140 characters. It is never priced.',
      Type.String({ maxLength: 1000 }),
    ),
  ),
  unitPrice: Type.Optional(
    described(
      'The price of a unit that the customer was shown; if it is another by now, the call is rejected.',
      Cents,
    ),
  ),
};

export const CartLineInput = Strict({
  sku: Type.Optional(described('Another SKU of the same product, such as its large size.', Sku)),
  quantity: Type.Optional(described('1 to 98, whole.', Type.Number())),
  ...lineChoices,
});
export type CartLineInput = Static<typeof CartLineInput>;

/** When the customer last ordered the product. */
export const LastChoice = Type.Object({
  sku: Sku,
  optionPairs: described(
    "Text of `#name:value` pairs in the default language, '' without options.",
    Type.String(),
  ),
  modifiers: ModifierSelections,
  note: Type.String(),
});
export type LastChoice = Static<typeof LastChoice>;
