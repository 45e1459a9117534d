/** For shipping, billing and saved addresses (SPEC §5). What is asked depends on the country. */
import type { FieldErrors } from '../errors.ts';
import type { CheckoutMethod } from '../limits.ts';
import type { AddressInput } from '../schemas/order.ts';
import type { AddressForm } from '../schemas/shop.ts';
import { isBlank } from './fields.ts';

/** What the rules read of a country's form. */
export interface AddressRules {
  fields: readonly Pick<AddressForm['fields'][number], 'name' | 'required'>[];
  postCode: AddressForm['postCode'];
  provinces: readonly Pick<AddressForm['provinces'][number], 'id' | 'nameContent' | 'postCodes'>[];
}

const missing = {
  streetNumberAndNameDetails: 'rule.addressMissing',
  city: 'rule.cityMissing',
  postCode: 'rule.zipcodeMissing',
  province: 'rule.provinceMissing',
} as const;

/** Before a country is chosen. */
const everyField: AddressRules['fields'] = (
  ['streetNumberAndNameDetails', 'city', 'postCode', 'province'] as const
).map((name) => ({
  name,
  required: true,
}));

/** While the form of a chosen country is unknown: the server has it. */
const streetAlone: AddressRules['fields'] = [{ name: 'streetNumberAndNameDetails', required: true }];

/** Either spelling of the street field is accepted. `rules` are those of the address's country, as far as they are known. */
export function addressErrors(
  address: AddressInput,
  prefix = 'address',
  rules?: AddressRules | null,
): FieldErrors {
  const errors: FieldErrors = {};
  const country = isBlank(address.countryISOCode) ? address.country : address.countryISOCode;
  const value = (field: keyof typeof missing) =>
    field === 'streetNumberAndNameDetails' ? streetOf(address) : (address[field] ?? '');
  for (const { name, required } of rules?.fields ?? (isBlank(country) ? everyField : streetAlone))
    if (required && isBlank(value(name))) errors[`${prefix}.${name}`] = missing[name];
  if (isBlank(country)) errors[`${prefix}.countryISOCode`] = 'rule.countryMissing';
  const wrong = rules && postCodeError(address, rules);
  if (wrong) errors[`${prefix}.postCode`] = wrong;
  return errors;
}

/** SPEC §5: of a saved address, street, city and postal code are required. The checkout asks for what else is. */
export function addressBookErrors(
  address: AddressInput,
  prefix: string,
  rules?: AddressRules | null,
): FieldErrors {
  const errors = addressErrors(address, prefix, rules);
  for (const field of ['province', 'countryISOCode']) delete errors[`${prefix}.${field}`];
  return errors;
}

function postCodeError(
  { postCode: text, province = '' }: AddressInput,
  rules: AddressRules,
): FieldErrors[string] | null {
  if (!rules.postCode || isBlank(text)) return null;
  const code = readPostCode(text ?? '', rules.postCode);
  if (code === null) return { key: 'rule.zipcodeInvalid', values: { example: rules.postCode.example } };
  const chosen = provinceNamed(province, rules.provinces);
  if (!chosen?.postCodes || beginsAs(code, chosen.postCodes)) return null;
  const [own] = provincesOfPostCode(code, rules.provinces);
  return own
    ? { key: 'rule.zipcodeElsewhere', values: { place: own.id } }
    : { key: 'rule.zipcodeInvalid', values: { example: rules.postCode.example } };
}

const beginsAs = (code: string, pattern: string): boolean => compiled(`^(?:${pattern})`).test(code);

const patterns = new Map<string, RegExp>();

/** A pattern of a country's forms: each address is compared with a dozen, and compiling them takes longer. */
function compiled(pattern: string): RegExp {
  const known = patterns.get(pattern) ?? new RegExp(pattern);
  patterns.set(pattern, known);
  return known;
}

function provincesOfPostCode<Each extends AddressRules['provinces'][number]>(
  code: string,
  provinces: readonly Each[],
): Each[] {
  return provinces.filter(({ postCodes }) => postCodes !== null && beginsAs(code, postCodes));
}

/** The province that a postal code, typed as far as `text`, means; undefined while several are possible, or none. */
export function provinceOfPostCode<Each extends AddressRules['provinces'][number]>(
  text: string,
  provinces: readonly Each[],
): Each | undefined {
  const code = upperCase(text);
  const [first, ...others] =
    /^.?\d/.test(code) && code.length > 1 ? provincesOfPostCode(code, provinces) : [];
  return others.length === 0 ? first : undefined;
}

/** By its code or its name in any language. */
export function provinceNamed<Each extends Pick<AddressRules['provinces'][number], 'id' | 'nameContent'>>(
  text: string,
  provinces: readonly Each[],
): Each | undefined {
  const wanted = text.trim().toLowerCase();
  return provinces.find(({ id, nameContent }) =>
    [id, ...Object.values(nameContent)].some((each) => each.toLowerCase() === wanted),
  );
}

const upperCase = (text: string): string =>
  text.normalize('NFKC').toUpperCase().trim().replaceAll(/\s+/g, ' ');

/** A postal code as its country writes it: `m5v2t6` is `M5V 2T6`. Null if it is none. */
export function readPostCode(
  text: string,
  { pattern, example }: NonNullable<AddressForm['postCode']>,
): string | null {
  const whole = compiled(`^(?:${pattern})$`);
  const typed = upperCase(text).replaceAll(/[‐-―−]/g, '-');
  // Some write the country before it, such as D-10115.
  const texts = [typed, typed.replace(/^[A-Z]{1,2}[ -](?=\d)/, '')];
  const compact = texts.map((each) => each.replaceAll(/[ -]/g, ''));
  // The separator stands as far from the end as in the example.
  const [separator, end = ''] = [/[ -]/.exec(example)?.[0], example.split(/[ -]/)[1]];
  const parted = separator
    ? compact.map((each) => each.slice(0, -end.length) + separator + each.slice(-end.length))
    : [];
  return [...parted, ...texts, ...compact].find((each) => whole.test(each)) ?? null;
}

export function streetOf(address: AddressInput): string {
  const { streetNumberAndNameDetails: street, streetNumberAndDetails: other } = address;
  return (isBlank(street) ? other : street) ?? '';
}

/** An order at a table is paid for without a billing address: a provider's own form asks for what it needs, at most the postal code. */
export function asksBillingAddress(method: CheckoutMethod | null): boolean {
  return method !== 'instore';
}

/** Whether nothing was typed; a form begins with a province and a country. */
export function isBlankAddress(address: AddressInput): boolean {
  return isBlank(streetOf(address)) && isBlank(address.city) && isBlank(address.postCode);
}
