/** Finds the topics that a change of a product touches, by comparing what was listed before and after. */
import { isDeepStrictEqual } from 'node:util';
import { topics } from '#server/platform/topics.ts';
import { type ListingRecord, sortKeys } from './listing-record.ts';
import { type CatalogueProduct, searchTexts } from './product.ts';
import type { ProductRow } from './product-loader.repository.ts';
import type { Taxonomy } from './taxonomy.ts';

/** What is stored about a product besides its own row. */
export interface DerivedParts {
  /** Ids of the products that it names as related, in order. */
  related: readonly string[];
  /** Its cards as JSON, which show images as they were when it was written. */
  cards: readonly string[];
}

/** A product's row without what follows from other data. */
export type MerchantData = Omit<ProductRow, 'listing' | 'sold_out' | 'updated_at'>;

export interface ProductState {
  facts: CatalogueProduct;
  /** The merchant's data, also what no page shows yet. */
  row: MerchantData;
  derived: DerivedParts;
  /** Null while it is in no list. */
  record: ListingRecord | null;
}

/** The topics that differ; none if nobody can see the change. `before` is undefined for a new product. */
export function touchedTopics(before: ProductState | undefined, after: ProductState, taxonomy: Taxonomy): string[] {
  if (before && isDeepStrictEqual(before, after)) return [];
  return [
    topics.product(after.facts.no),
    ...listTopics(before?.record ?? null, after.record),
    ...(isFoundAlike(before, after, taxonomy) ? [] : [topics.search]),
  ];
}

/** The lists that the product entered or left, and those in which it may have moved. */
export function listTopics(before: ListingRecord | null, after: ListingRecord | null): string[] {
  const keysBefore = new Map(before ? sortKeys(before) : []);
  const keysAfter = new Map(after ? sortKeys(after) : []);
  const sorts = [...new Set([...keysBefore.keys(), ...keysAfter.keys()])];
  const moved = sorts.filter((sort) => keysBefore.get(sort) !== keysAfter.get(sort));
  const scopes = new Set([...(before?.scopes ?? []), ...(after?.scopes ?? [])]);
  const touched = [...scopes].flatMap((scope) => {
    const stays = before?.scopes.includes(scope) && after?.scopes.includes(scope);
    return (stays ? moved : sorts).map((sort) => topics.list(scope, sort));
  });
  return isDeepStrictEqual(before?.scopes, after?.scopes) ? touched : [...touched, topics.counts];
}

/** Whether the same searches find the product, at the same place. */
function isFoundAlike(before: ProductState | undefined, after: ProductState, taxonomy: Taxonomy): boolean {
  const [was, is] = [before?.record ?? null, after.record];
  if (!before || !was || !is) return was === is;
  if (was.key !== is.key || !isDeepStrictEqual(was.scopes, is.scopes)) return false;
  return isDeepStrictEqual(searchTexts(before.facts, taxonomy), searchTexts(after.facts, taxonomy));
}
