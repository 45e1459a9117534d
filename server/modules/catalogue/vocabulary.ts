/** Updates the search vocabulary as products are listed and unlisted. */
import type { Database, Trx } from '#db/database.ts';
import { addTermCounts } from './search/vocabulary.repository.ts';

export interface VocabularyChange {
  /** Counts the words of one product, given with their stems; `by` is 1 if it is listed and -1 if it is unlisted. */
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
      const changed = [...changes].filter(([, { by }]) => by !== 0);
      await addTermCounts(
        db,
        trx,
        changed.map(([term, { stem, by }]) => ({ term, stem, by })),
      );
    },
  };
}
