/**
 * Checks a shop for problems that its merchant should fix: missing files, missing translations and content that cannot be shown.
 */
import { access } from 'node:fs/promises';
import { localeCodes } from '#contract/locales.ts';
import { sellsAt } from '#contract/rules/method.ts';
import type { Database } from '#db/database.ts';
import { parsed, validateBlocks, validateParts } from '#server/modules/content/index.ts';
import { offeredProvinces } from '#server/modules/customers/index.ts';
import { createVideos, originalPath } from '#server/modules/media/index.ts';
import { isTaxable, taxTableOf } from '#server/modules/pricing/index.ts';
import { createSettingsService } from '#server/modules/settings/index.ts';
import { storesIn } from '#server/modules/stores/index.ts';
import type { Env } from '#server/platform/env.ts';
import { importedPictures, type Written, writtenThings } from './diagnostics.repository.ts';
import { picturesIn, untranslatedIn, videosIn } from './inspect.ts';

export interface Findings {
  /** Images, videos and subtitles, such as `product speckled-mug: mug.jpg has not been imported`. */
  missingFiles: string[];
  /** Such as `page home: blocks.welcome.title has no zh`. */
  missingTranslations: string[];
  /** Such as `page home: welcome cannot be shown (/title …)`. */
  notShown: string[];
  /** Such as `Ontario: nothing can be ordered at toronto-queen-west`. */
  untaxed: string[];
  /** The number of records checked. */
  checked: number;
}

export interface DiagnosticsService {
  /** Reads the whole catalogue, which takes seconds in a large shop. Writes nothing. */
  run(): Promise<Findings>;
}

export function createDiagnosticsService({ db, env }: { db: Database; env: Pick<Env, 'dataDir'> }): DiagnosticsService {
  return {
    async run() {
      const findings: Findings = {
        missingFiles: [],
        missingTranslations: [],
        notShown: [],
        untaxed: await untaxedIn(db),
        checked: 0,
      };
      const films = createVideos(env);
      const imported = new Set<string>();
      for (const picture of await importedPictures(db.read)) {
        imported.add(picture.file);
        const there = await access(originalPath(picture, env.dataDir)).then(
          () => true,
          () => false,
        );
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
        for (const problem of notShownOf(written)) findings.notShown.push(`${name}: ${problem}`);
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

/** Blocks of a page and parts of a post that this version of the program leaves out. */
function notShownOf({ kind, values }: Written): string[] {
  if (kind === 'page') {
    const { rejected, unknown } = validateBlocks(parsed(String(values.blocks)));
    return [
      ...rejected.map(({ id, problem }) => `${id} cannot be shown (${problem})`),
      ...unknown.map(({ id, type }) => `${id} cannot be shown (unknown block type ${type})`),
    ];
  }
  if (kind !== 'post') return [];
  return validateParts(parsed(String(values.parts))).rejected.map((number) => `part ${number} cannot be shown`);
}
