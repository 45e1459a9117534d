/** Missing files, missing translations, content that cannot be shown and probable mistakes. */
import { canonicalText, type Locale, localeCodes } from '#contract/locales.ts';
import { currencyDigits } from '#contract/money.ts';
import { parseOptionPairs } from '#contract/option-pairs.ts';
import { type Problem, problem } from '#contract/problems.ts';
import { sellsAt } from '#contract/rules/method.ts';
import type { StoredOptions } from '#contract/schemas/product.ts';
import type { Database, Reader } from '#db/database.ts';
import { skuOptionProblems, storedGroupProblems } from '#server/modules/catalogue/index.ts';
import type { ConnectionsService } from '#server/modules/connections/index.ts';
import {
  type Collections,
  decodedPath,
  leadsNowhere,
  linksInText,
  pageFolders,
  pageProblems,
  parsed,
  pathOf,
  validateParts,
} from '#server/modules/content/index.ts';
import { createMediaStorage, createOriginals, createVideos } from '#server/modules/media/index.ts';
import { keyModes, type PaymentKeys } from '#server/modules/payments/index.ts';
import { isTaxable, taxTableOf } from '#server/modules/pricing/index.ts';
import {
  createRedirects,
  createSettingsService,
  type ShopSettings,
  settingsProblems,
} from '#server/modules/settings/index.ts';
import { type Store, shopTimeZone, storedStoreProblems, storesIn } from '#server/modules/stores/index.ts';
import type { Env } from '#server/platform/env.ts';
import { picturesInHtml } from '#server/platform/html.ts';
import { offeredProvinces } from '#server/platform/provinces.ts';
import { isoTime, wallClock } from '#server/platform/time-zone.ts';
import { type CheckedShop, checkShop, type Finding } from './checks.ts';
import {
  importedPictures,
  ordersInHundredths,
  publishedSkus,
  unreadableRows,
  type Written,
  writtenThings,
} from './diagnostics.repository.ts';

export interface DiagnosticsDeps {
  db: Database;
  env: CheckedShop['env'] & Pick<Env, 'dataDir' | 'mediaStore'>;
  connections: Pick<ConnectionsService<PaymentKeys>, 'current' | 'problems'>;
  /** Left out, it is that of the machine. */
  now?: () => number;
}

export function createDiagnosticsService({ db, env, connections, now = Date.now }: DiagnosticsDeps) {
  return {
    /** Takes seconds in a large shop. Writes nothing. Returns the number of records read, too. */
    async run(): Promise<{ findings: Finding[]; checked: number }> {
      const findings: Finding[] = [];
      const fail = (key: string, values: Finding['values']) => findings.push({ key, level: 'fail', values });
      const broken = (key: string, problem: Problem) =>
        findings.push({ key, level: 'fail', values: {}, problem });
      for await (const { table, id } of unreadableRows(db.read))
        fail('data.unreadable', { where: `${table} ${id}` });
      const settings = await createSettingsService({ db }).all();
      const stores = await storesIn(db.read);
      const stored = [...(await storedStoreProblems(db.read)), ...(await storedGroupProblems(db.read))];
      for (const problem of [...settingsProblems(settings), ...stored]) broken('rule', problem);
      for (const values of untaxedIn(settings, stores))
        fail(values.where ? 'tax.store' : 'tax.shipping', values);
      const known = {
        brand: new Set<string>(),
        category: new Set<string>(),
        tag: new Set<string>(),
        'modifier group': new Set<string>(),
      };
      const pages = new Set<string>();
      const redirected = new Set<string>();
      const links: { where: string; link: string }[] = [];
      const storage = createMediaStorage(env);
      const originals = createOriginals(storage);
      const films = createVideos(storage);
      const imported = new Set<string>();
      for (const picture of await importedPictures(db.read)) {
        imported.add(picture.file);
        if (!(await originals.exists(picture))) fail('image.lost', { where: picture.file });
      }
      let checked = 0;
      for await (const written of writtenThings(db.read)) {
        const { kind, id, values } = written;
        const name = id ? `${kind} ${id}` : kind;
        checked += 1;
        for (const file of picturesIn(values))
          if (!imported.has(file)) fail('image.missing', { where: `${name}: ${file}` });
        for (const file of videosIn(values))
          if ((await films.address(file)) === null) fail('video.missing', { where: `${name}: ${file}` });
        for (const { path, locale } of untranslatedIn(values, settings.languages))
          fail('text.missing', { where: `${name}: ${path}`, locale });
        // Brands, categories and tags come before the pages that name them.
        if (Object.hasOwn(known, kind)) known[kind as keyof typeof known].add(id);
        if (values.published !== 0) pages.add(`${pageFolders[kind]}${id}`.toLowerCase());
        for (const { path, link } of linksIn(values)) links.push({ where: `${name}: ${path}`, link });
        for (const problem of contentProblems(written, known)) broken('content.hidden', problem);
        for (const problem of optionProblems(written)) broken('rule', problem);
      }
      for (const { from, to } of await createRedirects({ db }).all()) {
        links.push({ where: `redirect ${from}`, link: to });
        redirected.add(from);
      }
      for (const { where, link } of links)
        if (!redirected.has(decodedPath(pathOf(link)).toLowerCase()) && leadsNowhere(pathOf(link), pages))
          findings.push({ key: 'link.nowhere', level: 'warn', values: { where, link } });
      for (const values of await inHundredths(db.read, stores))
        findings.push({ key: 'money.hundredths', level: 'warn', values });
      const { category: categories, 'modifier group': modifierGroups } = known;
      const skus = await publishedSkus(db.read);
      const today = wallClock(now(), shopTimeZone(stores)).date;
      const inUse = { ...env, ...(await connections.current()) };
      const providers = keyModes(inUse).map(({ provider }) => provider);
      for (const { key, values } of await connections.problems())
        findings.push({ key, values, level: key === 'connections.openKey' ? 'warn' : 'fail' });
      findings.push(
        ...checkShop({ env: inUse, providers, settings, stores, skus, categories, modifierGroups, today }),
      );
      return { findings, checked };
    },
  };
}

/** Of currencies whose amounts read otherwise since. */
async function inHundredths(reader: Reader, stores: readonly Store[]): Promise<Finding['values'][]> {
  const found = await ordersInHundredths(reader);
  const zone = shopTimeZone(stores);
  return found
    .filter(({ currency }) => currencyDigits(currency) !== 2)
    .map(({ currency, count, until }) => ({ count, currency, until: isoTime(until, zone) }));
}

/** Without a tax rate, though orders are handed over in a store there (`where`) or shipped there. */
function untaxedIn(
  { taxRates, countries, checkoutConfig, shippingMethods }: ShopSettings,
  stores: readonly Store[],
): Finding['values'][] {
  const selling = stores.filter((store) => sellsAt({ ...store, localStoreName: store.id }, checkoutConfig));
  const table = taxTableOf(taxRates);
  const missing = (countryISOCode: string, provinceCode: string | null) =>
    !isTaxable({ countryISOCode, provinceCode }, table);
  const ways = checkoutConfig.domesticShippingEnabled ? shippingMethods : [];
  const isShippedTo = (country: string, province: string) =>
    ways.some(
      (way) =>
        way.countries.includes(country) &&
        (way.provinceCodes.length === 0 || way.provinceCodes.includes(province)),
    );
  return [
    ...selling
      .filter(({ address }) => missing(address.countryISOCode, address.provinceCode))
      .map(({ id, address }) => ({ where: id, province: address.province })),
    ...countries.flatMap(({ countryISOCode }) =>
      offeredProvinces(countryISOCode)
        .filter(({ code }) => isShippedTo(countryISOCode, code) && missing(countryISOCode, code))
        .map(({ name }) => ({ province: canonicalText(name) })),
    ),
  ];
}

/** And the parts of a post that this version of the program leaves out. */
function contentProblems({ kind, id, values }: Written, collections: Collections): Problem[] {
  if (kind === 'page')
    return pageProblems({ name: id, blocks: parsed(String(values.blocks)) }, { collections, closed: false });
  if (kind !== 'post') return [];
  return validateParts(parsed(String(values.parts))).rejected.map((index) =>
    problem(['posts', id, 'parts', String(index)], 'problem.part'),
  );
}

function optionProblems({ id, values, skus }: Written): Problem[] {
  if (!skus) return [];
  // Validated when they were written.
  const options = parsed(String(values.options)) as StoredOptions;
  return skuOptionProblems({
    options,
    skus: skus.map(({ sku, optionPairs }) => ({
      sku,
      options: Object.fromEntries(parseOptionPairs(optionPairs) ?? []),
    })),
  }).map((each) => ({ ...each, path: ['products', id, ...each.path] }));
}

const pictureName = /^[\w.-]+\.(?:jpe?g|png|webp|avif)$/i;
const filmName = /^[\w.-]+\.(?:mp4|webm|vtt)$/i;

/** In a value of any shape, including JSON in text columns. */
export function picturesIn(value: unknown): string[] {
  const inHtml: string[] = [];
  walk(value, '', (part) => {
    if (typeof part === 'string' && part.includes('<img')) inHtml.push(...picturesInHtml(part));
  });
  return [...new Set([...namesIn(value, pictureName), ...inHtml])];
}

export function videosIn(value: unknown): string[] {
  return namesIn(value, filmName);
}

/** Such as `/care`. */
function linksIn(value: unknown): { path: string; link: string }[] {
  const found: { path: string; link: string }[] = [];
  walk(value, '', (part, path) => {
    if (typeof part === 'string') for (const link of linksInText(part)) found.push({ path, link });
  });
  return found;
}

function namesIn(value: unknown, pattern: RegExp): string[] {
  const found = new Set<string>();
  walk(value, '', (part, path) => {
    // A block's id may look like a file name.
    if (typeof part === 'string' && pattern.test(part) && !/(?:^|\.)id$/.test(path)) found.add(part);
  });
  return [...found];
}

/** One language lacks them and another has them: texts (objects by language), and subtitles. */
export function untranslatedIn(
  value: unknown,
  locales: readonly Locale[],
): { path: string; locale: Locale }[] {
  const found: { path: string; locale: Locale }[] = [];
  walk(value, '', (part, path) => {
    if (!isObject(part)) return;
    const missing = isSubtitled(part)
      ? locales.filter((locale) => !part.captions.some(({ language }) => baseOf(language) === locale))
      : missingIn(part, locales);
    for (const locale of missing) found.push({ path: isSubtitled(part) ? `${path}.captions` : path, locale });
  });
  return found;
}

/** A text that is empty in every language lacks nothing. */
function missingIn(text: Record<string, unknown>, locales: readonly Locale[]): Locale[] {
  if (localeCodes.every((code) => isEmpty(text[code]))) return [];
  return locales.filter((locale) => isEmpty(text[locale]));
}

/** List entries are named by their own id if they have one: merchants do not count blocks. */
function walk(value: unknown, path: string, visit: (part: unknown, path: string) => void): void {
  const part = parsedJson(value);
  visit(part, path);
  if (typeof part !== 'object' || part === null) return;
  for (const [key, inner] of Object.entries(part)) {
    const name = (Array.isArray(part) && nameOf(inner)) || key;
    walk(inner, path ? `${path}.${name}` : name, visit);
  }
}

function nameOf(part: unknown): string | undefined {
  if (!isObject(part)) return undefined;
  return [part.id, part.name].find((name) => typeof name === 'string');
}

/** Texts that are no JSON stay as they are. */
function parsedJson(value: unknown): unknown {
  if (typeof value !== 'string' || !/^[[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** One of the shop's own videos, with subtitles in some language. */
function isSubtitled(part: Record<string, unknown>): part is { captions: { language: string }[] } {
  const { provider, captions } = part;
  return (
    provider === 'file' &&
    Array.isArray(captions) &&
    captions.length > 0 &&
    captions.every((track) => isObject(track) && typeof track.language === 'string')
  );
}

function baseOf(language: string): string {
  return language.split('-', 1)[0]?.toLowerCase() ?? '';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isEmpty(text: unknown): boolean {
  return Array.isArray(text) ? text.every(isEmpty) : typeof text !== 'string' || text.trim() === '';
}
