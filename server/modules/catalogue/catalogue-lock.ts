/** The lock that every change of the catalogue holds until the end of its transaction. */
import type { Database, Trx } from '#db/database.ts';

/** Waits until no other transaction changes the catalogue. Take it after the rows of `stock`, which sales lock first. */
export function lockCatalogue(db: Database, trx: Trx): Promise<void> {
  return db.queries.lock(trx, 'catalogue');
}
