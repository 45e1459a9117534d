/** Brands, categories and tags by the names in a file. Those that the shop does not have are made, under ids that follow from the names. */
import { inLocale, type Locale, type LocalText } from '#contract/locales.ts';
import { categoryDepth } from '#contract/rules/categories.ts';
import type { FoundProduct } from './found-product.ts';
import { slugOf } from './kind.ts';

type Categories = ReadonlyMap<string, { id: string; name: LocalText; parentId: string | null }>;

interface Names {
  brands: ReadonlyMap<string, { id: string; name: LocalText }>;
  categories: Categories;
  tags: ReadonlyMap<string, { id: string; name: LocalText }>;
}

export interface MadeTaxonomy {
  brands: Map<string, string>;
  categories: Map<string, { name: LocalText; parent: string | null }>;
  tags: Map<string, string>;
}

export type TaxonomyOf = ReturnType<typeof createTaxonomyNames>;

const keyOf = (name: string) => name.trim().toLowerCase();
const other: LocalText = { en: 'Other', zh: '其他' };

export function createTaxonomyNames(
  { brands, categories, tags }: Names,
  shopName: LocalText,
  language: Locale,
) {
  const made: MadeTaxonomy = { brands: new Map(), categories: new Map(), tags: new Map() };
  const [brandIds, tagIds] = [idsByName(brands), idsByName(tags)];
  return {
    made,
    brand: (name: string) => idFor(name || inLocale(shopName, language), brandIds, made.brands),
    tag: (name: string) => idFor(name, tagIds, made.tags),
    ...createCategoryNames(categories, made.categories, language),
  };
}

const idsByName = (all: Names['brands']) =>
  new Map(
    [...all.values()]
      .toReversed()
      .flatMap(({ id, name }) => [...Object.values(name), id].map((each) => [keyOf(each), id] as const)),
  );

function idFor(name: string, ids: Map<string, string>, made: Map<string, string>): string {
  const known = ids.get(keyOf(name));
  if (known !== undefined) return known;
  const id = slugOf(name);
  // Another name may lead to an id that is there.
  if (!ids.has(id)) made.set(id, name);
  ids.set(id, ids.get(id) ?? id);
  ids.set(keyOf(name), id);
  return id;
}

function createCategoryNames(categories: Categories, made: MadeTaxonomy['categories'], language: Locale) {
  /** Paths of names, in any language, from the top; and single names. */
  const paths = new Map<string, string>();
  const singles = new Map<string, string[]>();
  const addSingle = (name: string, id: string) =>
    singles.set(keyOf(name), [...new Set([...(singles.get(keyOf(name)) ?? []), id])]);
  for (const { id, name } of categories.values()) {
    for (const each of Object.values(name)) addSingle(each, id);
    for (const path of pathsTo(categories, id)) paths.set(path, id);
  }

  function categoryAt(names: readonly string[]): string {
    let parent: string | null = null;
    const path: string[] = [];
    for (const name of names.slice(0, categoryDepth)) {
      path.push(keyOf(name));
      const known = paths.get(path.join('\n'));
      const free = slugOf(name);
      const id: string = known ?? (categories.has(free) || made.has(free) ? slugOf(path.join(' ')) : free);
      if (known === undefined) {
        made.set(id, { name: { [language]: name }, parent });
        paths.set(path.join('\n'), id);
        addSingle(name, id);
      }
      parent = id;
    }
    return parent ?? '';
  }

  return {
    /** A type is the merchant's own word, and says more than the path of another shop's taxonomy; undefined if there is neither. */
    category({ type = '', category = [] }: Pick<FoundProduct, 'type' | 'category'>): string | undefined {
      const typed = namesIn(type);
      if (typed.length === 0) return category.length > 0 ? categoryAt(category) : undefined;
      // Our own exports name the whole path beside the type, which several categories may have.
      const isEnd = typed.length === 1 && keyOf(typed[0] ?? '') === keyOf(category.at(-1) ?? '');
      const known =
        paths.get(typed.map(keyOf).join('\n')) ??
        (isEnd ? paths.get(category.map(keyOf).join('\n')) : undefined);
      const [single, ...more] = singles.get(keyOf(type)) ?? [];
      return known ?? (single !== undefined && more.length === 0 ? single : categoryAt(typed));
    },
    otherCategory(): string {
      const known = paths.get(keyOf(inLocale(other, 'en')));
      if (known !== undefined || categories.has('other')) return known ?? 'other';
      made.set('other', { name: other, parent: null });
      return 'other';
    },
  };
}

const namesIn = (path: string) =>
  path
    .split('>')
    .map((part) => part.trim())
    .filter(Boolean);

function pathsTo(categories: Categories, id: string): string[] {
  const category = categories.get(id);
  if (!category) return [];
  const own = [...new Set(Object.values(category.name).map(keyOf))];
  if (category.parentId === null) return own;
  const above = pathsTo(categories, category.parentId);
  return above.flatMap((path) => own.map((name) => `${path}\n${name}`));
}
