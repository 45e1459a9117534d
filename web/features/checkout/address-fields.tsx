import { useQuery } from '@tanstack/react-query';
import { type ComponentProps, Fragment } from 'react';
import { countryCodes, countryName } from '#contract/countries.ts';
import { addressDefaults } from '#contract/limits.ts';
import { canonicalText, inLocale, type Locale, locales } from '#contract/locales.ts';
import { provinceNamed, provinceOfPostCode } from '#contract/rules/address.ts';
import type { AddressForm } from '#contract/schemas/shop.ts';
import { Button } from '#ui/button.tsx';
import type { FieldTexts } from '#ui/errors.ts';
import { useLocale, useT } from '#ui/i18n.tsx';
import { Select, type SelectOption, TextField } from '#ui/inputs.tsx';
import type { AddressValue } from '#web/lib/address.ts';
import { addressFormQuery } from '#web/lib/address-form.ts';
import { useApi } from '#web/lib/api.ts';
import { countriesQuery } from './queries.ts';

interface AddressFieldsProps {
  value: AddressValue;
  errors: FieldTexts;
  /** The field's path in errors, and the autofill section of the browser. */
  prefix: 'address' | 'billingAddress';
  onChange: (changes: Partial<AddressValue>) => void;
}

/** A country's fields in its order, with its labels; two of a row stand beside each other. */
export function AddressFields({ value, errors, prefix, onChange }: AddressFieldsProps) {
  const t = useT();
  const countries = useCountries(prefix);
  const { data: form, isError, refetch } = useQuery(addressFormQuery(useApi(), value.countryISOCode));
  const section = prefix === 'address' ? 'shipping' : 'billing';
  const field = (name: keyof AddressValue & string) => ({
    name: `${prefix}.${name}`,
    value: value[name] ?? '',
    error: errors[`${prefix}.${name}`],
    onChange: (event: { target: { value: string } }) => onChange({ [name]: event.target.value }),
  });
  const changeCountry = (code: string) => {
    onChange({
      countryISOCode: code,
      province: code === addressDefaults.countryISOCode ? addressDefaults.province : '',
    });
  };
  const controlOf = ({ name, label, required }: AskedField) => {
    const shared = { ...field(name), label, optional: required ? undefined : t('ui.optional') };
    if (name === 'province' && form && form.provinces.length > 0)
      return <ProvinceSelect key={name} {...shared} provinces={form.provinces} section={section} />;
    const text = { ...shared, autoComplete: `${section} ${autofillTokens[name]}` };
    if (name !== 'postCode')
      return (
        <TextField key={name} {...text} maxLength={name === 'city' || name === 'province' ? 100 : 200} />
      );
    return (
      <TextField
        key={name}
        {...text}
        onChange={({ target }) =>
          onChange({ postCode: target.value, ...provinceMeant(target.value, value.postCode, form) })
        }
        // A numeric keyboard has no dash, space or letter.
        inputMode={/^\d+$/.test(form?.postCode?.example ?? '') ? 'numeric' : 'text'}
        autoCapitalize="characters"
        maxLength={20}
      />
    );
  };
  return (
    <>
      <Select
        {...field('countryISOCode')}
        onChange={(event) => changeCountry(event.target.value)}
        label={t('checkout.address.country')}
        autoComplete={`${section} country`}
        options={countries.options ?? [{ value: value.countryISOCode, label: value.countryISOCode }]}
      />
      {rowsOf(form?.fields ?? []).map((row) => (
        <Fragment key={row.map(({ name }) => name).join()}>
          {row.length === 1 ? (
            row.map(controlOf)
          ) : (
            <div className="grid grid-cols-2 items-start gap-x-4">{row.map(controlOf)}</div>
          )}
          {row.some(({ name }) => name === 'streetNumberAndNameDetails') && (
            <TextField
              {...field('addressDescription')}
              label={t('checkout.address.description')}
              optional={t('ui.optional')}
              autoComplete={`${section} address-line2`}
              maxLength={200}
            />
          )}
        </Fragment>
      ))}
      {(countries.failed || isError) && (
        <LoadAgain onPress={countries.failed ? countries.retry : () => void refetch()} />
      )}
    </>
  );
}

type AskedField = AddressForm['fields'][number];

const autofillTokens = {
  streetNumberAndNameDetails: 'address-line1',
  city: 'address-level2',
  province: 'address-level1',
  postCode: 'postal-code',
} as const;

/** Of three fields in a row the first stands alone: a phone has no room for it. */
function rowsOf(fields: readonly AskedField[]): AskedField[][] {
  const rows: AskedField[][] = [];
  for (const each of fields) {
    const last = rows.at(-1);
    if (last?.[0]?.row === each.row) last.push(each);
    else rows.push([each]);
  }
  return rows.flatMap((row) => (row.length > 2 ? [row.slice(0, -2), row.slice(-2)] : [row]));
}

/** A postal code names its province; where the customer changed that, it stays until the code means another one. */
function provinceMeant(
  postCode: string,
  before: string,
  form: AddressForm | undefined,
): Partial<AddressValue> {
  if (!form) return {};
  const meant = provinceOfPostCode(postCode, form.provinces);
  const isNew = meant !== undefined && meant.id !== provinceOfPostCode(before, form.provinces)?.id;
  return isNew ? { province: canonicalText(meant.nameContent) } : {};
}

/** The countries that an address may be in; `options` are undefined until they have loaded. */
function useCountries(prefix: AddressFieldsProps['prefix']) {
  const locale = useLocale();
  const { data, isError, refetch } = useQuery(countriesQuery(useApi()));
  const served = data?.map(({ countryISOCode, nameContent }) => ({
    value: countryISOCode,
    label: inLocale(nameContent, locale),
  }));
  // A billing address may be in any country, including those that the shop does not ship to.
  const options =
    served && (prefix === 'billingAddress' ? [...served, ...otherCountries(served, locale)] : served);
  return { options, failed: isError, retry: () => void refetch() };
}

/** Every country not in `served`, with names and order of a language. */
function otherCountries(served: readonly SelectOption[], locale: Locale): SelectOption[] {
  const { compare } = new Intl.Collator(locales[locale].tag);
  return countryCodes
    .filter((code) => !served.some(({ value }) => value === code))
    .map((code) => ({ value: code, label: countryName(code, locale) }))
    .sort((a, b) => compare(a.label, b.label));
}

interface ProvinceSelectProps
  extends Pick<ComponentProps<typeof Select>, 'error' | 'label' | 'optional' | 'name' | 'onChange'> {
  value: string;
  provinces: AddressForm['provinces'];
  section: string;
}

function ProvinceSelect({ value, provinces, section, ...field }: ProvinceSelectProps) {
  const t = useT();
  // One value for all languages; an order may have stored the name in any of them.
  const toOption = ({ nameContent, provinceName }: AddressForm['provinces'][number]) => ({
    value: canonicalText(nameContent),
    label: provinceName,
  });
  const chosen = provinceNamed(value, provinces);
  const others = provinces.filter(({ isOther }) => isOther);
  return (
    <Select
      {...field}
      value={chosen ? canonicalText(chosen.nameContent) : ''}
      autoComplete={`${section} address-level1`}
      placeholder={t('checkout.address.province.choose')}
      options={provinces.filter(({ isOther }) => !isOther).map(toOption)}
      more={
        others.length > 0
          ? { label: t('checkout.address.province.others'), options: others.map(toOption) }
          : undefined
      }
    />
  );
}

function LoadAgain({ onPress }: { onPress: () => void }) {
  const t = useT();
  return (
    <p role="alert" className="text-clay text-sm">
      {t('checkout.address.loadFailed')}{' '}
      <Button label={t('cart.error.retry')} variant="quiet" size="small" onClick={onPress} />
    </p>
  );
}
