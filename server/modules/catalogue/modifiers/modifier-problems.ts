/** Says what is wrong with modifier groups, and with what products say of them, before any of it is written. */
import { modifierDepth } from '#contract/rules/modifiers.ts';
import { problemLine, schemaProblems } from '#server/platform/schema-problems.ts';
import { ModifierGroupInput, type ModifierInput, type ProductModifierGroup } from './modifier-group-input.ts';

type Groups = ReadonlyMap<string, ModifierGroupInput>;

export interface KnownToGroups {
  /** The groups of the shop. */
  stored: readonly ModifierGroupInput[];
  /** Further groups that are known, so that one mistake is not reported again wherever it is referred to. */
  also: ReadonlySet<string>;
  skus: ReadonlySet<string>;
}

/** The problems of groups, each with the group's id; empty if they can be written. */
export function groupProblems(inputs: readonly ModifierGroupInput[], { stored, also, skus }: KnownToGroups): string[] {
  const invalid = inputs.flatMap((input) =>
    schemaProblems(ModifierGroupInput, input, { closed: false }).map((problem) => `${named(input)}: ${problemLine(problem)}`),
  );
  if (invalid.length > 0) return invalid;
  const groups: Groups = new Map([...stored, ...inputs].map((group) => [group.id, group]));
  const problems = inputs.flatMap((input) => [
    ...repeated(input.modifiers).map((id) => `${named(input)}: the modifier ${id} is given twice`),
    ...numberProblems(input).map((problem) => `${named(input)}: ${problem}`),
    ...input.modifiers.flatMap((modifier) =>
      referenceProblems(input, modifier, { groups, also, skus }).map(
        (problem) => `${named(input)}: the modifier ${modifier.id} ${problem}`,
      ),
    ),
  ]);
  return [...repeated(inputs).map((id) => `modifier group ${id}: given twice`), ...problems, ...depthProblems(groups)];
}

/** Groups that lead to themselves, or to groups too deep, also through one that has not changed. */
function depthProblems(groups: Groups): string[] {
  return [...groups.values()].flatMap((group) => {
    const problem = depthProblem(group, groups);
    return problem === null ? [] : [`${named(group)}: ${problem}`];
  });
}

function named({ id }: { id: string }): string {
  return `modifier group ${id}`;
}

function repeated(entries: readonly { id: string }[]): string[] {
  const ids = entries.map(({ id }) => id);
  return [...new Set(ids.filter((id, index) => ids.indexOf(id) !== index))];
}

type Numbers = Pick<ModifierGroupInput, 'min' | 'max' | 'quantities' | 'modifiers'>;

function numberProblems({ min, max, quantities, modifiers }: Numbers): string[] {
  const shown = modifiers.filter(({ hidden }) => !hidden);
  const defaults = shown.reduce((sum, each) => sum + each.default, 0);
  return [
    ...(min > max ? [`min is ${min}, allowed: at most max, which is ${max}`] : []),
    ...(!quantities && min > shown.length ? [`min is ${min}, allowed: at most ${shown.length}, the number of modifiers`] : []),
    ...(defaults > max ? [`the defaults are ${defaults} choices, allowed: at most max, which is ${max}`] : []),
    ...shown
      .filter((each) => each.default > 1 && !quantities)
      .map((each) => `the default of ${each.id} is ${each.default}, allowed: 0 or 1, unless quantities is true`),
  ];
}

function referenceProblems(
  { setParts }: ModifierGroupInput,
  { opens, sku, prices }: ModifierInput,
  { groups, also, skus }: { groups: Groups } & Pick<KnownToGroups, 'also' | 'skus'>,
): string[] {
  return [
    ...opens.filter((id) => !groups.has(id) && !also.has(id)).map((id) => `opens the unknown modifier group ${id}`),
    ...(sku !== null && !skus.has(sku) ? [`has the unknown SKU ${sku}`] : []),
    ...(setParts && sku === null ? ['has no SKU, but the modifiers of a set meal are products'] : []),
    ...(prices.some(({ options }) => Object.keys(options).length === 0) ? ['has a price without options'] : []),
  ];
}

function depthProblem(group: ModifierGroupInput, groups: Groups): string | null {
  let level = [group];
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > modifierDepth)
      return `it opens groups that open groups, allowed: ${modifierDepth} groups deep, and ${level.map(({ id }) => id).join(', ')} is deeper`;
    const next = new Set(level.flatMap(({ modifiers }) => modifiers.flatMap(({ opens }) => opens)));
    if (next.has(group.id)) return 'it opens itself';
    level = [...next].flatMap((id) => groups.get(id) ?? []);
  }
  return null;
}

/** The problems of what a product says of its groups. `also`: further groups that are known. */
export function productGroupProblems(
  used: readonly ProductModifierGroup[],
  groups: Groups,
  also: ReadonlySet<string> = new Set(),
): string[] {
  return [
    ...repeated(used.map(({ group }) => ({ id: group }))).map((id) => `the modifier group ${id} is given twice`),
    ...used.flatMap((reference) => {
      const group = groups.get(reference.group);
      if (group) return overrideProblems(reference, group);
      return also.has(reference.group) ? [] : [`unknown modifier group ${reference.group}`];
    }),
  ];
}

function overrideProblems({ hidden = [], defaults, ...own }: ProductModifierGroup, group: ModifierGroupInput): string[] {
  const known = new Set(group.modifiers.map(({ id }) => id));
  const unknown = [...hidden, ...(defaults ?? [])].filter((id) => !known.has(id));
  const here = group.modifiers.map((modifier) => ({
    ...modifier,
    hidden: modifier.hidden || hidden.includes(modifier.id),
    default: defaults ? Number(defaults.includes(modifier.id)) : modifier.default,
  }));
  return [
    ...unknown.map((id) => `the modifier group ${group.id} has no modifier ${id}`),
    ...numberProblems({ ...group, ...own, modifiers: here }).map((problem) => `the modifier group ${group.id}: ${problem}`),
  ];
}
