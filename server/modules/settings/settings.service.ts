/** The shop's settings, typed. Cached in memory for as long as the catalogue version stands. */
import Value from 'typebox/value';
import { bumpCatalogueVersion } from '#db/catalogue-version.ts';
import type { Database, Reader, Trx } from '#db/database.ts';
import { taxTableOf } from '#server/modules/pricing/index.ts';
import { cachedByCatalogueVersion } from '#server/platform/cached-by-version.ts';
import { readSettings, writeSetting } from './settings.repository.ts';
import { defaultSettings, type SettingKey, ShopSettings } from './settings.schema.ts';

export type SettingsService = ReturnType<typeof createSettingsService>;

export function createSettingsService({ db }: { db: Database }) {
  const all = cachedByCatalogueVersion(db, () => load(db.catalogue));
  return {
    /** The settings as of the catalogue version, with defaults for fields that were never set. */
    all,
    /** As of `reader`, for use inside a transaction. */
    read: load,
    /** Changes the given settings and leaves the rest. @throws TypeError naming the field that is invalid, with none changed. */
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
  const entries = Object.entries(changes) as [SettingKey, unknown][];
  for (const [key, value] of entries) check(key, value);
  return entries;
}

async function write(trx: Trx, entries: readonly [SettingKey, unknown][]): Promise<void> {
  for (const [key, value] of entries) await writeSetting(trx, key, value);
  await bumpCatalogueVersion(trx);
}

async function load(reader: Reader): Promise<ShopSettings> {
  const stored = await readSettings(reader);
  const entries = Object.entries(defaultSettings).map(([key, fallback]) => [key, stored.get(key) ?? fallback]);
  // Validated when written.
  return Object.fromEntries(entries) as ShopSettings;
}

function check(key: SettingKey, value: unknown): void {
  const schema = ShopSettings.properties[key];
  if (!schema) throw new TypeError(`Unknown setting: ${key}`);
  const [error] = Value.Errors(schema, value);
  if (error) throw new TypeError(`Setting ${key}${error.instancePath}: ${error.message}`);
  if (key === 'taxRates') checkRates(value as ShopSettings['taxRates']);
}

function checkRates(rates: ShopSettings['taxRates']): void {
  try {
    taxTableOf(rates);
  } catch (error) {
    throw new TypeError(`Setting taxRates: ${error instanceof Error ? error.message : error}, at most three decimals`);
  }
}
