/** Missing files, missing translations, content that cannot be shown and probable mistakes. */
import { canonicalText } from '#contract/locales.ts';
import { parseOptionPairs } from '#contract/option-pairs.ts';
import { type Problem, problem } from '#contract/problems.ts';
import { sellsAt } from '#contract/rules/method.ts';
import type { Database } from '#db/database.ts';
import { type StoredOptions, skuOptionProblems, storedGroupProblems } from '#server/modules/catalogue/index.ts';
import { type Collections, pageProblems, parsed, pathOf, takenPageNames, validateParts } from '#server/modules/content/index.ts';
import { createMediaStorage, createOriginals, createVideos } from '#server/modules/media/index.ts';
import { isTaxable, taxTableOf } from '#server/modules/pricing/index.ts';
import { createRedirects, createSettingsService, type ShopSettings, settingsProblems } from '#server/modules/settings/index.ts';
import { type Store, storedStoreProblems, storesIn } from '#server/modules/stores/index.ts';
import type { Env } from '#server/platform/env.ts';
import { offeredProvinces } from '#server/platform/provinces.ts';
import { type CheckedShop, checkShop, type Finding } from './checks.ts';
import { importedPictures, publishedSkus, type Written, writtenThings } from './diagnostics.repository.ts';
import { linksIn, picturesIn, untranslatedIn, videosIn } from './inspect.ts';

export interface DiagnosticsDeps {
  db: Database;
  env: CheckedShop['env'] & Pick<Env, 'dataDir' | 'mediaStore'>;
  providers: readonly string[];
}

export function createDiagnosticsService({ db, env, providers }: DiagnosticsDeps) {
  return {
    /** Takes seconds in a large shop. Writes nothing. Returns the number of records read, too. */
    async run(): Promise<{ findings: Finding[]; checked: number }> {
      const findings: Finding[] = [];
      const fail = (key: string, values: Finding['values']) => findings.push({ key, level: 'fail', values });
      const broken = (key: string, problem: Problem) => findings.push({ key, level: 'fail', values: {}, problem });
      const settings = await createSettingsService({ db }).all();
      const stores = await storesIn(db.read);
      const stored = [...(await storedStoreProblems(db.read)), ...(await storedGroupProblems(db.read))];
      for (const problem of [...settingsProblems(settings), ...stored]) broken('rule', problem);
      for (const values of untaxedIn(settings, stores)) fail(values.where ? 'tax.store' : 'tax.shipping', values);
      const known = {
        ...{ brand: new Set<string>(), category: new Set<string>(), tag: new Set<string>() },
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
        for (const file of picturesIn(values)) if (!imported.has(file)) fail('image.missing', { where: `${name}: ${file}` });
        for (const file of videosIn(values))
          if ((await films.address(file)) === null) fail('video.missing', { where: `${name}: ${file}` });
        for (const { path, locale } of untranslatedIn(values, settings.languages))
          fail('text.missing', { where: `${name}: ${path}`, locale });
        // Brands, categories and tags come before the pages that name them.
        if (Object.hasOwn(known, kind)) known[kind as keyof typeof known].add(id);
        if (values.published !== 0) pages.add(`${folders[kind]}${id}`.toLowerCase());
        for (const { path, link } of linksIn(values)) links.push({ where: `${name}: ${path}`, link });
        for (const problem of contentProblems(written, known)) broken('content.hidden', problem);
        for (const problem of optionProblems(written)) broken('rule', problem);
      }
      for (const { from, to } of await createRedirects({ db }).all()) {
        links.push({ where: `redirect ${from}`, link: to });
        redirected.add(from);
      }
      for (const { where, link } of links)
        if (!redirected.has(decoded(pathOf(link)).toLowerCase()) && leadsNowhere(pathOf(link), pages))
          findings.push({ key: 'link.nowhere', level: 'warn', values: { where, link } });
      const { category: categories, 'modifier group': modifierGroups } = known;
      const skus = await publishedSkus(db.read);
      findings.push(...checkShop({ env, providers, settings, stores, skus, categories, modifierGroups }));
      return { findings, checked };
    },
  };
}

/** Of the addresses of records that have pages. */
const folders: Readonly<Record<string, string>> = {
  ...{ product: '/product/', category: '/products/', brand: '/brand/', tag: '/tag/', page: '/page/' },
  ...{ post: '/blog/post/', 'blog category': '/blog/cat/', 'blog tag': '/blog/tag/' },
};

function leadsNowhere(path: string, pages: ReadonlySet<string>): boolean {
  const lower = decoded(path).toLowerCase();
  if (Object.values(folders).some((folder) => lower.startsWith(folder))) return !pages.has(lower);
  const [first = '', ...rest] = lower.slice(1).split('/');
  // The addresses below these are not records.
  if (['account', 'api', 'assets', 'cart', 'feeds', 'media', 'order', 'sitemap', 'table'].includes(first)) return false;
  // Feeds and other files, whose names have a dot, unlike those of pages.
  if (lower.includes('.')) return false;
  if (rest.length > 0) return true;
  return !['', 'contact', ...takenPageNames].some((name) => name.toLowerCase() === first) && !pages.has(`/page/${first}`);
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Without a tax rate, though orders are handed over in a store there (`where`) or shipped there. */
function untaxedIn(
  { taxRates, countries, checkoutConfig, shippingMethods }: ShopSettings,
  stores: readonly Store[],
): Finding['values'][] {
  const selling = stores.filter((store) => sellsAt({ ...store, localStoreName: store.id }, checkoutConfig));
  const table = taxTableOf(taxRates);
  const missing = (countryISOCode: string, provinceCode: string | null) => !isTaxable({ countryISOCode, provinceCode }, table);
  const ways = checkoutConfig.domesticShippingEnabled ? shippingMethods : [];
  const isShippedTo = (country: string, province: string) =>
    ways.some(
      (way) => way.countries.includes(country) && (way.provinceCodes.length === 0 || way.provinceCodes.includes(province)),
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
  if (kind === 'page') return pageProblems({ name: id, blocks: parsed(String(values.blocks)) }, { collections, closed: false });
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
    skus: skus.map(({ sku, optionPairs }) => ({ sku, options: Object.fromEntries(parseOptionPairs(optionPairs) ?? []) })),
  }).map((each) => ({ ...each, path: ['products', id, ...each.path] }));
}
