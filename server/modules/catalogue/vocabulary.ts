/** Updates the search vocabulary as products are listed and unlisted. */
import type { Database, Trx } from '#db/database.ts';
import { addTermCounts } from './search/vocabulary.repository.ts';

export function vocabularyChange() {
  const changes = new Map<string, { stem: string; by: number }>();
  return {
    /** Counts the words of one product, given with their stems; `by` is 1 if it is listed and -1 if it is unlisted. */
    count(words: ReadonlyMap<string, string>, by: 1 | -1): void {
      for (const [term, stem] of words) {
        const change = changes.get(term);
        if (change) change.by += by;
        else changes.set(term, { stem, by });
      }
    },
    async write(db: Database, trx: Trx): Promise<void> {
      const changed = [...changes].filter(([, { by }]) => by !== 0);
      await addTermCounts(
        db,
        trx,
        changed.map(([term, { stem, by }]) => ({ term, stem, by })),
      );
    },
  };
}
