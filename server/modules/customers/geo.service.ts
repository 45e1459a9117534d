import { countryCodes, countryName } from '#contract/countries.ts';
import { inLocale, type Locale, localeCodes, locales } from '#contract/locales.ts';
import type { Country, Province } from '#contract/schemas/shop.ts';
import type { SettingsService, ShopSettings } from '#server/modules/settings/index.ts';
import { notFound } from '#server/platform/errors.ts';
import { offeredProvinces } from '#server/platform/provinces.ts';

export type GeoService = ReturnType<typeof createGeoService>;

export function createGeoService({ settings }: { settings: SettingsService }) {
  return {
    /** In the merchant's order. */
    async countries(): Promise<Country[]> {
      const { countries } = await settings.all();
      return countries.map(({ countryISOCode, name }) => ({ id: countryISOCode, countryISOCode, nameContent: name }));
    },
    /** Named in `locale`. Empty for a country without known provinces. @throws {AppError} 404 if the code is not a country's */
    async provinces(countryCode: string, locale: Locale): Promise<Province[]> {
      const code = countryCode.toUpperCase();
      if (!everyCountry((await settings.all()).countries).some((country) => country.countryISOCode === code)) throw notFound();
      const collator = new Intl.Collator(locales[locale].tag);
      return offeredProvinces(code)
        .map((row) => ({ id: row.code, provinceName: inLocale(row.name, locale), nameContent: row.name }))
        .sort((a, b) => collator.compare(a.provinceName, b.provinceName));
    },
  };
}

type Countries = ShopSettings['countries'];

let all: Countries | undefined;
/** By the merchant's list, which stays the same object until the settings change. */
const everyByServed = new WeakMap<Countries, Countries>();

/** Those that the shop ships to come first, with the merchant's names. */
export function everyCountry(served: Countries): Countries {
  const found = everyByServed.get(served) ?? withTheOthers(served);
  everyByServed.set(served, found);
  return found;
}

function withTheOthers(served: Countries): Countries {
  all ??= countryCodes.map((code) => ({
    countryISOCode: code,
    name: {
      en: countryName(code, 'en'),
      ...Object.fromEntries(localeCodes.map((locale) => [locale, countryName(code, locale)])),
    },
  }));
  const codes = new Set(served.map(({ countryISOCode }) => countryISOCode));
  return [...served, ...all.filter(({ countryISOCode }) => !codes.has(countryISOCode))];
}
