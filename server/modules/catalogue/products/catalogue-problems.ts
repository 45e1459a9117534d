/** Says what is wrong with a part of a catalogue before any of it is written: references, names and the tree of categories. */
import type { Reader } from '#db/database.ts';
import type { MediaService } from '#server/modules/media/index.ts';
import type { ModifierGroupInput } from '../modifiers/modifier-group-input.ts';
import { allGroups, productsWithGroups } from '../modifiers/modifier-groups.repository.ts';
import { groupProblems, productGroupProblems } from '../modifiers/modifier-problems.ts';
import {
  type BrandInput,
  type CategoryInput,
  categoryDepth,
  loadTaxonomy,
  type TagInput,
  type Taxonomy,
} from '../taxonomy/taxonomy.ts';
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

/** What exists besides the input and the database, so that one mistake is not reported again wherever it is referred to. */
export interface AlsoKnown extends CatalogueIds {
  modifierGroups: ReadonlySet<string>;
  locations: ReadonlySet<string>;
  skus: ReadonlySet<string>;
}

/**
 * Lists every problem of the input, each with the id of its entry; empty if all of it can be written. Images are not checked.
 */
export async function catalogueProblems(
  reader: Reader,
  media: MediaService,
  input: CatalogueInput,
  also: AlsoKnown,
): Promise<string[]> {
  const taxonomy = await loadTaxonomy(reader, media);
  const known: CatalogueIds = {
    brands: new Set([...taxonomy.brands.keys(), ...also.brands, ...idsOf(input.brands)]),
    categories: new Set([...taxonomy.categories.keys(), ...also.categories, ...idsOf(input.categories)]),
    tags: new Set([...taxonomy.tags.keys(), ...also.tags, ...idsOf(input.tags)]),
  };
  return [
    ...repeatedIds('brand', input.brands),
    ...repeatedIds('category', input.categories),
    ...repeatedIds('tag', input.tags),
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
export function referenceProblems(products: readonly ProductInput[], known: CatalogueIds): string[] {
  return [
    ...repeatedIds('product', products),
    ...products.flatMap(({ id, brand, category, tags }) => [
      ...(known.brands.has(brand) ? [] : [`product ${id}: unknown brand ${brand}`]),
      ...(known.categories.has(category) ? [] : [`product ${id}: unknown category ${category}`]),
      ...tags.filter((tag) => !known.tags.has(tag)).map((tag) => `product ${id}: unknown tag ${tag}`),
    ]),
  ];
}

/**
 * SKUs that two products name. A SKU may move to another product if its present one is given without it.
 * @param given the ids of all products that the import gives; by default, those of `products`
 */
export async function takenSkus(
  reader: Reader,
  products: readonly ProductInput[],
  given: ReadonlySet<string> = new Set(idsOf(products)),
): Promise<string[]> {
  const owners = new Map<string, string>();
  const problems: string[] = [];
  for (const { id, skus } of products) {
    for (const { sku } of skus) {
      const other = owners.get(sku);
      if (other !== undefined && other !== id) problems.push(`product ${id}: ${sku} is a SKU of ${other}, too`);
      owners.set(sku, id);
    }
  }
  for (const { sku, product } of await ownersOf(reader, [...owners.keys()])) {
    const id = owners.get(sku);
    if (id !== undefined && product !== id && !given.has(product))
      problems.push(`product ${id}: ${sku} is a SKU of ${product} in the shop`);
  }
  return problems;
}

/** The problems of modifier groups. `also.skus`: those that products have once the import is done. */
export async function groupProblemsIn(
  reader: Reader,
  groups: readonly ModifierGroupInput[],
  also: Pick<AlsoKnown, 'modifierGroups' | 'skus'>,
): Promise<string[]> {
  if (groups.length === 0) return [];
  const owned = await ownersOf(
    reader,
    groups.flatMap(({ modifiers }) => modifiers?.flatMap(({ sku }) => sku ?? []) ?? []),
  );
  const skus = new Set([...also.skus, ...owned.map(({ sku }) => sku)]);
  return groupProblems(groups, { stored: await allGroups(reader), also: also.modifierGroups, skus });
}

/** What is wrong with the modifier groups of the shop, and with what its products say of them. */
export async function storedGroupProblems(reader: Reader): Promise<string[]> {
  const groups = await allGroups(reader);
  const byId = new Map(groups.map((group) => [group.id, group]));
  const products = await productsWithGroups(reader);
  return [
    ...(await groupProblemsIn(reader, groups, { modifierGroups: new Set(), skus: new Set() })),
    ...products.flatMap(({ id, modifierGroups }) =>
      productGroupProblems(modifierGroups, byId).map((problem) => `product ${id}: ${problem}`),
    ),
  ];
}

/**
 * What products say of modifier groups and cannot, and SKUs that they lose although a modifier takes them.
 * @param inFile the groups that are written before the products
 */
export async function groupUseProblems(
  reader: Reader,
  products: readonly ProductInput[],
  inFile: readonly ModifierGroupInput[] = [],
  also: ReadonlySet<string> = new Set(),
): Promise<string[]> {
  const groups = new Map([...(await allGroups(reader)), ...inFile].map((group) => [group.id, group]));
  const takers = new Map([...groups.values()].flatMap(({ id, modifiers }) => modifiers.map(({ sku }) => [sku, id] as const)));
  const given = new Set(products.flatMap(({ skus }) => skus.map(({ sku }) => sku)));
  const taken = await ownersOf(
    reader,
    [...takers.keys()].flatMap((sku) => sku ?? []),
  );
  return products.flatMap(({ id, modifierGroups = [] }) => [
    ...productGroupProblems(modifierGroups, groups, also).map((problem) => `product ${id}: ${problem}`),
    ...taken
      .filter(({ sku, product }) => product === id && !given.has(sku))
      .map(({ sku }) => `product ${id}: the modifier group ${takers.get(sku)} takes ${sku}, so it must stay a SKU`),
  ]);
}

function idsOf(entries: readonly { id: string }[]): string[] {
  return entries.map(({ id }) => id);
}

function repeatedIds(kind: string, entries: readonly { id: string }[]): string[] {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const { id } of entries) (seen.has(id) ? repeated : seen).add(id);
  return [...repeated].map((id) => `${kind} ${id}: given twice`);
}

function locationProblems({ products, stock }: CatalogueInput, locations: ReadonlySet<string>): string[] {
  const unknown = (levels: Readonly<Record<string, number>>) => Object.keys(levels).filter((place) => !locations.has(place));
  const allowed = [...locations].join(', ');
  return [
    ...products.flatMap(({ id, skus }) =>
      skus.flatMap(({ sku, stock: levels }) =>
        unknown(levels).map((place) => `product ${id}: ${sku} has stock at the unknown location ${place}, allowed: ${allowed}`),
      ),
    ),
    ...Object.entries(stock).flatMap(([sku, levels]) =>
      unknown(levels).map((place) => `stock: ${sku} has the unknown location ${place}, allowed: ${allowed}`),
    ),
  ];
}

/** Stock of SKUs that neither the input nor the shop has once the input is written: products lose the SKUs they are given without. */
async function unknownStockSkus(
  reader: Reader,
  { products, stock }: CatalogueInput,
  also: ReadonlySet<string>,
): Promise<string[]> {
  const given = new Set(idsOf(products));
  const named = new Set(products.flatMap(({ skus }) => skus.map(({ sku }) => sku)));
  const others = Object.keys(stock).filter((sku) => !named.has(sku) && !also.has(sku));
  const owners = new Map((await ownersOf(reader, others)).map(({ sku, product }) => [sku, product]));
  return others.filter((sku) => !owners.has(sku) || given.has(owners.get(sku) ?? '')).map((sku) => `stock: unknown SKU ${sku}`);
}

/** Categories whose parent is unknown, and those that are too deep or below themselves. `alsoKnown` parents count as top ones. */
export function treeProblems(
  taxonomy: Pick<Taxonomy, 'categories'>,
  inputs: readonly CategoryInput[],
  alsoKnown: ReadonlySet<string> = new Set(),
): string[] {
  const categories = new Map<string, { id: string; parentId: string | null }>(taxonomy.categories);
  const problems: string[] = [];
  const given = new Set(inputs.map(({ id }) => id));
  for (const { id, parent } of inputs) {
    if (parent !== null && !categories.has(parent)) {
      if (given.has(parent))
        problems.push(`category ${id}: its parent ${parent} comes later, allowed: parents before their children`);
      else if (!alsoKnown.has(parent)) problems.push(`category ${id}: unknown parent category ${parent}`);
    }
    categories.set(id, { id, parentId: parent });
  }
  for (const { id } of inputs) {
    let depth = 0;
    for (let next = categories.get(id); next && depth <= categoryDepth; depth++) {
      next = next.parentId === null ? undefined : categories.get(next.parentId);
    }
    if (depth > categoryDepth) problems.push(`category ${id}: deeper than ${categoryDepth} levels, or below itself`);
  }
  return problems;
}
