/** Typed addresses are looked up in the shop's lists of countries and provinces. */
import type { FieldErrors } from '#contract/errors.ts';
import { canonicalText, type MessageKey } from '#contract/locales.ts';
import { addressErrors, billingAddressErrors, streetOf } from '#contract/rules/address.ts';
import { isBlank, isClean } from '#contract/rules/fields.ts';
import type { Address, AddressInput, Contact, ContactInput } from '#contract/schemas/order.ts';
import type { ShopSettings } from '#server/modules/settings/index.ts';
import { findProvince, offeredProvinces } from '#server/platform/provinces.ts';
import { oneLine } from '#server/platform/text.ts';
import { everyCountry } from './geo.service.ts';

/** Country and province were found in the shop's lists. */
export interface ResolvedAddress extends Address {
  /** Such as 'ON'; null if the province has no code. */
  provinceCode: string | null;
}

export type AddressResult = { address: ResolvedAddress } | { errors: FieldErrors };

/**
 * Reports missing `needs` (SPEC §5), then finds the country among `countries` (by code or by name in any language) and the
 * province among that country's. Field names get the `prefix`; `unknown` is the message for another country.
 */
export function resolveAddress(
  input: AddressInput,
  countries: ShopSettings['countries'],
  prefix = 'address',
  needs: (input: AddressInput, prefix: string) => FieldErrors = addressErrors,
  unknown: MessageKey = 'rule.countryNotServed',
): AddressResult {
  const errors = needs(input, prefix);
  const wanted = (isBlank(input.countryISOCode) ? input.country : input.countryISOCode)?.trim().toLowerCase() ?? '';
  const country = countries.find(({ countryISOCode, name }) =>
    [countryISOCode, ...Object.values(name)].some((text) => text.toLowerCase() === wanted),
  );
  if (wanted !== '' && !country) errors[`${prefix}.countryISOCode`] = unknown;
  const province = country && !isBlank(input.province) ? findProvince(country.countryISOCode, input.province ?? '') : null;
  const listed = country && offeredProvinces(country.countryISOCode).length > 0;
  if (listed && !province && !isBlank(input.province)) errors[`${prefix}.province`] = 'rule.provinceUnknown';
  if (!isClean(errors) || !country) return { errors };
  return {
    address: {
      streetNumberAndNameDetails: oneLine(streetOf(input)),
      city: trimmed(input.city),
      province: province ? canonicalText(province.name) : trimmed(input.province),
      provinceCode: province?.code ?? null,
      postCode: trimmed(input.postCode),
      country: canonicalText(country.name),
      countryISOCode: country.countryISOCode,
      addressDescription: trimmed(input.addressDescription),
      contactPhone: trimmed(input.contactPhone),
    },
  };
}

export function readBillingAddress(
  input: AddressInput,
  served: ShopSettings['countries'],
  prefix = 'billingAddress',
  needs: (input: AddressInput, prefix: string) => FieldErrors = billingAddressErrors,
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
