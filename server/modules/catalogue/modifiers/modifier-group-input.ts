import Type, { type Static } from 'typebox';
import { allergens, dietaryMarks } from '#contract/limits.ts';
import { listed, type Problem, problem, shown } from '#contract/problems.ts';
import { modifierDepth } from '#contract/rules/modifiers.ts';
import { Cents, described, Flag, Id, LocalName, LocalText, Nullable, Sku, withDefault } from '#contract/schemas/common.ts';
import { taxClasses } from '#contract/taxes.ts';
import { schemaProblems } from '#server/platform/schema-problems.ts';

const number = (minimum: number, maximum: number) => Type.Integer({ minimum, maximum });

const ModifierInput = Type.Object({
  id: described('Identifies the modifier in its group. Orders keep it.', Id),
  name: described('The name of the modifier, such as Oat milk.', LocalName),
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
  name: described('The name of the group, such as Milk.', LocalName),
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

type Groups = ReadonlyMap<string, ModifierGroupInput>;

interface KnownToGroups {
  stored: readonly ModifierGroupInput[];
  /** One mistake is not reported again wherever it is referred to. */
  also: ReadonlySet<string>;
  skus: ReadonlySet<string>;
}

export function groupProblems(inputs: readonly ModifierGroupInput[], { stored, also, skus }: KnownToGroups): Problem[] {
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
  return [...repeated(inputs).map((id) => at(id, problem([], 'problem.repeated'))), ...problems, ...depthProblems(groups)];
}

/** Also through a group that has not changed. */
function depthProblems(groups: Groups): Problem[] {
  return [...groups.values()].flatMap((group) => depthProblem(group, groups).map((each) => at(group.id, each)));
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
      .map((each) => problem(['modifiers', each.id, 'default'], 'problem.group.quantities', { found: String(each.default) })),
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
      .map((group) => problem([...path, 'opens'], 'problem.reference', { kind: 'modifierGroup', found: shown(group) })),
    ...(sku !== null && !skus.has(sku) ? [problem([...path, 'sku'], 'problem.sku.unknown', { found: shown(sku) })] : []),
    ...(setParts && sku === null ? [problem([...path, 'sku'], 'problem.group.setPart')] : []),
    ...prices.flatMap(({ options }, index) =>
      Object.keys(options).length === 0 ? [problem([...path, 'prices', String(index), 'options'], 'problem.empty')] : [],
    ),
  ];
}

function depthProblem(group: ModifierGroupInput, groups: Groups): Problem[] {
  let level = [group];
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > modifierDepth)
      return [problem([], 'problem.group.deep', { levels: modifierDepth, groups: level.map(({ id }) => id).join(', ') })];
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
      if (group) return overrideProblems(reference, group).map((each) => ({ ...each, path: [group.id, ...each.path] }));
      const unknown = { kind: 'modifierGroup', found: shown(reference.group) };
      return also.has(reference.group) ? [] : [problem([reference.group], 'problem.reference', unknown)];
    }),
  ].map((each) => ({ ...each, path: ['modifierGroups', ...each.path] }));
}

function overrideProblems({ hidden = [], defaults, ...own }: ProductModifierGroup, group: ModifierGroupInput): Problem[] {
  const known = new Set(group.modifiers.map(({ id }) => id));
  const unknown = [...hidden, ...(defaults ?? [])].filter((id) => !known.has(id));
  const here = group.modifiers.map((modifier) => ({
    ...modifier,
    hidden: modifier.hidden || hidden.includes(modifier.id),
    default: defaults ? Number(defaults.includes(modifier.id)) : modifier.default,
  }));
  return [
    ...unknown.map((id) => problem([], 'problem.group.modifier', { found: shown(id), allowed: listed(known) })),
    ...numberProblems({ ...group, ...own, modifiers: here }),
  ];
}
