/** What no schema says of modifier groups, and of the groups of a product. */
import { listed, type Problem, problem, shown } from '#contract/problems.ts';
import { modifierDepth } from '#contract/rules/modifiers.ts';
import {
  ModifierGroupInput,
  type ModifierInput,
  type ProductModifierGroup,
} from '#contract/schemas/modifier-input.ts';
import { schemaProblems } from '#server/platform/schema-problems.ts';

type Groups = ReadonlyMap<string, ModifierGroupInput>;

interface KnownToGroups {
  stored: readonly ModifierGroupInput[];
  /** One mistake is not reported again wherever it is referred to. */
  also: ReadonlySet<string>;
  skus: ReadonlySet<string>;
}

export function groupProblems(
  inputs: readonly ModifierGroupInput[],
  { stored, also, skus }: KnownToGroups,
): Problem[] {
  const invalid = inputs.flatMap((input) =>
    schemaProblems(ModifierGroupInput, input, { closed: false }).map((each) => at(input.id, each)),
  );
  if (invalid.length > 0) return invalid;
  const groups: Groups = new Map([...stored, ...inputs].map((group) => [group.id, group]));
  const problems = inputs.flatMap((input) =>
    [
      ...repeated(input.modifiers).map((id) => problem(['modifiers', id], 'problem.repeated')),
      ...numberProblems(input),
      ...input.modifiers.flatMap((modifier) => referenceProblems(input, modifier, { groups, also, skus })),
    ].map((each) => at(input.id, each)),
  );
  return [
    ...repeated(inputs).map((id) => at(id, problem([], 'problem.repeated'))),
    ...problems,
    ...depthProblems(groups),
  ];
}

/** Also through a group that has not changed. */
function depthProblems(groups: Groups): Problem[] {
  return [...groups.values()].flatMap((group) =>
    depthProblem(group, groups).map((each) => at(group.id, each)),
  );
}

function at(group: string, each: Problem): Problem {
  return { ...each, path: ['modifierGroups', group, ...each.path] };
}

function repeated(entries: readonly { id: string }[]): string[] {
  const ids = entries.map(({ id }) => id);
  return [...new Set(ids.filter((id, index) => ids.indexOf(id) !== index))];
}

type Numbers = Pick<ModifierGroupInput, 'min' | 'max' | 'quantities' | 'modifiers'>;

function numberProblems({ min, max, quantities, modifiers }: Numbers): Problem[] {
  const visible = modifiers.filter(({ hidden }) => !hidden);
  const count = visible.length;
  const defaults = visible.reduce((sum, each) => sum + each.default, 0);
  const found = String(min);
  return [
    ...(min > max ? [problem(['min'], 'problem.group.max', { max, found })] : []),
    ...(!quantities && min > count ? [problem(['min'], 'problem.group.count', { count, found })] : []),
    ...(defaults > max ? [problem([], 'problem.group.defaults', { defaults, max })] : []),
    ...visible
      .filter((each) => each.default > 1 && !quantities)
      .map((each) =>
        problem(['modifiers', each.id, 'default'], 'problem.group.quantities', {
          found: String(each.default),
        }),
      ),
  ];
}

function referenceProblems(
  { setParts }: ModifierGroupInput,
  { id, opens, sku, prices }: ModifierInput,
  { groups, also, skus }: { groups: Groups } & Pick<KnownToGroups, 'also' | 'skus'>,
): Problem[] {
  const path = ['modifiers', id];
  return [
    ...opens
      .filter((group) => !groups.has(group) && !also.has(group))
      .map((group) =>
        problem([...path, 'opens'], 'problem.reference', { kind: 'modifierGroup', found: shown(group) }),
      ),
    ...(sku !== null && !skus.has(sku)
      ? [problem([...path, 'sku'], 'problem.sku.unknown', { found: shown(sku) })]
      : []),
    ...(setParts && sku === null ? [problem([...path, 'sku'], 'problem.group.setPart')] : []),
    ...prices.flatMap(({ options }, index) =>
      Object.keys(options).length === 0
        ? [problem([...path, 'prices', String(index), 'options'], 'problem.empty')]
        : [],
    ),
  ];
}

function depthProblem(group: ModifierGroupInput, groups: Groups): Problem[] {
  let level = [group];
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > modifierDepth)
      return [
        problem([], 'problem.group.deep', {
          levels: modifierDepth,
          groups: level.map(({ id }) => id).join(', '),
        }),
      ];
    const next = new Set(level.flatMap(({ modifiers }) => modifiers.flatMap(({ opens }) => opens)));
    if (next.has(group.id)) return [problem([], 'problem.group.itself')];
    level = [...next].flatMap((id) => groups.get(id) ?? []);
  }
  return [];
}

/** `also`: further groups that are known. */
export function productGroupProblems(
  used: readonly ProductModifierGroup[],
  groups: Groups,
  also: ReadonlySet<string> = new Set(),
): Problem[] {
  return [
    ...repeated(used.map(({ group }) => ({ id: group }))).map((id) => problem([id], 'problem.repeated')),
    ...used.flatMap((reference) => {
      const group = groups.get(reference.group);
      if (group)
        return overrideProblems(reference, group).map((each) => ({
          ...each,
          path: [group.id, ...each.path],
        }));
      const unknown = { kind: 'modifierGroup', found: shown(reference.group) };
      return also.has(reference.group) ? [] : [problem([reference.group], 'problem.reference', unknown)];
    }),
  ].map((each) => ({ ...each, path: ['modifierGroups', ...each.path] }));
}

function overrideProblems(
  { hidden = [], defaults, ...own }: ProductModifierGroup,
  group: ModifierGroupInput,
): Problem[] {
  const known = new Set(group.modifiers.map(({ id }) => id));
  const unknown = [...hidden, ...(defaults ?? [])].filter((id) => !known.has(id));
  const here = group.modifiers.map((modifier) => ({
    ...modifier,
    hidden: modifier.hidden || hidden.includes(modifier.id),
    default: defaults ? Number(defaults.includes(modifier.id)) : modifier.default,
  }));
  return [
    ...unknown.map((id) =>
      problem([], 'problem.group.modifier', { found: shown(id), allowed: listed(known) }),
    ),
    ...numberProblems({ ...group, ...own, modifiers: here }),
  ];
}
