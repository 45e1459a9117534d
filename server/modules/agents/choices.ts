/** What an agent asks for, in the shop's own ids. Whatever it read can be named: ids, and names in any language of the shop. */
import { inLocale, type Locale, type LocalText } from '#contract/locales.ts';
import { defaultSelections, type Selection } from '#contract/rules/modifiers.ts';
import type { Product } from '#contract/schemas/catalogue.ts';
import type { ModifierSelection } from '#contract/schemas/modifiers.ts';

export interface AskedModifier {
  group?: string | undefined;
  modifier: string;
  quantity?: number | undefined;
  modifiers?: readonly AskedModifier[] | undefined;
}

export interface ChosenModifiers {
  selections: ModifierSelection[];
  /** The places of those that the product does not have, such as `[1]` or `[0].modifiers[2]`. */
  unknown: { at: string; name: string }[];
}

type Groups = NonNullable<Product['modifierGroups']>;

const folded = (text: string) => text.normalize('NFKC').trim().toLowerCase();
export const isNamed = (asked: string, id: string, names: LocalText): boolean =>
  [id, ...Object.values(names)].some((each) => folded(each) === folded(asked));

export const modificationId = ({ group, modifier }: { group: string; modifier: string }) =>
  `${group}:${modifier}`;

/** With what is chosen by default in the groups that were not named. */
export function chooseNamed(
  { modifierGroups: groups = [], skus }: Product,
  { sku, storeId }: { sku: string; storeId: string | null },
  asked: readonly AskedModifier[],
): ChosenModifiers {
  const optionPairs = skus.find((each) => each.sku === sku)?.optionPairs ?? skus[0]?.optionPairs ?? '';
  const unknown: ChosenModifiers['unknown'] = [];
  const read = (all: readonly AskedModifier[], path: string): ReadModifier[] =>
    all.flatMap((each, index) => {
      const at = `${path}[${index}]`;
      const [found, ...others] = matching(groups, each);
      const inner = read(each.modifiers ?? [], `${at}.modifiers`);
      if (found && others.length === 0) return [{ ...found, quantity: each.quantity ?? 1, inner }];
      unknown.push({ at, name: each.modifier });
      return [];
    });
  const wanted = read(asked, '');
  const defaultsOf = (opens: readonly string[] | null) =>
    defaultSelections({ groups, optionPairs, storeId }, opens);
  const within = (
    ids: readonly string[],
    defaults: readonly Selection[],
    named: readonly ReadModifier[],
  ): ModifierSelection[] => {
    const own = named.filter(({ group }) => ids.includes(group));
    const rest = defaults.filter(({ group }) => !own.some((each) => each.group === group));
    const chosen = [...own, ...rest.map((each) => ({ quantity: 1, inner: [], ...each }))];
    return chosen.map(({ group, modifier, quantity, inner, ...more }) => {
      const opens =
        groups.find(({ id }) => id === group)?.modifiers.find(({ id }) => id === modifier)?.opens ?? [];
      const before: readonly Selection[] = 'modifiers' in more ? ((more as Selection).modifiers ?? []) : [];
      // Agents may name what a modifier opens within it, or beside it.
      const further =
        opens.length > 0
          ? within(opens, before.length > 0 ? before : defaultsOf(opens), [...inner, ...named])
          : [];
      return {
        group,
        modifier,
        quantity,
        ...(further.length > 0 ? { modifiers: further } : {}),
      } as ModifierSelection;
    });
  };
  const own = groups.filter(({ opened }) => !opened).map(({ id }) => id);
  return { selections: within(own, defaultsOf(null), wanted), unknown };
}

interface ReadModifier {
  group: string;
  modifier: string;
  quantity: number;
  inner: ReadModifier[];
}

function matching(groups: Groups, { group, modifier }: AskedModifier): { group: string; modifier: string }[] {
  return groups
    .filter(({ id, nameContent }) => group === undefined || isNamed(group, id, nameContent))
    .flatMap(({ id, modifiers }) =>
      modifiers
        .filter(
          (each) =>
            isNamed(modifier, each.id, each.nameContent) ||
            modifier === modificationId({ group: id, modifier: each.id }),
        )
        .map((each) => ({ group: id, modifier: each.id })),
    );
}

/** Such as "Ice: Regular ice, Less ice, No ice; Sugar: …". */
export const offeredModifiers = ({ modifierGroups = [] }: Product, locale: Locale): string =>
  modifierGroups
    .map(({ nameContent, modifiers }) => {
      const names = modifiers.map((each) => inLocale(each.nameContent, locale)).join(', ');
      return `${inLocale(nameContent, locale)}: ${names}`;
    })
    .join('; ');
