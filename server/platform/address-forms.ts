/** What an address consists of, by its country: the same form for browsers, programs and checks. */
import { inLocale, type Locale, locales, type MessageKey } from '#contract/locales.ts';
import type { AddressRules } from '#contract/rules/address.ts';
import type { AddressForm } from '#contract/schemas/shop.ts';
import { type AddressFormat, addressFormats } from './address-formats.ts';
import { translate } from './i18n.ts';
import { isOtherProvince, provincesOf } from './provinces.ts';

const fieldOf = { A: 'streetNumberAndNameDetails', C: 'city', S: 'province', Z: 'postCode' } as const;
type Letter = keyof typeof fieldOf;

/**
 * Where the data leaves out what shops ask for: a Japanese city is there a part of the street, but browsers and carriers have it
 * apart.
 */
const corrections: Readonly<Record<string, Partial<AddressFormat>>> = {
  JP: { order: 'A C S Z', native: 'Z S C A', require: 'ACSZ' },
};

/** A country that the data lacks has a street and a city. */
const unknown: AddressFormat = { order: 'A C', require: 'AC' };

const formatOf = (country: string): AddressFormat =>
  Object.hasOwn(addressFormats, country)
    ? { ...unknown, ...addressFormats[country], ...corrections[country] }
    : unknown;

/** A province that nothing requires, and that has no list, is not worth a field. */
function isAsked(letter: Letter, { require, zip, provinces }: AddressFormat): boolean {
  if (letter === 'Z') return zip !== undefined;
  return letter !== 'S' || require.includes('S') || provinces !== undefined;
}

interface Field {
  letter: Letter;
  row: number;
}

function fieldsOf(format: AddressFormat, isNative: boolean): Field[] {
  const rows = ((isNative && format.native) || format.order).split(' ');
  return rows.flatMap((letters, row) =>
    [...letters].flatMap((letter) =>
      isAsked(letter as Letter, format) ? [{ letter: letter as Letter, row }] : [],
    ),
  );
}

const rules = new Map<string, AddressRules>();

/** What an address in `country` (ISO 3166-1) has to have. */
export function addressRules(country: string): AddressRules {
  const known = rules.get(country) ?? makeRules(country);
  rules.set(country, known);
  return known;
}

function makeRules(country: string): AddressRules {
  const format = formatOf(country);
  const { zip, example = '', provinces = [] } = format;
  const postCodes = new Map(provinces.map(([code, , , pattern]) => [code, pattern]));
  return {
    fields: fieldsOf(format, false).map(({ letter }) => ({
      name: fieldOf[letter],
      required: format.require.includes(letter),
    })),
    postCode: zip === undefined ? null : { pattern: zip, example },
    provinces: provincesOf(country).map(({ code, name }) => ({
      id: code,
      nameContent: name,
      postCodes: postCodes.get(code) ?? null,
    })),
  };
}

/** Labels that a country has of its own; SPEC §9 has those of Canada, the US and China. */
const labels = {
  province: {
    area: 'checkout.address.province.area',
    county: 'checkout.address.province.county',
    department: 'checkout.address.province.department',
    district: 'checkout.address.province.district',
    emirate: 'checkout.address.province.emirate',
    island: 'checkout.address.province.island',
    oblast: 'checkout.address.province.region',
    parish: 'checkout.address.province.parish',
    prefecture: 'checkout.address.province.prefecture',
    state: 'checkout.address.province.US',
  },
  city: {
    district: 'checkout.address.city.district',
    post_town: 'checkout.address.city.postTown',
    suburb: 'checkout.address.city.suburb',
  },
  postCode: {
    zip: 'checkout.address.postCode.US',
    eircode: 'checkout.address.postCode.eircode',
    pin: 'checkout.address.postCode.pin',
  },
} as const satisfies Record<string, Record<string, MessageKey>>;

function labelKey(letter: Letter, country: string, { names = {} }: AddressFormat): MessageKey {
  const own = (of: keyof typeof labels): MessageKey | undefined =>
    (labels[of] as Record<string, MessageKey>)[names[of] ?? ''];
  if (letter === 'A') return 'checkout.address.street';
  if (letter === 'C') return own('city') ?? 'checkout.address.city';
  if (letter === 'S')
    return (
      own('province') ?? (country === 'CN' ? 'checkout.address.province.CN' : 'checkout.address.province.CA')
    );
  return (
    own('postCode') ?? (country === 'CA' ? 'checkout.address.postCode.CA' : 'checkout.address.postCode.CN')
  );
}

/** The form for an address in `country`, with labels and order of a language. */
export function addressForm(country: string, locale: Locale): AddressForm {
  const format = formatOf(country);
  const { postCode, provinces } = addressRules(country);
  const t = translate(locale);
  const { compare } = new Intl.Collator(locales[locale].tag);
  return {
    countryISOCode: country,
    fields: fieldsOf(format, locale === 'zh').map(({ letter, row }) => ({
      name: fieldOf[letter],
      label: t(labelKey(letter, country, format)),
      required: format.require.includes(letter),
      row,
    })),
    postCode,
    provinces: provinces
      .map((each) => ({
        ...each,
        provinceName: inLocale(each.nameContent, locale),
        isOther: isOtherProvince(country, each.id),
      }))
      .sort((a, b) => Number(a.isOther) - Number(b.isOther) || compare(a.provinceName, b.provinceName)),
  };
}
