/** Reading the catalogue's own vocabulary. */
import type { Reader } from '#db/database.ts';
import { type Candidate, trigrams } from './correction.ts';

export interface KnownWord {
  term: string;
  stem: string;
  products: number;
}

/** Words that have one of these stems. */
export async function wordsWithStem(db: Reader, stems: readonly string[]): Promise<KnownWord[]> {
  if (stems.length === 0) return [];
  return await db.selectFrom('search_terms').selectAll().where('stem', 'in', stems).execute();
}

/** The most frequent words that begin so. */
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

/** Words that share the most trigrams with `word`. */
export async function wordsLike(db: Reader, word: string, limit: number): Promise<Candidate[]> {
  return await db
    .selectFrom('search_trigrams')
    .innerJoin('search_terms', 'search_terms.term', 'search_trigrams.term')
    .select(['search_terms.term', 'search_terms.products'])
    .where('trigram', 'in', trigrams(word))
    .groupBy(['search_terms.term', 'search_terms.products'])
    .orderBy((eb) => eb.fn.countAll(), 'desc')
    .orderBy('search_terms.products', 'desc')
    .limit(limit)
    .execute();
}
