/** Where the shop ships to, by which methods, and how long packing takes. */
import { countryCodes } from '#contract/countries.ts';
import { inEvery, inLocale, type LocalText, locales } from '#contract/locales.ts';
import { Button } from '#ui/button.tsx';
import { Select } from '#ui/inputs.tsx';
import type { EditedDocument } from '../../lib/document.tsx';
import { CheckOf, ChecksOf, EntrySteps, ListOf, LocalTextOf, NumberOf, pair } from '../../lib/document-form.tsx';
import { useLanguage } from '../../lib/i18n.tsx';

interface Country {
  countryISOCode: string;
  name: LocalText;
}

export const countryName = (code: string): LocalText =>
  inEvery((locale) => new Intl.DisplayNames(locales[locale].tag, { type: 'region' }).of(code) ?? code);

export function Shipping({ form }: { form: EditedDocument }) {
  const { t, locale } = useLanguage();
  const countries = form.valueAt(['countries']) as Country[];
  const methods = form.valueAt(['shippingMethods']) as { id: string; name: LocalText }[];
  const ids = methods.map(({ id }) => id);
  const add = () => {
    const id = `method-${crypto.randomUUID().slice(0, 8)}`;
    form.change(['shippingMethods', id], {
      ...{ id, name: { en: '' }, description: { en: '' }, provinceCodes: [] },
      countries: countries.slice(0, 1).map(({ countryISOCode }) => countryISOCode),
      ...{ priceCents: 1000, freeOverCents: null, minBusinessDays: 2, maxBusinessDays: 5 },
    });
  };
  return (
    <>
      <CheckOf form={form} path={['checkoutConfig', 'domesticShippingEnabled']} label={t('office.money.ships')} />
      <Countries form={form} countries={countries} />
      {methods.map(({ id, name }, index) => (
        <fieldset key={id} className="flex flex-col gap-5 rounded-md border border-line p-4 product:p-5">
          <legend className="px-2 font-semibold">{inLocale(name, locale) || t('office.money.newMethod')}</legend>
          <Method form={form} id={id} countries={countries} />
          <EntrySteps form={form} list="shippingMethods" ids={ids} index={index} name={inLocale(name, locale)} />
        </fieldset>
      ))}
      <Button variant="secondary" icon="plus" className="self-start" onClick={add}>
        {t('office.money.addMethod')}
      </Button>
      <div className={pair}>
        <NumberOf
          form={form}
          path={['packing', 'packingDays']}
          label={t('office.money.packing')}
          hint={t('office.money.packingHint')}
          hintBelow
        />
        <ListOf
          form={form}
          path={['packing', 'holidays']}
          label={t('office.money.holidays')}
          hint={t('office.money.holidaysHint')}
        />
      </div>
    </>
  );
}

function Countries({ form, countries }: { form: EditedDocument; countries: readonly Country[] }) {
  const { t, locale } = useLanguage();
  const known = new Set(countries.map(({ countryISOCode }) => countryISOCode));
  const left = countryCodes
    .filter((code) => !known.has(code))
    .map((code) => ({ value: code, label: inLocale(countryName(code), locale) }))
    .sort((a, b) => a.label.localeCompare(b.label, locales[locale].tag));
  return (
    <div className="flex flex-col gap-3">
      <h3 className="font-semibold">{t('office.money.countries')}</h3>
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

function Method({ form, id, countries }: { form: EditedDocument; id: string; countries: readonly Country[] }) {
  const { t, locale } = useLanguage();
  const at = (field: string) => ['shippingMethods', id, field];
  return (
    <>
      <LocalTextOf form={form} path={at('name')} label={t('office.money.methodName')} />
      <LocalTextOf form={form} path={at('description')} label={t('office.money.methodText')} />
      <div className={pair}>
        <NumberOf form={form} path={at('priceCents')} label={t('office.money.price')} unit={100} />
        <NumberOf form={form} path={at('freeOverCents')} label={t('office.store.freeFrom')} unit={100} nullable />
        <NumberOf form={form} path={at('minBusinessDays')} label={t('office.money.fromDays')} />
        <NumberOf form={form} path={at('maxBusinessDays')} label={t('office.money.untilDays')} />
      </div>
      <ChecksOf
        form={form}
        path={at('countries')}
        label={t('office.money.methodCountries')}
        options={countries.map(({ countryISOCode, name }) => ({ value: countryISOCode, label: inLocale(name, locale) }))}
      />
      <ListOf
        form={form}
        path={at('provinceCodes')}
        label={t('office.money.methodProvinces')}
        hint={t('office.money.methodProvincesHint')}
      />
    </>
  );
}
