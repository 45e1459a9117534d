import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { countryCodes, countryName, provinceOfPostalCode } from '#contract/countries.ts';
import { addressDefaults } from '#contract/limits.ts';
import { canonicalText, inLocale, type Locale, locales } from '#contract/locales.ts';
import { countriesWithProvinces } from '#contract/rules/address.ts';
import { Button } from '#ui/button.tsx';
import type { FieldTexts } from '#ui/errors.ts';
import { useLocale, useT } from '#ui/i18n.tsx';
import { Select, type SelectOption, TextField } from '#ui/inputs.tsx';
import type { AddressValue } from '#web/lib/address.ts';
import { useApi } from '#web/lib/api.ts';
import { countriesQuery, provincesQuery } from './queries.ts';

interface AddressFieldsProps {
  value: AddressValue;
  errors: FieldTexts;
  /** The field's path in errors, and the autofill section of the browser. */
  prefix: 'address' | 'billingAddress';
  onChange: (changes: Partial<AddressValue>) => void;
}

type AddressField = 'streetNumberAndNameDetails' | 'addressDescription' | 'city' | 'province' | 'postCode' | 'countryISOCode';

const countriesWithLabels = ['CA', 'US', 'CN'] as const;

/** A postal address in one column. The labels of province and postal code depend on the country. */
export function AddressFields({ value, errors, prefix, onChange }: AddressFieldsProps) {
  const t = useT();
  const countries = useCountries(prefix);
  const changePostCode = usePostCodeChange(value, onChange);
  const section = prefix === 'address' ? 'shipping' : 'billing';
  // SPEC §9 has labels for these; another country uses the plainest of them.
  const country = countriesWithLabels.find((code) => code === value.countryISOCode) ?? 'CA';
  const field = (name: AddressField) => ({
    name: `${prefix}.${name}`,
    value: value[name],
    error: errors[`${prefix}.${name}`],
    onChange: (event: { target: { value: string } }) => onChange({ [name]: event.target.value }),
  });
  const changeCountry = (code: string) => {
    onChange({ countryISOCode: code, province: code === addressDefaults.countryISOCode ? addressDefaults.province : '' });
  };
  return (
    <>
      <Select
        {...field('countryISOCode')}
        onChange={(event) => changeCountry(event.target.value)}
        label={t('checkout.address.country')}
        autoComplete={`${section} country`}
        options={countries.options ?? [asOption(value.countryISOCode)]}
      />
      <TextField
        {...field('streetNumberAndNameDetails')}
        label={t('checkout.address.street')}
        autoComplete={`${section} address-line1`}
        maxLength={200}
      />
      <DescriptionField field={field('addressDescription')} section={section} />
      <div className="grid grid-cols-[2fr_3fr] items-start gap-x-4">
        <TextField
          {...field('postCode')}
          onChange={(event) => changePostCode(event.target.value)}
          label={t(`checkout.address.postCode.${country}`)}
          autoComplete={`${section} postal-code`}
          inputMode={country === 'CA' ? 'text' : 'numeric'}
          autoCapitalize="characters"
          maxLength={20}
        />
        <TextField
          {...field('city')}
          label={t('checkout.address.city')}
          autoComplete={`${section} address-level2`}
          maxLength={100}
        />
      </div>
      <ProvinceField
        {...{ value, section, prefix, field: field('province') }}
        label={t(`checkout.address.province.${country}`)}
      />
      {countries.failed && <LoadAgain onPress={countries.retry} />}
    </>
  );
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
  const options = served && (prefix === 'billingAddress' ? [...served, ...otherCountries(served, locale)] : served);
  return { options, failed: isError, retry: () => void refetch() };
}

/**
 * Returns a function that changes the postal code. A Canadian one names its province; where the customer changed that, it stays
 * until the code means another one.
 */
function usePostCodeChange(value: AddressValue, onChange: AddressFieldsProps['onChange']) {
  const provinces = useQuery(provincesQuery(useApi(), value.countryISOCode === 'CA' ? 'CA' : '')).data;
  return (postCode: string) => {
    const id = provinceOfPostalCode(postCode);
    const meant = id === provinceOfPostalCode(value.postCode) ? undefined : provinces?.find((province) => province.id === id);
    onChange(meant ? { postCode, province: canonicalText(meant.nameContent) } : { postCode });
  };
}

/** Every country not in `served`, with names and order of a language. */
function otherCountries(served: readonly SelectOption[], locale: Locale): SelectOption[] {
  const { compare } = new Intl.Collator(locales[locale].tag);
  return countryCodes
    .filter((code) => !served.some(({ value }) => value === code))
    .map((code) => ({ value: code, label: countryName(code, locale) }))
    .sort((a, b) => compare(a.label, b.label));
}

/** Apartment or company, which few addresses have: a button until it is needed. */
function DescriptionField({ section, field }: { section: string; field: PlainField }) {
  const t = useT();
  const [opened, setOpened] = useState(false);
  if (!opened && field.value === '' && !field.error) {
    return (
      <Button variant="quiet" size="small" icon="plus" className="-mt-2 -ml-2 self-start" onClick={() => setOpened(true)}>
        {t('checkout.address.addDescription')}
      </Button>
    );
  }
  return (
    <TextField
      {...field}
      // The button that opened it is gone, so focus moves here.
      autoFocus={opened}
      label={t('checkout.address.description')}
      optional={t('ui.optional')}
      autoComplete={`${section} address-line2`}
      maxLength={200}
    />
  );
}

interface PlainField {
  name: string;
  value: string;
  error: string | undefined;
  onChange: (event: { target: { value: string } }) => void;
}

interface ProvinceFieldProps {
  value: AddressValue;
  section: string;
  prefix: AddressFieldsProps['prefix'];
  label: string;
  field: PlainField;
}

/** A list if the country has one, else free text. */
function ProvinceField({ value, section, prefix, label, field }: ProvinceFieldProps) {
  const t = useT();
  const locale = useLocale();
  const listed = countriesWithProvinces.includes(value.countryISOCode);
  const provinces = useQuery(provincesQuery(useApi(), listed ? value.countryISOCode : ''));
  const shared = { ...field, label, autoComplete: `${section} address-level1` };
  if (!listed)
    return <TextField {...shared} optional={prefix === 'billingAddress' ? t('ui.optional') : undefined} maxLength={100} />;
  // One value for all languages; an order may have stored the name in any of them.
  const options = provinces.data?.map(({ nameContent }) => ({
    value: canonicalText(nameContent),
    label: inLocale(nameContent, locale),
  }));
  const chosen = provinces.data?.find(({ nameContent }) => Object.values(nameContent).includes(value.province));
  return (
    <div>
      <Select
        {...shared}
        value={chosen ? canonicalText(chosen.nameContent) : value.province}
        placeholder={t('checkout.address.province.choose')}
        options={options ?? (value.province ? [asOption(value.province)] : [])}
      />
      {provinces.isError && <LoadAgain onPress={() => void provinces.refetch()} />}
    </div>
  );
}

/** The chosen value stays visible until the list has loaded. */
function asOption(value: string): SelectOption {
  return { value, label: value };
}

function LoadAgain({ onPress }: { onPress: () => void }) {
  const t = useT();
  return (
    <p role="alert" className="text-clay text-sm">
      {t('checkout.address.loadFailed')} <Button label={t('cart.error.retry')} variant="quiet" size="small" onClick={onPress} />
    </p>
  );
}
