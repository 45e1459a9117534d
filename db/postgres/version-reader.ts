/** Reads what has changed in the catalogue, for which almost every request waits: requests that arrive together share a round trip. */
import type { CatalogueChange, ChangeTracker } from '../change-tracker.ts';
import { freshReader } from '../fresh-reader.ts';
import { nameOf } from './dialect.ts';
import type { CatalogueClient } from './replica.ts';

const versionQuery = 'select version from catalogue_version where id = 1';
const changesQuery = 'select version, topics from catalogue_changes where version > $1 order by version';

/** Returns a function that lets `tracker` learn of every change committed before its call, and returns the version. */
export function versionReader(
  source: { connect(): Promise<CatalogueClient>; readonly pooler?: boolean },
  tracker: ChangeTracker,
): () => Promise<number> {
  // Prepared, the query takes the server two thirds of the time. A pooler may be in between, which knows no prepared statements.
  const name = (source.pooler ?? true) ? undefined : nameOf(versionQuery);

  async function learn(client: CatalogueClient): Promise<number> {
    const { rows } = await client.query<[number]>({ text: versionQuery, rowMode: 'array', ...(name ? { name } : {}) });
    const version = rows[0]?.[0] ?? 0;
    const known = tracker.version ?? version;
    tracker.advance(version, version === known ? [] : (await client.query<CatalogueChange>(changesQuery, [known])).rows);
    client.shows?.(tracker.version ?? 0);
    return version;
  }

  return freshReader(
    async () => {
      const client = await source.connect();
      let broken = true;
      try {
        const version = await learn(client);
        broken = false;
        return version;
      } finally {
        client.release(broken);
      }
    },
    { gathers: true },
  );
}
