import { type Problem, problem, shown } from '#contract/problems.ts';
import { categoryDepth } from '#contract/rules/categories.ts';
import type { ModifierGroupInput } from '#contract/schemas/modifier-input.ts';
import type { BrandInput, CategoryInput, TagInput } from '#contract/schemas/taxonomy.ts';
import type { Kind } from '#contract/staff/messages.ts';
import type { Reader } from '#db/database.ts';
import type { MediaService } from '#server/modules/media/index.ts';
import { groupProblems, productGroupProblems } from '../modifiers/modifier-group-input.ts';
import { allGroups, productsWithGroups } from '../modifiers/modifier-groups.repository.ts';
import { loadTaxonomy } from '../taxonomy/taxonomy.repository.ts';
import type { Taxonomy } from '../taxonomy/taxonomy.ts';
import { type ProductInput, productProblems } from './product-input.ts';
import { ownersOf } from './products.repository.ts';

export interface CatalogueIds {
  brands: ReadonlySet<string>;
  categories: ReadonlySet<string>;
  tags: ReadonlySet<string>;
}

export interface CatalogueInput {
  brands: readonly BrandInput[];
  categories: readonly CategoryInput[];
  tags: readonly TagInput[];
  modifierGroups: readonly ModifierGroupInput[];
  products: readonly ProductInput[];
  stock: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/** Besides input and database, so that one mistake is not reported again wherever it is referred to. */
export interface AlsoKnown extends CatalogueIds {
  modifierGroups: ReadonlySet<string>;
  locations: ReadonlySet<string>;
  skus: ReadonlySet<string>;
}

/** Every problem of the input; images are not checked. */
export async function catalogueProblems(
  reader: Reader,
  media: MediaService,
  input: CatalogueInput,
  also: AlsoKnown,
): Promise<Problem[]> {
  const taxonomy = await loadTaxonomy(reader, media);
  const known: CatalogueIds = {
    brands: new Set([...taxonomy.brands.keys(), ...also.brands, ...idsOf(input.brands)]),
    categories: new Set([...taxonomy.categories.keys(), ...also.categories, ...idsOf(input.categories)]),
    tags: new Set([...taxonomy.tags.keys(), ...also.tags, ...idsOf(input.tags)]),
  };
  return [
    ...repeatedIds('brands', input.brands),
    ...repeatedIds('categories', input.categories),
    ...repeatedIds('tags', input.tags),
    ...treeProblems(taxonomy, input.categories, also.categories),
    ...input.products.flatMap(productProblems),
    ...referenceProblems(input.products, known),
    ...(await takenSkus(reader, input.products)),
    ...(await groupProblemsIn(reader, input.modifierGroups, also)),
    ...(await groupUseProblems(reader, input.products, input.modifierGroups, also.modifierGroups)),
    ...locationProblems(input, also.locations),
    ...(await unknownStockSkus(reader, input, also.skus)),
  ];
}

/** Products given twice, and brands, categories and tags that they name and that do not exist. */
export function referenceProblems(products: readonly ProductInput[], known: CatalogueIds): Problem[] {
  return [
    ...repeatedIds('products', products),
    ...products.flatMap(({ id, brand, category, tags }) => [
      ...(known.brands.has(brand) ? [] : [unknown(['products', id, 'brand'], 'brand', brand)]),
      ...(known.categories.has(category)
        ? []
        : [unknown(['products', id, 'category'], 'category', category)]),
      ...tags
        .filter((tag) => !known.tags.has(tag))
        .map((tag) => unknown(['products', id, 'tags'], 'tag', tag)),
    ]),
  ];
}

/** A SKU may move from a product that is given without it. `given`: all products of the import; by default `products`. */
export async function takenSkus(
  reader: Reader,
  products: readonly ProductInput[],
  given: ReadonlySet<string> = new Set(idsOf(products)),
): Promise<Problem[]> {
  const owners = new Map<string, string>();
  const problems: Problem[] = [];
  for (const { id, skus } of products) {
    for (const { sku } of skus) {
      const other = owners.get(sku);
      if (other !== undefined && other !== id)
        problems.push(problem(['products', id, 'skus', sku], 'problem.sku.shared', { product: other }));
      owners.set(sku, id);
    }
  }
  for (const { sku, product } of await ownersOf(reader, [...owners.keys()])) {
    const id = owners.get(sku);
    if (id !== undefined && product !== id && !given.has(product))
      problems.push(problem(['products', id, 'skus', sku], 'problem.sku.taken', { product }));
  }
  return problems;
}

/** `also.skus`: those that products have once the import is done. */
export async function groupProblemsIn(
  reader: Reader,
  groups: readonly ModifierGroupInput[],
  also: Pick<AlsoKnown, 'modifierGroups' | 'skus'>,
): Promise<Problem[]> {
  if (groups.length === 0) return [];
  const owned = await ownersOf(
    reader,
    groups.flatMap(({ modifiers }) => modifiers?.flatMap(({ sku }) => sku ?? []) ?? []),
  );
  const skus = new Set([...also.skus, ...owned.map(({ sku }) => sku)]);
  return groupProblems(groups, { stored: await allGroups(reader), also: also.modifierGroups, skus });
}

export async function storedGroupProblems(reader: Reader): Promise<Problem[]> {
  const groups = await allGroups(reader);
  const byId = new Map(groups.map((group) => [group.id, group]));
  const products = await productsWithGroups(reader);
  return [
    ...(await groupProblemsIn(reader, groups, { modifierGroups: new Set(), skus: new Set() })),
    ...products.flatMap(({ id, modifierGroups }) =>
      productGroupProblems(modifierGroups, byId).map((each) => ({
        ...each,
        path: ['products', id, ...each.path],
      })),
    ),
  ];
}

/** With the SKUs that products lose although a modifier takes them. `inFile`: groups that are written before the products. */
export async function groupUseProblems(
  reader: Reader,
  products: readonly ProductInput[],
  inFile: readonly ModifierGroupInput[] = [],
  also: ReadonlySet<string> = new Set(),
): Promise<Problem[]> {
  const groups = new Map([...(await allGroups(reader)), ...inFile].map((group) => [group.id, group]));
  const takers = new Map(
    [...groups.values()].flatMap(({ id, modifiers }) => modifiers.map(({ sku }) => [sku, id] as const)),
  );
  const given = new Set(products.flatMap(({ skus }) => skus.map(({ sku }) => sku)));
  const taken = await ownersOf(
    reader,
    [...takers.keys()].flatMap((sku) => sku ?? []),
  );
  return products.flatMap(({ id, modifierGroups = [] }) => [
    ...productGroupProblems(modifierGroups, groups, also).map((each) => ({
      ...each,
      path: ['products', id, ...each.path],
    })),
    ...taken
      .filter(({ sku, product }) => product === id && !given.has(sku))
      .map(({ sku }) =>
        problem(['products', id, 'skus', sku], 'problem.group.takes', { group: takers.get(sku) ?? '' }),
      ),
  ]);
}

function unknown(path: readonly string[], kind: Kind, id: string): Problem {
  return problem(path, 'problem.reference', { kind, found: shown(id) });
}

function idsOf(entries: readonly { id: string }[]): string[] {
  return entries.map(({ id }) => id);
}

function repeatedIds(part: string, entries: readonly { id: string }[]): Problem[] {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const { id } of entries) (seen.has(id) ? repeated : seen).add(id);
  return [...repeated].map((id) => problem([part, id], 'problem.repeated'));
}

function locationProblems({ products, stock }: CatalogueInput, locations: ReadonlySet<string>): Problem[] {
  const unknownIn = (path: readonly string[], levels: Readonly<Record<string, number>>) =>
    Object.keys(levels)
      .filter((place) => !locations.has(place))
      .map((place) => problem([...path, place], 'problem.location', { allowed: [...locations].join(', ') }));
  return [
    ...products.flatMap(({ id, skus }) =>
      skus.flatMap(({ sku, stock: levels }) => unknownIn(['products', id, 'skus', sku, 'stock'], levels)),
    ),
    ...Object.entries(stock).flatMap(([sku, levels]) => unknownIn(['stock', sku], levels)),
  ];
}

/** Products lose the SKUs they are given without. */
async function unknownStockSkus(
  reader: Reader,
  { products, stock }: CatalogueInput,
  also: ReadonlySet<string>,
): Promise<Problem[]> {
  const given = new Set(idsOf(products));
  const named = new Set(products.flatMap(({ skus }) => skus.map(({ sku }) => sku)));
  const others = Object.keys(stock).filter((sku) => !named.has(sku) && !also.has(sku));
  const owners = new Map((await ownersOf(reader, others)).map(({ sku, product }) => [sku, product]));
  return others
    .filter((sku) => !owners.has(sku) || given.has(owners.get(sku) ?? ''))
    .map((sku) => problem(['stock', sku], 'problem.stock.sku'));
}

/** Unknown parents, and categories that are too deep or below themselves. `alsoKnown` parents count as top ones. */
export function treeProblems(
  taxonomy: Pick<Taxonomy, 'categories'>,
  inputs: readonly CategoryInput[],
  alsoKnown: ReadonlySet<string> = new Set(),
): Problem[] {
  const categories = new Map<string, { id: string; parentId: string | null }>(taxonomy.categories);
  const problems: Problem[] = [];
  const given = new Set(inputs.map(({ id }) => id));
  for (const { id, parent } of inputs) {
    if (parent !== null && !categories.has(parent)) {
      if (given.has(parent))
        problems.push(problem(['categories', id, 'parent'], 'problem.category.late', { category: parent }));
      else if (!alsoKnown.has(parent))
        problems.push(unknown(['categories', id, 'parent'], 'category', parent));
    }
    categories.set(id, { id, parentId: parent });
  }
  for (const { id } of inputs) {
    let depth = 0;
    for (let next = categories.get(id); next && depth <= categoryDepth; depth++) {
      next = next.parentId === null ? undefined : categories.get(next.parentId);
    }
    if (depth > categoryDepth)
      problems.push(problem(['categories', id], 'problem.category.deep', { levels: categoryDepth }));
  }
  return problems;
}
