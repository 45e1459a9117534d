/** Where the shop ships to, by which methods, and how long packing takes. */
import { countryCodes } from '#contract/countries.ts';
import { inEvery, inLocale, type LocalText, locales, mainLocale } from '#contract/locales.ts';
import { Button } from '#ui/button.tsx';
import { FieldError } from '#ui/field.tsx';
import { Select } from '#ui/inputs.tsx';
import {
  CheckOf,
  ChecksOf,
  EntrySteps,
  ListOf,
  LocalTextOf,
  NumberOf,
  pair,
  useEdited,
} from '../../lib/document-form.tsx';
import { useLanguage } from '../../lib/i18n.tsx';
import { MoneyOf } from '../../lib/money.tsx';

interface Country {
  countryISOCode: string;
  name: LocalText;
}

export const countryName = (code: string): LocalText =>
  inEvery((locale) => new Intl.DisplayNames(locales[locale].tag, { type: 'region' }).of(code) ?? code);

export function Shipping() {
  const form = useEdited();
  const { t, locale } = useLanguage();
  const countries = form.valueAt(['countries']) as Country[];
  const methods = form.valueAt(['shippingMethods']) as { id: string; name: LocalText }[];
  const ids = methods.map(({ id }) => id);
  const add = () => {
    const id = `method-${crypto.randomUUID().slice(0, 8)}`;
    form.change(['shippingMethods', id], {
      id,
      name: { [mainLocale()]: '' },
      description: { [mainLocale()]: '' },
      provinceCodes: [],
      countries: countries.slice(0, 1).map(({ countryISOCode }) => countryISOCode),
      priceCents: 1000,
      freeOverCents: null,
      minBusinessDays: 2,
      maxBusinessDays: 5,
    });
  };
  return (
    <>
      <CheckOf path={['checkoutConfig', 'domesticShippingEnabled']} label={t('office.money.ships')} />
      <Countries countries={countries} />
      {methods.map(({ id, name }, index) => (
        <fieldset key={id} className="flex flex-col gap-5 rounded-md border border-line p-4 product:p-5">
          <legend className="px-2 font-semibold">
            {inLocale(name, locale) || t('office.money.newMethod')}
          </legend>
          <Method id={id} countries={countries} />
          <EntrySteps list="shippingMethods" ids={ids} index={index} name={inLocale(name, locale)} />
        </fieldset>
      ))}
      <Button
        label={t('office.money.addMethod')}
        variant="secondary"
        icon="plus"
        className="self-start"
        onClick={add}
      />
      <div className={pair}>
        <NumberOf
          path={['packing', 'packingDays']}
          label={t('office.money.packing')}
          hint={t('office.money.packingHint')}
        />
        <ListOf
          path={['packing', 'holidays']}
          label={t('office.money.holidays')}
          hint={t('office.money.holidaysHint')}
        />
      </div>
    </>
  );
}

function Countries({ countries }: { countries: readonly Country[] }) {
  const form = useEdited();
  const { t, locale } = useLanguage();
  const title = t('office.money.countries');
  const known = new Set(countries.map(({ countryISOCode }) => countryISOCode));
  const left = countryCodes
    .filter((code) => !known.has(code))
    .map((code) => ({ value: code, label: inLocale(countryName(code), locale) }))
    .sort((a, b) => a.label.localeCompare(b.label, locales[locale].tag));
  return (
    <div className="flex flex-col gap-3">
      <h3 className="font-sans font-semibold">{title}</h3>
      <FieldError id="countries-error">{form.errorAt(['countries'], title)}</FieldError>
      <ul className="flex flex-wrap gap-2">
        {countries.map(({ countryISOCode, name }) => (
          <li key={countryISOCode}>
            <Button
              variant="secondary"
              size="small"
              icon="close"
              aria-label={`${t('office.remove')}: ${inLocale(name, locale)}`}
              onClick={() => form.change(['countries', countryISOCode], undefined)}
            >
              {inLocale(name, locale)}
            </Button>
          </li>
        ))}
      </ul>
      <Select
        label={t('office.money.addCountry')}
        placeholder={t('office.choose')}
        value=""
        options={left}
        onChange={({ target: { value } }) =>
          value && form.change(['countries', value], { countryISOCode: value, name: countryName(value) })
        }
      />
    </div>
  );
}

function Method({ id, countries }: { id: string; countries: readonly Country[] }) {
  const { t, locale } = useLanguage();
  const at = (field: string) => ['shippingMethods', id, field];
  return (
    <>
      <LocalTextOf path={at('name')} label={t('office.money.methodName')} />
      <LocalTextOf path={at('description')} label={t('office.money.methodText')} />
      <div className={pair}>
        <MoneyOf path={at('priceCents')} label={t('office.money.price')} />
        <MoneyOf path={at('freeOverCents')} label={t('office.store.freeFrom')} nullable />
        <NumberOf path={at('minBusinessDays')} label={t('office.money.fromDays')} />
        <NumberOf path={at('maxBusinessDays')} label={t('office.money.untilDays')} />
      </div>
      <ChecksOf
        path={at('countries')}
        label={t('office.money.methodCountries')}
        options={countries.map(({ countryISOCode, name }) => ({
          value: countryISOCode,
          label: inLocale(name, locale),
        }))}
      />
      <ListOf
        path={at('provinceCodes')}
        label={t('office.money.methodProvinces')}
        hint={t('office.money.methodProvincesHint')}
      />
    </>
  );
}
