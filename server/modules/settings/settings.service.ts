/** Cached in memory until they change. */
import Type, { type TSchema } from 'typebox';
import Value from 'typebox/value';
import { offerLocales } from '#contract/locales.ts';
import { recordCatalogueChange } from '#db/catalogue-version.ts';
import type { Database, Reader } from '#db/database.ts';
import { type Change, changedFields } from '#server/modules/changes/index.ts';
import { InputError } from '#server/platform/errors.ts';
import { cachedByTopics } from '#server/platform/recorded-reads.ts';
import { topics } from '#server/platform/topics.ts';
import { readSettings, writeSetting } from './settings.repository.ts';
import { defaultSettings, type SettingKey, ShopSettings } from './settings.schema.ts';
import { settingsProblems } from './settings-problems.ts';

export type SettingsService = ReturnType<typeof createSettingsService>;

export function createSettingsService({ db }: { db: Database }) {
  const read = cachedByTopics(db, [topics.settings], () => load(db.read));
  const all = async () => {
    const settings = await read();
    offerLocales(settings.languages);
    return settings;
  };
  return {
    /** As of the call, with defaults for fields that were never set. Also makes the process offer their languages. */
    all,
    /** As of `reader`, for use inside a transaction. */
    read: load,
    /** The others stay. @throws {InputError} naming every problem, with none changed */
    async update({ trx, note }: Change, changes: Partial<ShopSettings>): Promise<void> {
      const problems = settingsProblems(changes);
      if (problems.length > 0) throw new InputError(problems);
      const before = await load(trx);
      for (const [key, value] of Object.entries(changes)) {
        await writeSetting(trx, key, value);
        note('setting', key, changedFields({ [key]: before[key as SettingKey] }, { [key]: value }));
      }
      await recordCatalogueChange(trx, [topics.settings]);
      // If the transaction does not commit, the next `all` takes it back.
      if (changes.languages) offerLocales(changes.languages);
    },
  };
}

async function load(reader: Reader): Promise<ShopSettings> {
  const stored = Object.fromEntries(await readSettings(reader));
  // Validated when written; another version of the program may have stored further fields.
  return Value.Clean(ShopSettings, withDefaults(ShopSettings, stored, structuredClone(defaultSettings))) as ShopSettings;
}

/** At any depth: an older version stored a setting without later fields. Missing translations stay missing. */
function withDefaults(schema: TSchema, stored: unknown, fallback: unknown): unknown {
  if (stored === undefined) return fallback;
  if (!Type.IsObject(schema) || !isRecord(stored) || !isRecord(fallback)) return stored;
  const missing = Object.entries(schema.properties).flatMap(([key, inner]) =>
    Type.IsOptional(inner) ? [] : [[key, withDefaults(inner, stored[key], fallback[key])] as const],
  );
  return { ...stored, ...Object.fromEntries(missing) };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
