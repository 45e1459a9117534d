import { formatOptionPairs } from '#contract/option-pairs.ts';
import { modifierDepth } from '#contract/rules/modifiers.ts';
import type { ModifierInput, ProductModifierGroup } from '#contract/schemas/modifier-input.ts';
import type { Modifier, ModifierGroup } from '#contract/schemas/modifiers.ts';
import type { Reader } from '#db/database.ts';
import { type SoldOut, withSoldOut } from '#server/modules/stores/index.ts';
import { type GroupRow, groupsById, referencesOf } from './modifier-groups.repository.ts';

export interface StoredModifier extends Modifier {
  /** Null: the product's. */
  taxClass: string | null;
  singleServings: number;
}

export interface StoredGroup extends Omit<ModifierGroup, 'modifiers'> {
  modifiers: StoredModifier[];
}

/** With all that they open, without what is hidden; by product id. Products without groups are left out. */
export async function modifierGroupsOf(
  reader: Reader,
  productIds: readonly string[],
  soldOut: SoldOut = new Map(),
): Promise<Map<string, StoredGroup[]>> {
  const groups = await resolveGroups(reader, await referencesOf(reader, productIds));
  return new Map([...groups].map(([id, each]) => [id, withSoldOut(each, soldOut)]));
}

/** `references`: by product id. */
export async function resolveGroups(
  reader: Reader,
  references: ReadonlyMap<string, readonly ProductModifierGroup[]>,
): Promise<Map<string, StoredGroup[]>> {
  const known = new Map<string, GroupRow>();
  let wanted = new Set([...references.values()].flatMap((each) => each.map(({ group }) => group)));
  for (let depth = 1; wanted.size > 0 && depth <= modifierDepth; depth++) {
    const found = await groupsById(reader, [...wanted]);
    for (const group of found) known.set(group.id, group);
    wanted = new Set(found.flatMap(opensOf).filter((id) => !known.has(id)));
  }
  return new Map(
    [...references].flatMap(([id, used]) => (used.length > 0 ? [[id, groupsOfProduct(used, known)]] : [])),
  );
}

/** As a product that asks for it gets it, with all that it opens. */
export function groupAlone(id: string, groups: readonly GroupRow[]): StoredGroup[] {
  return groupsOfProduct([{ group: id }], new Map(groups.map((group) => [group.id, group])));
}

function groupsOfProduct(
  used: readonly ProductModifierGroup[],
  known: ReadonlyMap<string, GroupRow>,
): StoredGroup[] {
  const groups = used.flatMap((reference) => {
    const group = known.get(reference.group);
    return group ? [storedGroup(group, reference)] : [];
  });
  const ids = new Set(groups.map(({ id }) => id));
  // Grows while it is walked: what an opened group opens is asked for as well.
  for (const { modifiers } of groups) {
    for (const id of modifiers.flatMap(({ opens }) => opens)) {
      const group = ids.has(id) ? undefined : known.get(id);
      if (group) groups.push(storedGroup(group, null));
      ids.add(id);
    }
  }
  return groups;
}

export function opensOf({ modifiers }: Pick<GroupRow, 'modifiers'>): string[] {
  return modifiers.flatMap(({ opens }) => opens);
}

/** These groups, and all that open them. */
export function openersOf(ids: ReadonlySet<string>, groups: readonly GroupRow[]): string[] {
  const found = new Set(ids);
  // Each round adds the openers of the last one; groups open groups a few levels deep.
  for (let before = 0; before < found.size; ) {
    before = found.size;
    for (const group of groups) if (opensOf(group).some((id) => found.has(id))) found.add(group.id);
  }
  return [...found];
}

/** `reference`: what the product says of the group; null for one that a modifier opens. */
function storedGroup(group: GroupRow, reference: ProductModifierGroup | null): StoredGroup {
  const { min = group.min, max = group.max, hidden = [], defaults } = reference ?? {};
  const shown = group.modifiers.filter((modifier) => !modifier.hidden && !hidden.includes(modifier.id));
  return {
    id: group.id,
    nameContent: group.name,
    textContent: group.text,
    min,
    max,
    quantities: group.quantities,
    free: group.free,
    opened: reference === null,
    setParts: group.setParts,
    modifiers: shown.map((modifier) => ({
      ...storedModifier(modifier),
      ...(defaults
        ? { defaultQuantity: defaults.includes(modifier.id) ? Math.max(modifier.default, 1) : 0 }
        : {}),
    })),
  };
}

function storedModifier({
  name,
  priceCents,
  prices,
  default: defaultQuantity,
  hidden: _,
  ...rest
}: ModifierInput): StoredModifier {
  return {
    ...rest,
    nameContent: name,
    price: priceCents,
    prices: prices.map((each) => ({
      optionPair: formatOptionPairs(Object.entries(each.options)),
      price: each.priceCents,
    })),
    defaultQuantity,
    soldOutAt: [],
  };
}

export function shownGroups(groups: readonly StoredGroup[], soldOut: SoldOut): ModifierGroup[] {
  return withSoldOut(groups, soldOut).map((group) => ({
    ...group,
    modifiers: group.modifiers.map(({ taxClass: _, singleServings: _servings, ...modifier }) => modifier),
  }));
}
