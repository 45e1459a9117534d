/** What is chosen for a line beside its SKU: its modifiers, and what they cost, take from stock and add to its tax. */
import { createHash } from 'node:crypto';
import type { FieldErrors } from '#contract/errors.ts';
import { defaultLocale, inLocale, type Locale } from '#contract/locales.ts';
import {
  type ChosenModifier,
  canonicalSelections,
  chooseModifiers,
  defaultSelections,
  priceOfModifiers,
  type Selection,
} from '#contract/rules/modifiers.ts';
import type { StoredGroup } from '#server/modules/catalogue/index.ts';
import { linePartsOf } from '#server/modules/pricing/index.ts';
import { type SoldOut, withSoldOut } from '#server/modules/stores/index.ts';
import { translate } from '#server/platform/i18n.ts';
import type { OrderHead, OrderLine, OrderModifier } from './order.ts';

/** A SKU that modifiers take, as the catalogue has it. */
export interface TakenSku {
  price: number;
  taxClass: string;
  singleServings: number;
}

/** Where a line is made: what stores have none of today, and the store; null while that is open, and for what is shipped. */
export interface LinePlace {
  storeId: string | null;
  soldOut: SoldOut;
}

export const placeOf = ({ storeId }: Pick<OrderHead, 'storeId'>, { soldOut }: { soldOut: SoldOut }): LinePlace => ({
  storeId,
  soldOut,
});

/** What a line is to have instead of what it has. */
export interface LineWish {
  /** Left out: what it has, or the defaults for a line that is not there yet. */
  modifiers?: readonly Selection[] | undefined;
  note?: string | undefined;
  /** Nothing that is sold out there is a default. */
  place: LinePlace;
}

type Chosen = readonly ChosenModifier<StoredGroup>[];

/** The same for lines with the same SKU, modifiers and note: adding the same again raises the quantity. */
export function identityOf(sku: string, selections: readonly Selection[], note: string): string {
  if (selections.length === 0 && note === '') return sku;
  const text = JSON.stringify([canonicalSelections(selections), note]);
  return `${sku}#${createHash('sha256').update(text).digest('base64url')}`;
}

/** A line with what is chosen for it: what is `kept`, or what is wished instead. Modifiers that are no longer offered are left out. */
export function chosenLine(
  line: OrderLine,
  groups: readonly StoredGroup[],
  kept: { modifiers: readonly Selection[]; note: string },
  wish: LineWish | undefined,
): { line: OrderLine; chosen: Chosen } {
  const { optionPairs } = line;
  const defaults = ({ storeId, soldOut }: LinePlace) =>
    defaultSelections({ groups: withSoldOut(groups, soldOut), optionPairs, storeId });
  const unchosen = () => (wish && line.quantity === 0 && groups.length > 0 ? defaults(wish.place) : kept.modifiers);
  const selections = wish?.modifiers ?? unchosen();
  // On one line, as it is printed.
  const note = (wish?.note ?? kept.note).replace(/\s+/g, ' ').trim();
  const identity = wish ? identityOf(line.sku, selections, note) : line.identity;
  if (groups.length === 0 && selections.length === 0) return { line: { ...line, identity, note }, chosen: [] };
  const { chosen } = chooseModifiers({ groups, optionPairs, storeId: null }, selections, defaultLocale);
  return { line: { ...line, identity, note, choice: { groups, selections } }, chosen };
}

/** A line with the prices of its modifiers. */
export function pricedLine(line: OrderLine, chosen: Chosen, skus: ReadonlyMap<string, TakenSku>): OrderLine {
  if (chosen.length === 0) return line;
  const { unitPrice: price, listPrice, taxClass, singleServings } = line;
  const modifiers = orderModifiers(chosen, skus);
  const added = priceOfModifiers(chosen);
  return {
    ...line,
    modifiers,
    unitPrice: price + added,
    listPrice: listPrice === null ? null : listPrice + added,
    parts: linePartsOf({ price, taxClass, singleServings }, modifiers),
  };
}

/** A line of a placed order with what it consists of, for a new bill. */
export function agreedParts(line: OrderLine): OrderLine {
  const { unitPrice, taxClass, singleServings, modifiers } = line;
  if (modifiers.length === 0) return line;
  return { ...line, parts: linePartsOf({ price: unitPrice - priceOfModifiers(modifiers), taxClass, singleServings }, modifiers) };
}

/** What is chosen for a line, as its columns keep it. */
export function chosenColumns({ identity, choice, note }: OrderLine) {
  const selections = canonicalSelections(choice?.selections ?? []);
  return { identity, modifiers: selections.length > 0 ? JSON.stringify(selections) : null, note };
}

/** Chosen modifiers as an order keeps them. Those that are products of a set are taxed as these are. */
function orderModifiers(chosen: Chosen, skus: ReadonlyMap<string, TakenSku>): OrderModifier[] {
  return chosen.map(({ group, modifier, quantity, amount, modifiers }) => {
    const product = (group.setParts && modifier.sku !== null && skus.get(modifier.sku)) || null;
    const own = modifier.taxClass !== null ? modifier : product;
    return {
      group: group.id,
      modifier: modifier.id,
      nameContent: modifier.nameContent,
      quantity,
      amount,
      taxClass: own?.taxClass ?? null,
      singleServings: (own ?? modifier).singleServings,
      sku: modifier.sku,
      ownPrice: product?.price ?? null,
      modifiers: orderModifiers(modifiers, skus),
    };
  });
}

/** The SKUs of chosen modifiers. */
export function modifierSkus(chosen: Chosen): string[] {
  return chosen.flatMap(({ modifier, modifiers }) => [
    ...(modifier.sku === null ? [] : [modifier.sku]),
    ...modifierSkus(modifiers),
  ]);
}

/** With those that they open. */
export const allModifiers = (modifiers: readonly OrderModifier[]): OrderModifier[] =>
  modifiers.flatMap((each) => [each, ...allModifiers(each.modifiers)]);

/** Units of each SKU, its own and those of its modifiers, in a unit of a line. */
export function unitsIn({ sku, modifiers }: Pick<OrderLine, 'sku' | 'modifiers'>): Map<string, number> {
  const units = new Map([[sku, 1]]);
  const count = (chosen: readonly OrderModifier[], times: number) => {
    for (const each of chosen) {
      if (each.sku !== null) units.set(each.sku, (units.get(each.sku) ?? 0) + each.quantity * times);
      count(each.modifiers, each.quantity * times);
    }
  };
  count(modifiers, 1);
  return units;
}

/** Units of each SKU in lines together, which may share SKUs. */
export function unitsOf(
  lines: readonly Pick<OrderLine, 'sku' | 'modifiers' | 'quantity'>[],
): { sku: string; quantity: number }[] {
  const units = new Map<string, number>();
  for (const line of lines) for (const [sku, each] of unitsIn(line)) units.set(sku, (units.get(sku) ?? 0) + each * line.quantity);
  return [...units].map(([sku, quantity]) => ({ sku, quantity }));
}

/** Why a line cannot be ordered as it was chosen; empty if it can. Names in messages are in `locale`. */
export function choiceErrors({ choice, optionPairs }: OrderLine, { storeId, soldOut }: LinePlace, locale: Locale): FieldErrors {
  if (!choice) return {};
  const groups = withSoldOut(choice.groups, soldOut);
  return chooseModifiers({ groups, optionPairs, storeId }, choice.selections, locale).errors;
}

/** The modifiers on one line, in a language; '' for none. */
export function modifierTextOf(modifiers: readonly OrderModifier[], locale: Locale): string {
  const names = (chosen: readonly OrderModifier[]): string[] =>
    chosen.flatMap(({ nameContent, quantity, modifiers: opened }) => {
      const name = inLocale(nameContent, locale);
      return [quantity > 1 ? `${quantity} × ${name}` : name, ...names(opened)];
    });
  return names(modifiers).join(translate(locale)('ui.listSeparator'));
}
