/** Queries the `geocoded_addresses` table. */
import type { Database, Reader } from '#db/database.ts';
import type { Point } from '#server/modules/stores/index.ts';

/** What is known of an address at `now` (epoch ms); null if nothing is. */
export async function findGeocoded(
  db: Reader,
  hash: string,
  now: number,
): Promise<{ point: Point | null } | null> {
  const row = await db
    .selectFrom('geocoded_addresses')
    .select(['lat', 'lng'])
    .where('address_hash', '=', hash)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  if (!row) return null;
  return { point: row.lat === null || row.lng === null ? null : { lat: row.lat, lng: row.lng } };
}

export async function putGeocoded(
  db: Database,
  hash: string,
  point: Point | null,
  expiresAt: number,
): Promise<void> {
  const found = { lat: point?.lat ?? null, lng: point?.lng ?? null, expires_at: expiresAt };
  await db.transaction((trx) =>
    trx
      .insertInto('geocoded_addresses')
      .values({ address_hash: hash, ...found })
      .onConflict((conflict) => conflict.column('address_hash').doUpdateSet(found))
      .execute(),
  );
}

export async function deleteExpiredGeocoded(db: Database, now: number): Promise<void> {
  await db.transaction((trx) =>
    trx.deleteFrom('geocoded_addresses').where('expires_at', '<=', now).execute(),
  );
}
