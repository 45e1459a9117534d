/** Cached in memory until they change. */
import Type, { type TSchema } from 'typebox';
import { emailIds } from '#contract/emails.ts';
import { offerLocales } from '#contract/locales.ts';
import { sellIn } from '#contract/money.ts';
import { type Problem, problem, shown } from '#contract/problems.ts';
import type { DocumentName } from '#contract/staff/document-names.ts';
import {
  isFraction,
  isTaxedTwice,
  type TaxRates,
  type TaxRegistration,
  taxNames,
} from '#contract/tax-rates.ts';
import { recordCatalogueChange } from '#db/catalogue-version.ts';
import type { Database, Reader } from '#db/database.ts';
import { type Change, changedFields, noteDocument } from '#server/modules/changes/index.ts';
import { keyOf } from '#server/platform/actors.ts';
import { AppError, InputError } from '#server/platform/errors.ts';
import { offeredProvinces } from '#server/platform/provinces.ts';
import { cachedByTopics, topics } from '#server/platform/recorded-reads.ts';
import { knownFields, schemaProblems } from '#server/platform/schema-problems.ts';
import { emailOf, emailsProblems, ownEmails } from './emails.ts';
import { lookOf, lookProblems } from './look.ts';
import { isMoreSetting, moreSettingsOf } from './more-settings.ts';
import { isNavigationPlace, navigationOf, withoutNavigation } from './navigation.ts';
import { readSettings, writeSetting } from './settings.repository.ts';
import { defaultSettings, type SettingKey, ShopSettings } from './settings.schema.ts';

export type SettingsService = ReturnType<typeof createSettingsService>;

export function createSettingsService({ db }: { db: Database }) {
  const read = cachedByTopics(db, [topics.settings], () => load(db.read));
  const all = async () => {
    const settings = await read();
    offerLocales(settings.languages);
    sellIn(settings.currency);
    return settings;
  };
  return {
    /** As of the call, with defaults for fields that were never set. Also makes the process offer their languages. */
    all,
    /** As of `reader`, for use inside a transaction. */
    read: load,
    /** The others stay. @throws {InputError} naming every problem, with none changed */
    async update(change: Change, changes: Partial<ShopSettings>): Promise<void> {
      const problems = settingsProblems(changes);
      if (problems.length > 0) throw new InputError(problems);
      const { trx, note, actor } = change;
      const before = await load(trx);
      if (
        keyOf(actor) !== null &&
        (changes.keyRefundCents ?? before.keyRefundCents) !== before.keyRefundCents
      )
        throw new AppError('FORBIDDEN', { errorKey: 'staff.key.ownLimit' });
      const after = { ...before, ...changes, ...(changes.emails && { emails: ownEmails(changes.emails) }) };
      const keys = Object.keys(changes) as SettingKey[];
      for (const key of keys) {
        await writeSetting(trx, key, after[key]);
        const beside = besideDocuments(key);
        if (beside) note('setting', key, changedFields({ [key]: beside(before) }, { [key]: beside(after) }));
      }
      for (const { kind, of } of documentsOf(keys)) noteDocument(change, kind, of(before), of(after));
      if (changes.emails) noteEmails(change, before, after);
      await recordCatalogueChange(trx, [topics.settings]);
      // If the transaction does not commit, the next `all` takes it back.
      if (changes.languages) offerLocales(changes.languages);
      if (changes.currency) sellIn(changes.currency);
    },
  };
}

/** The documents that settings are a part of, which have a history of their own, whoever changes them. */
function documentsOf(
  keys: readonly SettingKey[],
): { kind: DocumentName; of(settings: ShopSettings): { id: string } }[] {
  return [
    ...(keys.includes('look') ? [{ kind: 'look' as const, of: lookOf }] : []),
    ...keys.filter(isNavigationPlace).map((place) => ({
      kind: 'navigation' as const,
      of: (settings: ShopSettings) => navigationOf(settings, place),
    })),
    ...(keys.some(isMoreSetting) ? [{ kind: 'settings' as const, of: moreSettingsOf }] : []),
  ];
}

/** Each email whose texts are others now. */
function noteEmails(change: Change, before: ShopSettings, after: ShopSettings): void {
  const changed = emailIds
    .map(emailOf)
    .filter((of) => JSON.stringify(of(before)) !== JSON.stringify(of(after)));
  for (const of of changed) noteDocument(change, 'email', of(before), of(after));
  if (changed.length === 0) change.note('setting', 'emails', []);
}

/** Reads what of a setting is in none of them; null: nothing is. */
function besideDocuments(key: SettingKey): ((settings: ShopSettings) => unknown) | null {
  if (key === 'look' || key === 'emails' || isMoreSetting(key)) return null;
  return isNavigationPlace(key)
    ? (settings) => withoutNavigation(settings[key])
    : (settings) => settings[key];
}

async function load(reader: Reader): Promise<ShopSettings> {
  const stored = await readSettings(reader);
  const defaults: Readonly<Record<string, unknown>> = structuredClone(defaultSettings);
  // Another version of the program, or a brand, may have stored further ones, or further fields. Validated when written.
  const own = Object.entries<TSchema>(ShopSettings.properties).map(([key, schema]) => [
    key,
    // Each alone: removing a field takes long, and the others have none to remove.
    knownFields(schema, withDefaults(schema, stored.get(key), defaults[key])),
  ]);
  return Object.fromEntries(own) as ShopSettings;
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

/**
 * Settings that are left out are not checked. Unknown fields are no problem: another version of the program may have stored them.
 */
export function settingsProblems(settings: Readonly<Record<string, unknown>>): Problem[] {
  return Object.entries(settings).flatMap(([key, value]) => {
    const schema = Object.hasOwn(ShopSettings.properties, key)
      ? ShopSettings.properties[key as SettingKey]
      : undefined;
    if (!schema) return [problem(['settings', key], 'problem.unknownSetting')];
    const invalid = schemaProblems(schema, value, { closed: false });
    const problems = invalid.length > 0 ? invalid : (rules[key as SettingKey]?.(value as never) ?? []);
    return problems.map((each) => ({ ...each, path: ['settings', key, ...each.path] }));
  });
}

/** What a schema cannot state, by setting. */
const rules: { [Key in SettingKey]?: (value: ShopSettings[Key]) => Problem[] } = {
  languages: (codes) => repeated(codes),
  serviceCharge: ({ percent }) => rateProblems(['percent'], percent),
  tipPercentages: (percents) => percents.flatMap((percent, index) => fraction([String(index)], percent)),
  taxRates: (rates) => [...repeated(rates.map(({ provinceCode }) => provinceCode)), ...taxProblems(rates)],
  taxRegistrations: (all) => [...repeated(all.map(({ tax }) => tax)), ...all.flatMap(endsBeforeItBegins)],
  bookAccounts: (rows) => repeated(rows.map(({ id }) => id)),
  look: lookProblems,
  emails: emailsProblems,
  menus: (menus) => repeated(menus.map(({ id }) => id)),
  shippingMethods: (methods) => [
    ...repeated(methods.map(({ id }) => id)),
    ...methods.flatMap(methodProblems),
  ],
};

function repeated(names: readonly string[]): Problem[] {
  const twice = new Set(names.filter((name, index) => names.indexOf(name) !== index));
  return [...twice].map((name) => problem([], 'problem.repeatedEntry', { name }));
}

function taxProblems(rates: ShopSettings['taxRates']): Problem[] {
  const ofRates = (path: string[], rate: TaxRates) => [
    ...taxNames.flatMap((name) => rateProblems([...path, name], rate[name])),
    ...(isTaxedTwice(rate) ? [problem([...path, 'hstPercent'], 'problem.percent.hst')] : []),
  ];
  return rates.flatMap((rate, index) => {
    const { changes = [] } = rate;
    const place = [String(index), 'changes'];
    return [
      ...ofRates([String(index)], rate),
      ...repeated(changes.map(({ date }) => date)).map((each) => ({ ...each, path: place })),
      ...changes.flatMap((change, at) => ofRates([...place, String(at)], change)),
    ];
  });
}

function endsBeforeItBegins({ from, until }: TaxRegistration, index: number): Problem[] {
  const isReversed = from !== null && until !== null && until < from;
  return isReversed ? [problem([String(index), 'until'], 'problem.endsBefore', { from })] : [];
}

/** A rate is whole thousandths of a percent, and no fraction of one. */
function rateProblems(path: readonly string[], percent: number): Problem[] {
  const isWhole = Math.abs(percent * 1000 - Math.round(percent * 1000)) <= 1e-6;
  return isWhole
    ? fraction(path, percent)
    : [problem(path, 'problem.percent.decimals', { found: shown(percent) })];
}

function fraction(path: readonly string[], percent: number): Problem[] {
  const values = { percent: shown(percent), meant: Number((percent * 100).toFixed(3)) };
  return isFraction(percent) ? [problem(path, 'problem.percent.fraction', values)] : [];
}

/** What is missing is neither everywhere nor nowhere, and nothing is not an amount from which a parcel is free. */
function methodProblems(method: ShopSettings['shippingMethods'][number]): Problem[] {
  const { id, countries, freeOverCents, priceCents } = method;
  return [
    ...(countries.length === 0
      ? [problem([id, 'countries'], 'problem.country.none')]
      : unknownProvinces(method)),
    ...(freeOverCents === 0 && priceCents > 0
      ? [problem([id, 'freeOverCents'], 'problem.freeOver.zero')]
      : []),
  ];
}

function unknownProvinces({
  id,
  countries,
  provinceCodes,
}: ShopSettings['shippingMethods'][number]): Problem[] {
  const codes = countries.flatMap((country) => offeredProvinces(country).map(({ code }) => code));
  // The provinces of some countries are not known.
  if (countries.some((country) => offeredProvinces(country).length === 0)) return [];
  return provinceCodes
    .filter((code) => !codes.includes(code))
    .map((code) =>
      problem([id, 'provinceCodes'], 'problem.province', {
        country: countries.join(', '),
        found: shown(code),
        allowed: codes.join(', '),
      }),
    );
}
