/** Resolves the filter of a list to scopes. */
import type { Query } from '#contract/endpoints.ts';
import { notFound } from '#server/platform/errors.ts';
import { flagBits } from './product.ts';
import { scopeNames, type Taxonomy, withDescendants } from './taxonomy.ts';

export type ListFilter = Omit<Query<'productCount'>, 'lang'>;

/** One scope that a list is restricted to, and its condition inside another scope. */
export interface ScopeFilter {
  kind: 'all' | 'category' | 'brand' | 'tag' | 'flag';
  scopeId: number;
  /** The number of products in it. */
  count: number;
  /** SQL on a row of `listings` of any scope, with its parameters. */
  condition: { text: string; parameters: (string | number)[] };
}

const always = { text: '1 = 1', parameters: [] };

/**
 * All scopes of a filter; the single scope 'all' if it is empty.
 * @throws {AppError} 404 for unknown names
 */
export function scopeFilters(filter: ListFilter, taxonomy: Taxonomy): ScopeFilter[] {
  const scope = (name: string) => taxonomy.scopes.get(name) ?? { id: 0, count: 0 };
  const made: ScopeFilter[] = [];
  const add = (kind: ScopeFilter['kind'], name: string, condition: ScopeFilter['condition']) => {
    const { id, count } = scope(name);
    made.push({ kind, scopeId: id, count, condition });
  };
  const { categoryName, brandName, tagName } = filter;
  if (categoryName !== undefined) {
    if (!taxonomy.categories.has(categoryName)) throw notFound();
    const below = withDescendants(taxonomy, categoryName).map((id) => scope(scopeNames.category(id)).id);
    add('category', scopeNames.category(categoryName), {
      text: `category_scope in (${below.map(() => '?').join(', ')})`,
      parameters: below,
    });
  }
  if (brandName !== undefined) {
    if (!taxonomy.brands.has(brandName)) throw notFound();
    add('brand', scopeNames.brand(brandName), { text: 'brand_scope = ?', parameters: [scope(scopeNames.brand(brandName)).id] });
  }
  if (tagName !== undefined) {
    if (!taxonomy.tags.has(tagName)) throw notFound();
    const text = 'exists (select 1 from product_tags t where t.product_no = listings.product_no and t.tag_id = ?)';
    add('tag', scopeNames.tag(tagName), { text, parameters: [tagName] });
  }
  const flag = (name: 'sale' | 'clearance' | 'new') =>
    add('flag', scopeNames[name], { text: '(flags & ?) <> 0', parameters: [flagBits[name]] });
  if (filter.onSale) flag('sale');
  if (filter.clearance) flag('clearance');
  if (filter.newArrival) flag('new');
  if (made.length === 0) add('all', scopeNames.all, always);
  return made;
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
