/** Keeping the catalogue's own vocabulary in step with its products (for completing and correcting what is typed). */

import { insertMany } from '#db/bulk-writes.ts';
import type { Database, Trx } from '#db/database.ts';
import { trigrams } from './search/correction.ts';

/** Numbers and single letters are not corrected to. */
const correctable = /^\p{L}{3,}$/u;

export interface VocabularyChange {
  /** `words` are those of one product, to their stems; `by` is 1 when it comes and -1 when it goes. */
  count(words: ReadonlyMap<string, string>, by: 1 | -1): void;
  write(db: Database, trx: Trx): Promise<void>;
}

export function vocabularyChange(): VocabularyChange {
  const changes = new Map<string, { stem: string; by: number }>();
  return {
    count(words, by) {
      for (const [term, stem] of words) {
        const change = changes.get(term);
        if (change) change.by += by;
        else changes.set(term, { stem, by });
      }
    },
    async write(db, trx) {
      // Always in the same order, so that two writers do not wait for each other.
      const changed = [...changes].filter(([, { by }]) => by !== 0).sort(([a], [b]) => (a < b ? -1 : 1));
      await insertMany(
        db,
        trx,
        'search_terms',
        ['term', 'stem', 'products'],
        changed.map(([term, { stem, by }]) => [term, stem, by]),
        'on conflict (term) do update set products = search_terms.products + excluded.products',
      );
      const added = changed.filter(([term, { by }]) => by > 0 && correctable.test(term));
      await insertMany(
        db,
        trx,
        'search_trigrams',
        ['trigram', 'term'],
        added.flatMap(([term]) => trigrams(term).map((trigram) => [trigram, term])),
        'on conflict do nothing',
      );
      if (changed.some(([, { by }]) => by < 0)) await sweep(trx);
    },
  };
}

/** Forgets words that no product has any more. */
async function sweep(trx: Trx): Promise<void> {
  const gone = await trx.selectFrom('search_terms').select('term').where('products', '<=', 0).execute();
  for (const { term } of gone) {
    await trx.deleteFrom('search_trigrams').where('trigram', 'in', trigrams(term)).where('term', '=', term).execute();
    await trx.deleteFrom('search_terms').where('term', '=', term).execute();
  }
}
