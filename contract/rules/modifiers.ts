import type { FieldErrors } from '../errors.ts';
import { limits } from '../limits.ts';
import { inLocale, type Locale, type LocalText, mainLocale } from '../locales.ts';
import { parseOptionPairs } from '../option-pairs.ts';

/** Groups open groups this deep. */
export const modifierDepth = 3;

/** What decides what may be chosen and what it costs; the server's have more. */
export interface ChoosableModifier {
  id: string;
  nameContent: LocalText;
  price: number;
  prices: readonly { optionPair: string; price: number }[];
  defaultQuantity: number;
  soldOutAt: readonly string[];
  opens: readonly string[];
}

export interface ChoosableGroup<M extends ChoosableModifier = ChoosableModifier> {
  id: string;
  nameContent: LocalText;
  min: number;
  max: number;
  quantities: boolean;
  free: number;
  opened: boolean;
  modifiers: readonly M[];
}

export interface Selection {
  group: string;
  modifier: string;
  quantity?: number | undefined;
  modifiers?: readonly Selection[] | undefined;
}

/** `G` is the caller's kind of group: the contract's, or the server's with what it stores beside. */
export interface ChosenModifier<G extends ChoosableGroup> {
  group: G;
  modifier: G['modifiers'][number];
  /** In a unit of the line. */
  quantity: number;
  /** Of all of its quantity in a unit of the line, cents, without what it opened. */
  amount: number;
  modifiers: ChosenModifier<G>[];
}

export interface Choice<G extends ChoosableGroup> {
  chosen: ChosenModifier<G>[];
  /** Of all of them in a unit, cents. */
  price: number;
  /** By `modifiers.<group>`, further groups by `modifiers.<group>.<modifier>.<group>`. Empty if it can be ordered. */
  errors: FieldErrors;
}

export interface ModifiedProduct<G> {
  /** And all that they open. */
  groups: readonly G[];
  optionPairs: string;
  /** The store that makes it; null while undecided, when nothing counts as sold out. */
  storeId: string | null;
}

/** Defaults that are not sold out, as far as their group allows; also of the groups that a modifier `opens`, `depth` deep. */
export function defaultSelections<G extends ChoosableGroup>(
  product: ModifiedProduct<G>,
  opens: readonly string[] | null = null,
  depth = 1,
): Selection[] {
  const groups = opens ? groupsById(product.groups, opens) : ownGroups(product);
  return groups.flatMap((group) => selectionsIn(product, group, { depth, isFilled: false }));
}

/** Cents beyond the SKU's price: with defaults and the cheapest of what must be chosen. `from`: another choice costs more. */
export function startingPrice<G extends ChoosableGroup>(
  product: ModifiedProduct<G>,
): { price: number; from: boolean } {
  const selections = ownGroups(product).flatMap((group) =>
    selectionsIn(product, group, { depth: 1, isFilled: true }),
  );
  const { chosen, price } = chooseModifiers(product, selections, mainLocale());
  const differs = (all: readonly ChosenModifier<G>[]): boolean =>
    all.some(({ group, modifiers }) => isUndecided(group, product.optionPairs) || differs(modifiers));
  return { price, from: differs(chosen) };
}

/** The customer must choose, at prices that differ. */
function isUndecided({ min, modifiers }: ChoosableGroup, optionPairs: string): boolean {
  const defaults = modifiers.reduce((sum, { defaultQuantity }) => sum + defaultQuantity, 0);
  return (
    defaults < min && new Set(modifiers.map((modifier) => modifierPrice(modifier, optionPairs))).size > 1
  );
}

function ownGroups<G extends ChoosableGroup>({ groups }: Pick<ModifiedProduct<G>, 'groups'>): G[] {
  return groups.filter(({ opened }) => !opened);
}

/** And of the groups that they open. `isFilled`: with the cheapest of what a group needs besides. */
function selectionsIn<G extends ChoosableGroup>(
  product: ModifiedProduct<G>,
  group: G,
  { depth, isFilled }: { depth: number; isFilled: boolean },
): Selection[] {
  const offered = group.modifiers.filter((modifier) => !isSoldOut(modifier, product.storeId));
  const quantities = new Map<string, number>();
  const most = group.quantities ? group.max : 1;
  let room = group.max;
  const take = ({ id }: ChoosableModifier, wanted: number) => {
    const had = quantities.get(id) ?? 0;
    const taken = Math.min(wanted, room, most - had);
    if (taken > 0) quantities.set(id, had + taken);
    room -= Math.max(taken, 0);
  };
  for (const modifier of offered) take(modifier, modifier.defaultQuantity);
  const cheapest = offered.toSorted(
    (a, b) => modifierPrice(a, product.optionPairs) - modifierPrice(b, product.optionPairs),
  );
  if (isFilled) for (const modifier of cheapest) take(modifier, group.min - (group.max - room));
  return offered.flatMap(({ id, opens }) => {
    const quantity = quantities.get(id);
    if (quantity === undefined) return [];
    const opened = depth < modifierDepth ? groupsById(product.groups, opens) : [];
    const modifiers = opened.flatMap((each) => selectionsIn(product, each, { depth: depth + 1, isFilled }));
    return [{ group: group.id, modifier: id, quantity, modifiers }];
  });
}

export function isSoldOut(
  { soldOutAt }: Pick<ChoosableModifier, 'soldOutAt'>,
  storeId: string | null,
): boolean {
  return storeId !== null && soldOutAt.includes(storeId);
}

/** Of one, with a SKU's options, cents. */
export function modifierPrice(
  { price, prices }: Pick<ChoosableModifier, 'price' | 'prices'>,
  optionPairs: string,
): number {
  if (prices.length === 0) return price;
  const pairs = parseOptionPairs(optionPairs);
  const match = prices.find(({ optionPair }) =>
    [...(parseOptionPairs(optionPair) ?? [])].every(([name, value]) => pairs?.get(name) === value),
  );
  return match?.price ?? price;
}

/** Names in messages are in `locale`. */
export function chooseModifiers<G extends ChoosableGroup>(
  product: ModifiedProduct<G>,
  selections: readonly Selection[],
  locale: Locale,
): Choice<G> {
  const errors: FieldErrors = {};
  const choose = (
    groups: readonly G[],
    selected: readonly Selection[],
    path: string,
  ): ChosenModifier<G>[] => {
    for (const { group } of selected)
      if (!groups.some(({ id }) => id === group)) errors[`${path}.${group}`] = 'rule.modifierUnknown';
    return groups.flatMap((group) => {
      const at = `${path}.${group.id}`;
      const mine = selected.filter((selection) => selection.group === group.id);
      const error = groupError(product, group, mine, locale);
      if (error) errors[at] = error;
      return priced(group, mine, product.optionPairs).map((each) => ({
        ...each,
        modifiers: choose(
          groupsById(product.groups, each.modifier.opens),
          each.selected,
          `${at}.${each.modifier.id}`,
        ),
      }));
    });
  };
  const chosen = choose(ownGroups(product), selections, 'modifiers');
  return { chosen, price: priceOfModifiers(chosen), errors };
}

/** To a unit, cents. What a modifier opened is added for each of its quantity. */
export function priceOfModifiers(chosen: readonly PricedModifier[]): number {
  return chosen.reduce(
    (sum, { quantity, amount, modifiers }) => sum + amount + quantity * priceOfModifiers(modifiers ?? []),
    0,
  );
}

export function noteErrors(note: string): FieldErrors {
  if (note.trim().length <= limits.lineNoteLength) return {};
  return { note: { key: 'rule.noteTooLong', values: { limit: limits.lineNoteLength } } };
}

interface CanonicalSelection {
  group: string;
  modifier: string;
  quantity: number;
  modifiers?: CanonicalSelection[];
}

/** To compare them; of the modifiers of a line, those by which it can be chosen again. */
export function canonicalSelections(selections: readonly Selection[]): CanonicalSelection[] {
  const key = ({ group, modifier }: Selection) => `${group} ${modifier}`;
  return selections
    .map(({ group, modifier, quantity = 1, modifiers = [] }) => {
      const inner = canonicalSelections(modifiers);
      return { group, modifier, quantity, ...(inner.length > 0 ? { modifiers: inner } : {}) };
    })
    .sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

interface PricedModifier {
  quantity: number;
  amount: number;
  modifiers?: readonly PricedModifier[];
}

/** In the order in which a modifier opens them. */
export function groupsById<G extends { id: string }>(groups: readonly G[], ids: readonly string[]): G[] {
  return ids.flatMap((id) => groups.find((group) => group.id === id) ?? []);
}

function groupError<G extends ChoosableGroup>(
  { storeId }: ModifiedProduct<G>,
  group: G,
  selected: readonly Selection[],
  locale: Locale,
): FieldErrors[string] | null {
  const names = new Set<string>();
  for (const { modifier: id, quantity = 1 } of selected) {
    const modifier = group.modifiers.find((each) => each.id === id);
    if (!modifier || names.has(id)) return 'rule.modifierUnknown';
    names.add(id);
    if (isSoldOut(modifier, storeId))
      return { key: 'rule.modifierSoldOut', values: { modifier: inLocale(modifier.nameContent, locale) } };
    if (quantity < 1 || !Number.isInteger(quantity) || (quantity > 1 && !group.quantities))
      return 'rule.modifierOnce';
  }
  const count = selected.reduce((sum, { quantity = 1 }) => sum + quantity, 0);
  const name = inLocale(group.nameContent, locale);
  if (count < group.min && group.min === 1) return { key: 'rule.modifierMissing', values: { group: name } };
  if (count < group.min)
    return { key: 'rule.modifiersMissing', values: { group: name, count: group.min - count } };
  if (count > group.max) return { key: 'rule.modifiersTooMany', values: { group: name, count: group.max } };
  return null;
}

/** In the group's order; the `free` dearest units cost nothing. */
function priced<G extends ChoosableGroup>(group: G, selected: readonly Selection[], optionPairs: string) {
  const chosen = group.modifiers.flatMap((modifier) => {
    const selection = selected.find((each) => each.modifier === modifier.id);
    if (!selection) return [];
    const price = modifierPrice(modifier, optionPairs);
    return [
      {
        group,
        modifier,
        quantity: selection.quantity ?? 1,
        price,
        free: 0,
        selected: selection.modifiers ?? [],
      },
    ];
  });
  let free = group.free;
  for (const each of chosen.toSorted((a, b) => b.price - a.price)) {
    each.free = Math.min(free, each.quantity);
    free -= each.free;
  }
  return chosen.map(({ price, free: freeUnits, ...each }) => ({
    ...each,
    amount: price * (each.quantity - freeUnits),
  }));
}
