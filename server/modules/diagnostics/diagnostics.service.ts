/**
 * Checks a shop for problems that its merchant should fix: missing files, missing translations and content that cannot be shown.
 */
import { localeCodes } from '#contract/locales.ts';
import { parseOptionPairs } from '#contract/option-pairs.ts';
import { sellsAt } from '#contract/rules/method.ts';
import type { Database } from '#db/database.ts';
import { type StoredOptions, skuOptionProblems } from '#server/modules/catalogue/index.ts';
import { type Collections, pageProblems, parsed, validateParts } from '#server/modules/content/index.ts';
import { createMediaStorage, createOriginals, createVideos } from '#server/modules/media/index.ts';
import { isTaxable, taxTableOf } from '#server/modules/pricing/index.ts';
import { createSettingsService, settingsProblems } from '#server/modules/settings/index.ts';
import { storedStoreProblems, storesIn } from '#server/modules/stores/index.ts';
import type { Env } from '#server/platform/env.ts';
import { offeredProvinces } from '#server/platform/provinces.ts';
import { importedPictures, type Written, writtenThings } from './diagnostics.repository.ts';
import { picturesIn, untranslatedIn, videosIn } from './inspect.ts';

export interface Findings {
  /** Images, videos and subtitles, such as `product speckled-mug: mug.jpg has not been imported`. */
  missingFiles: string[];
  /** Such as `page home: blocks.welcome.title has no zh`. */
  missingTranslations: string[];
  /** Such as `page home: welcome cannot be shown (/title …)`. */
  notShown: string[];
  /** What the settings, stores and products break of the rules of imports, such as `store main-street: /timeZone must be …`. */
  invalid: string[];
  /** Such as `Ontario: nothing can be ordered at toronto-queen-west`. */
  untaxed: string[];
  /** The number of records checked. */
  checked: number;
}

export function createDiagnosticsService({ db, env }: { db: Database; env: Pick<Env, 'dataDir' | 'mediaStore'> }) {
  return {
    /** Reads the whole catalogue, which takes seconds in a large shop. Writes nothing. */
    async run(): Promise<Findings> {
      const findings: Findings = {
        missingFiles: [],
        missingTranslations: [],
        notShown: [],
        invalid: [...settingsProblems(await createSettingsService({ db }).all()), ...(await storedStoreProblems(db.read))],
        untaxed: await untaxedIn(db),
        checked: 0,
      };
      const collections = { brand: new Set<string>(), category: new Set<string>(), tag: new Set<string>() };
      const storage = createMediaStorage(env);
      const originals = createOriginals(storage);
      const films = createVideos(storage);
      const imported = new Set<string>();
      for (const picture of await importedPictures(db.read)) {
        imported.add(picture.file);
        const there = await originals.exists(picture);
        if (!there) findings.missingFiles.push(`${picture.file}: the original file is missing`);
      }
      for await (const written of writtenThings(db.read)) {
        const { kind, id, values } = written;
        const name = id ? `${kind} ${id}` : kind;
        findings.checked += 1;
        for (const file of picturesIn(values)) {
          if (!imported.has(file)) findings.missingFiles.push(`${name}: ${file} has not been imported`);
        }
        for (const file of videosIn(values)) {
          if ((await films.address(file)) === null) findings.missingFiles.push(`${name}: ${file} is not in media/films`);
        }
        for (const { path, locale } of untranslatedIn(values, localeCodes)) {
          findings.missingTranslations.push(`${name}: ${path} has no ${locale}`);
        }
        // Brands, categories and tags come before the pages that name them.
        if (kind === 'brand' || kind === 'category' || kind === 'tag') collections[kind].add(id);
        for (const problem of contentProblems(written, collections)) findings.notShown.push(`${name}: ${problem}`);
        for (const problem of optionProblems(written)) findings.invalid.push(`${name}: ${problem}`);
      }
      return findings;
    },
  };
}

/** Provinces of the tax table's country that have no tax rate, though orders are shipped there or handed over in a store. */
async function untaxedIn(db: Database): Promise<string[]> {
  const { taxRates, countries, checkoutConfig, shippingMethods } = await createSettingsService({ db }).all();
  const selling = (await storesIn(db.read)).filter((store) => sellsAt({ ...store, localStoreName: store.id }, checkoutConfig));
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
      .map(({ id, address }) => `${address.province}: nothing can be ordered at ${id}`),
    ...countries.flatMap(({ countryISOCode }) =>
      offeredProvinces(countryISOCode)
        .filter(({ code }) => isShippedTo(countryISOCode, code) && missing(countryISOCode, code))
        .map(({ name }) => `${name.en}: nothing can be shipped there`),
    ),
  ];
}

/** What is wrong with a page, and the parts of a post that this version of the program leaves out. */
function contentProblems({ kind, id, values }: Written, collections: Collections): string[] {
  if (kind === 'page') return pageProblems({ name: id, blocks: parsed(String(values.blocks)) }, { collections, closed: false });
  if (kind !== 'post') return [];
  return validateParts(parsed(String(values.parts))).rejected.map((number) => `part ${number} cannot be shown`);
}

/** Option values of a product's SKUs that the product does not have. */
function optionProblems({ values, skus }: Written): string[] {
  if (!skus) return [];
  // Validated when they were written.
  const options = parsed(String(values.options)) as StoredOptions;
  return skuOptionProblems({
    options,
    skus: skus.map(({ sku, optionPairs }) => ({ sku, options: Object.fromEntries(parseOptionPairs(optionPairs) ?? []) })),
  });
}
