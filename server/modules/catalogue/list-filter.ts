/** Resolves the filter of a list to scopes. */
import type { Query } from '#contract/endpoints.ts';
import { capacityRanges, type FilterRange, filterColourNames, formatFilterRange } from '#contract/list-filters.ts';
import { notFound } from '#server/platform/errors.ts';
import { filterBits } from './filter-scopes.ts';
import { flagBits } from './product.ts';
import { scopeNames, type Taxonomy, withDescendants } from './taxonomy.ts';

export type ListFilter = Omit<Query<'productCount'>, 'lang'>;

/** What a scope restricts a list by. */
export type FilterKind = 'all' | 'category' | 'brand' | 'tag' | 'flag' | 'price' | 'capacity' | 'colour' | 'store';

/** One scope that a list is restricted to, and its condition inside another scope. */
export interface ScopeFilter {
  kind: FilterKind;
  scopeId: number;
  /** The number of products in it. */
  count: number;
  /** SQL on a row of `listings` of any scope, with its parameters. */
  condition: { text: string; parameters: (string | number)[] };
}

const always = { text: '1 = 1', parameters: [] };
type Condition = ScopeFilter['condition'];
type Add = (kind: FilterKind, name: string, condition: Condition) => void;

/**
 * All scopes of a filter; the single scope 'all' if it is empty.
 * @throws {AppError} 404 for unknown names and ranges
 */
export function scopeFilters(filter: ListFilter, taxonomy: Taxonomy): ScopeFilter[] {
  const made: ScopeFilter[] = [];
  const add: Add = (kind, name, condition) => {
    const { id, count } = taxonomy.scopes.get(name) ?? { id: 0, count: 0 };
    made.push({ kind, scopeId: id, count, condition });
  };
  addNamed(filter, taxonomy, add);
  addDerived(filter, taxonomy, add);
  const flag = (name: 'sale' | 'clearance' | 'new') => add('flag', scopeNames[name], hasBit(flagBits[name]));
  if (filter.onSale) flag('sale');
  if (filter.clearance) flag('clearance');
  if (filter.newArrival) flag('new');
  if (made.length === 0) add('all', scopeNames.all, always);
  return made;
}

function addNamed({ categoryName, brandName, tagName }: ListFilter, taxonomy: Taxonomy, add: Add): void {
  const scopeId = (name: string) => taxonomy.scopes.get(name)?.id ?? 0;
  if (categoryName !== undefined) {
    if (!taxonomy.categories.has(categoryName)) throw notFound();
    const below = withDescendants(taxonomy, categoryName).map((id) => scopeId(scopeNames.category(id)));
    add('category', scopeNames.category(categoryName), {
      text: `category_scope in (${below.map(() => '?').join(', ')})`,
      parameters: below,
    });
  }
  if (brandName !== undefined) {
    if (!taxonomy.brands.has(brandName)) throw notFound();
    const name = scopeNames.brand(brandName);
    add('brand', name, { text: 'brand_scope = ?', parameters: [scopeId(name)] });
  }
  if (tagName !== undefined) {
    if (!taxonomy.tags.has(tagName)) throw notFound();
    const text = 'exists (select 1 from product_tags t where t.product_no = listings.product_no and t.tag_id = ?)';
    add('tag', scopeNames.tag(tagName), { text, parameters: [tagName] });
  }
}

/** The filters that follow from a product's own data. */
function addDerived({ priceRange, capacityRange, colour, localStoreName }: ListFilter, taxonomy: Taxonomy, add: Add): void {
  if (priceRange !== undefined) {
    const index = indexOfRange(taxonomy.priceRanges, priceRange);
    add('price', `price:${priceRange}`, hasBit(filterBits.price(index)));
  }
  if (capacityRange !== undefined) {
    const index = indexOfRange(capacityRanges, capacityRange);
    add('capacity', `capacity:${capacityRange}`, hasBit(filterBits.capacity(index)));
  }
  if (colour !== undefined) {
    const index = (filterColourNames as readonly string[]).indexOf(colour);
    if (index < 0) throw notFound();
    add('colour', `colour:${colour}`, hasBit(filterBits.colour(index)));
  }
  if (localStoreName !== undefined) {
    const text = 'exists (select 1 from product_stores t where t.product_no = listings.product_no and t.store_id = ?)';
    add('store', scopeNames.store(localStoreName), { text, parameters: [localStoreName] });
  }
}

function indexOfRange(ranges: readonly FilterRange[], range: string): number {
  const index = ranges.findIndex((each) => formatFilterRange(each) === range);
  if (index < 0) throw notFound();
  return index;
}

function hasBit(bit: number): Condition {
  return { text: '(flags & ?) <> 0', parameters: [bit] };
}

/** The smallest scope, which is scanned, and the conditions of the others. */
export function splitScopeFilters(confined: readonly ScopeFilter[]): {
  scope: ScopeFilter;
  text: string;
  parameters: (string | number)[];
} {
  const [scope, ...others] = confined.toSorted((a, b) => a.count - b.count);
  if (!scope) throw new Error('A list has at least one scope');
  return {
    scope,
    text: others.map(({ condition }) => ` and ${condition.text}`).join(''),
    parameters: others.flatMap(({ condition }) => condition.parameters),
  };
}
