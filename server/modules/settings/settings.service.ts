/** The shop's settings, typed. Cached in memory until they change. */
import Value from 'typebox/value';
import { recordCatalogueChange } from '#db/catalogue-version.ts';
import type { Database, Reader, Trx } from '#db/database.ts';
import { cachedByTopics } from '#server/platform/cached-by-topics.ts';
import { topics } from '#server/platform/topics.ts';
import { readSettings, writeSetting } from './settings.repository.ts';
import { defaultSettings, type SettingKey, ShopSettings } from './settings.schema.ts';
import { settingsProblems } from './settings-problems.ts';

export type SettingsService = ReturnType<typeof createSettingsService>;

export function createSettingsService({ db }: { db: Database }) {
  const all = cachedByTopics(db, [topics.settings], () => load(db.catalogue));
  return {
    /** The settings as of the call, with defaults for fields that were never set. */
    all,
    /** As of `reader`, for use inside a transaction. */
    read: load,
    /** Changes the given settings and leaves the rest. @throws {TypeError} naming every problem, with none changed */
    async update(changes: Partial<ShopSettings>): Promise<void> {
      const entries = checked(changes);
      await db.transaction((trx) => write(trx, entries));
    },
    /** Like `update`, in the transaction of the caller. */
    async updateIn(trx: Trx, changes: Partial<ShopSettings>): Promise<void> {
      await write(trx, checked(changes));
    },
  };
}

function checked(changes: Partial<ShopSettings>): [SettingKey, unknown][] {
  const problems = settingsProblems(changes);
  if (problems.length > 0) throw new TypeError(problems.join('\n'));
  return Object.entries(changes) as [SettingKey, unknown][];
}

async function write(trx: Trx, entries: readonly [SettingKey, unknown][]): Promise<void> {
  for (const [key, value] of entries) await writeSetting(trx, key, value);
  await recordCatalogueChange(trx, [topics.settings]);
}

async function load(reader: Reader): Promise<ShopSettings> {
  const stored = await readSettings(reader);
  const entries = Object.entries(defaultSettings).map(([key, fallback]) => [key, stored.get(key) ?? fallback]);
  // Validated when written; another version of the program may have stored further fields.
  return Value.Clean(ShopSettings, Object.fromEntries(structuredClone(entries))) as ShopSettings;
}
