/** Typed addresses are looked up in the shop's lists of countries and provinces. */
import { countryCodes, countryName } from '#contract/countries.ts';
import type { FieldErrors } from '#contract/errors.ts';
import {
  canonicalText,
  inLocale,
  type Locale,
  localeCodes,
  locales,
  type MessageKey,
} from '#contract/locales.ts';
import { type AddressRules, addressErrors, readPostCode, streetOf } from '#contract/rules/address.ts';
import { isBlank, isClean } from '#contract/rules/fields.ts';
import type { Address, AddressInput, Contact, ContactInput } from '#contract/schemas/order.ts';
import type { AddressForm, Country, Province } from '#contract/schemas/shop.ts';
import type { SettingsService, ShopSettings } from '#server/modules/settings/index.ts';
import { addressForm, addressRules } from '#server/platform/address-forms.ts';
import { notFound } from '#server/platform/errors.ts';
import { findProvince, offeredProvinces } from '#server/platform/provinces.ts';
import { oneLine } from '#server/platform/text.ts';

/** Country and province were found in the shop's lists. */
export interface ResolvedAddress extends Address {
  /** Such as 'ON'; null if the province has no code. */
  provinceCode: string | null;
}

type AddressResult = { address: ResolvedAddress } | { errors: FieldErrors };

type Needs = (input: AddressInput, prefix: string, rules?: AddressRules | null) => FieldErrors;

/**
 * Finds the country among `countries` (by code or by name in any language), reports what its addresses need (SPEC §5), and finds the
 * province among that country's. Field names get the `prefix`; `unknown` is the message for another country.
 */
export function resolveAddress(
  input: AddressInput,
  countries: ShopSettings['countries'],
  prefix = 'address',
  needs: Needs = addressErrors,
  unknown: MessageKey = 'rule.countryNotServed',
): AddressResult {
  const wanted =
    (isBlank(input.countryISOCode) ? input.country : input.countryISOCode)?.trim().toLowerCase() ?? '';
  const country = countries.find(({ countryISOCode, name }) =>
    [countryISOCode, ...Object.values(name)].some((text) => text.toLowerCase() === wanted),
  );
  const rules = country ? addressRules(country.countryISOCode) : null;
  const province =
    country && !isBlank(input.province) ? findProvince(country.countryISOCode, input.province ?? '') : null;
  const errors = needs(province ? { ...input, province: province.code } : input, prefix, rules);
  if (wanted !== '' && !country) errors[`${prefix}.countryISOCode`] = unknown;
  if (rules && !province && !isBlank(input.province) && rules.provinces.length > 0)
    errors[`${prefix}.province`] = 'rule.provinceUnknown';
  if (!isClean(errors) || !country) return { errors };
  return {
    address: {
      streetNumberAndNameDetails: oneLine(streetOf(input)),
      city: trimmed(input.city),
      province: province ? canonicalText(province.name) : trimmed(input.province),
      provinceCode: province?.code ?? null,
      postCode:
        (rules?.postCode && readPostCode(input.postCode ?? '', rules.postCode)) ?? trimmed(input.postCode),
      country: canonicalText(country.name),
      countryISOCode: country.countryISOCode,
      addressDescription: trimmed(input.addressDescription),
      contactPhone: trimmed(input.contactPhone),
    },
  };
}

/** In any country, including those that the shop does not ship to. */
export function readBillingAddress(
  input: AddressInput,
  served: ShopSettings['countries'],
  prefix = 'billingAddress',
  needs: Needs = addressErrors,
): AddressResult {
  return resolveAddress(input, everyCountry(served), prefix, needs, 'rule.countryUnknown');
}

export function normalizeContact(input: ContactInput): Contact {
  return {
    firstName: trimmed(input.firstName),
    lastName: trimmed(input.lastName),
    phoneNumber: trimmed(input.phoneNumber),
    email: trimmed(input.email),
  };
}

function trimmed(text: string | undefined): string {
  return oneLine(text ?? '');
}

export type GeoService = ReturnType<typeof createGeoService>;

export function createGeoService({ settings }: { settings: SettingsService }) {
  async function known(countryCode: string): Promise<string> {
    const code = countryCode.toUpperCase();
    if (everyCountry((await settings.all()).countries).some(({ countryISOCode }) => countryISOCode === code))
      return code;
    throw notFound();
  }
  return {
    /** @throws {AppError} 404 if the code is not a country's */
    addressForm: async (countryCode: string, locale: Locale): Promise<AddressForm> =>
      addressForm(await known(countryCode), locale),
    /** In the merchant's order. */
    async countries(): Promise<Country[]> {
      const { countries } = await settings.all();
      return countries.map(({ countryISOCode, name }) => ({
        id: countryISOCode,
        countryISOCode,
        nameContent: name,
      }));
    },
    /** Named in `locale`. Empty for a country without known provinces. @throws {AppError} 404 if the code is not a country's */
    async provinces(countryCode: string, locale: Locale): Promise<Province[]> {
      const code = await known(countryCode);
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
function everyCountry(served: Countries): Countries {
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
