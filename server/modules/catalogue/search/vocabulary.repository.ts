/** The words of listed products, for completing and correcting queries. */
import { insertMany } from '#db/bulk-writes.ts';
import type { Database, Reader, Trx } from '#db/database.ts';
import { type Candidate, trigrams } from './correction.ts';

export interface KnownWord {
  term: string;
  stem: string;
  products: number;
}

export async function wordsWithStem(db: Reader, stems: readonly string[]): Promise<KnownWord[]> {
  if (stems.length === 0) return [];
  return await db.selectFrom('search_terms').selectAll().where('stem', 'in', stems).execute();
}

export function wordsBeginning(db: Reader, beginning: string, limit: number): Promise<KnownWord[]> {
  return db
    .selectFrom('search_terms')
    .selectAll()
    .where('term', '>=', beginning)
    .where('term', '<', `${beginning}\u{10ffff}`)
    .orderBy('products', 'desc')
    .orderBy('term')
    .limit(limit)
    .execute();
}

/** They share the most trigrams with `word`; always in the same order. */
export async function wordsLike(db: Reader, word: string, limit: number): Promise<Candidate[]> {
  return await db
    .selectFrom('search_trigrams')
    .innerJoin('search_terms', 'search_terms.term', 'search_trigrams.term')
    .select(['search_terms.term', 'search_terms.products'])
    .where('trigram', 'in', trigrams(word))
    .groupBy(['search_terms.term', 'search_terms.products'])
    .orderBy((eb) => eb.fn.countAll(), 'desc')
    .orderBy('search_terms.products', 'desc')
    .orderBy('search_terms.term')
    .limit(limit)
    .execute();
}

/** Numbers and words of one or two letters are never offered as a correction. */
const correctable = /^\p{L}{3,}$/u;

/** Words that no product has any more are deleted. */
export async function addTermCounts(
  db: Database,
  trx: Trx,
  terms: readonly { term: string; stem: string; by: number }[],
): Promise<void> {
  // The same order for all writers, so that two of them cannot deadlock.
  const changes = terms.toSorted((a, b) => (a.term < b.term ? -1 : 1));
  await insertMany(db, trx, {
    into: 'search_terms',
    columns: ['term', 'stem', 'products'],
    rows: changes.map(({ term, stem, by }) => [term, stem, by]),
    suffix: 'on conflict (term) do update set products = search_terms.products + excluded.products',
  });
  const added = changes.filter(({ term, by }) => by > 0 && correctable.test(term));
  await insertMany(db, trx, {
    into: 'search_trigrams',
    columns: ['trigram', 'term'],
    rows: added.flatMap(({ term }) => trigrams(term).map((trigram) => [trigram, term])),
    suffix: 'on conflict do nothing',
  });
  if (changes.some(({ by }) => by < 0)) await deleteUnusedTerms(trx);
}

async function deleteUnusedTerms(trx: Trx): Promise<void> {
  const unused = await trx.selectFrom('search_terms').select('term').where('products', '<=', 0).execute();
  for (const { term } of unused) {
    await trx
      .deleteFrom('search_trigrams')
      .where('trigram', 'in', trigrams(term))
      .where('term', '=', term)
      .execute();
    await trx.deleteFrom('search_terms').where('term', '=', term).execute();
  }
}
