/** Taxes, shipping and payment, and beside them what a sample order would cost. */
import { useState } from 'react';
import { warehouse } from '#contract/limits.ts';
import {
  inLocale,
  type Locale,
  type LocalText,
  localeCodes,
  locales,
  mainLocale,
} from '#contract/locales.ts';
import { ofUnits } from '#contract/money.ts';
import type { Patch } from '#contract/staff/endpoint.ts';
import type { StaffResponse } from '#contract/staff/endpoints.ts';
import type { MoneyTrial } from '#contract/staff/settings.ts';
import {
  lawOn,
  ratesOn,
  registrableTaxes,
  type SalesTaxRate,
  type TaxRates,
  type TaxRegistration,
  taxNames,
  taxRateByLaw,
} from '#contract/tax-rates.ts';
import { taxClasses as allTaxClasses, homeCountry } from '#contract/taxes.ts';
import { Button, IconButton } from '#ui/button.tsx';
import { FormSection } from '#ui/form.tsx';
import { formatCalendarDay, formatMoney } from '#ui/format.ts';
import { Select, TextField } from '#ui/inputs.tsx';
import { Trial, useDocument, useTrial } from '../../lib/document.tsx';
import {
  CheckOf,
  ChecksOf,
  DocumentForm,
  ListOf,
  LocalTextOf,
  NumberOf,
  pair,
  SelectOf,
  TextOf,
  useEdited,
} from '../../lib/document-form.tsx';
import { useLanguage } from '../../lib/i18n.tsx';
import { useOffice } from '../../lib/me.tsx';
import { MoneyOf, useMoney } from '../../lib/money.tsx';
import { Problem } from '../../lib/send-form.tsx';
import { Shipping } from './shipping.tsx';

type MoneyAnswer = StaffResponse<'moneySettings'>;

export default function Money() {
  const { t, call } = useOffice();
  const document = useDocument({
    name: ['settings', 'money'],
    place: 'settings',
    load: () => call('moneySettings'),
    save: (body) => call('saveMoneySettings', { body }),
  });
  const { content, edits, loaded } = document;
  if (!content || !loaded) return <Problem error={document.error} />;
  const { provinces, stores, today } = loaded;
  return (
    <div className="flex max-w-room flex-col gap-6">
      <h1 className="text-2xl">{t('office.money')}</h1>
      <DocumentForm document={document} aside={<SampleBill edits={edits} answer={loaded} />}>
        <FormSection title={t('office.money.taxes')}>
          <Taxes provinces={provinces} stores={stores} today={today} />
        </FormSection>
        <FormSection title={t('office.money.shipping')}>
          <Shipping />
        </FormSection>
        <Payment />
        <FormSection title={t('office.money.checkout')}>
          {checkoutChoices.map((field) => (
            <CheckOf key={field} path={['checkoutConfig', field]} label={t(`office.money.${field}`)} />
          ))}
        </FormSection>
        <Tips stores={stores} />
      </DocumentForm>
    </div>
  );
}

const checkoutChoices = [
  'enabledGuestOrders',
  'enablePickup',
  'displayPickupTime',
  'requireMobile',
  'requireEmail',
  'emailOptionalAtTables',
] as const;

interface TaxesProps extends Pick<MoneyAnswer, 'provinces' | 'stores' | 'today'> {}

function Taxes({ provinces, stores, today }: TaxesProps) {
  const form = useEdited();
  const { t, locale } = useLanguage();
  const rates = form.valueAt(['taxRates']) as { provinceCode: string }[];
  const nameOf = (code: string) =>
    inLocale(provinces.find((each) => each.code === code)?.name ?? { [mainLocale()]: code }, locale);
  const left = provinces.filter(({ code }) => !rates.some(({ provinceCode }) => provinceCode === code));
  const places = [...stores, { name: warehouse, nameContent: inWords(t('office.papers.warehouse')) }];
  return (
    <>
      <p className="text-ink-soft">{t('office.money.taxesHint')}</p>
      {rates.map(({ provinceCode }) => (
        <TaxRate key={provinceCode} code={provinceCode} name={nameOf(provinceCode)} today={today} />
      ))}
      {left.length > 0 && (
        <Select
          label={t('office.money.addProvince')}
          placeholder={t('office.choose')}
          value=""
          options={left.map(({ code, name }) => ({ value: code, label: inLocale(name, locale) }))}
          onChange={({ target: { value: provinceCode } }) =>
            provinceCode && form.change(['taxRates', provinceCode], taxRateByLaw(provinceCode, today))
          }
        />
      )}
      <Registrations />
      <div className="flex flex-col gap-5">
        <p className="text-ink-soft">{t('office.money.tableFood.hint')}</p>
        {places.map((place) => (
          <TableFood key={place.name} {...place} />
        ))}
      </div>
      <ChecksOf
        path={['salesRecording']}
        label={t('office.money.salesRecording')}
        hint={t('office.money.salesRecordingHint')}
        options={stores.map(({ name, nameContent }) => ({
          value: name,
          label: inLocale(nameContent, locale),
        }))}
      />
    </>
  );
}

/** Whether a place, or its tables, are an eating establishment: one answer in two settings. */
function TableFood({ name, nameContent }: MoneyAnswer['stores'][number]) {
  const form = useEdited();
  const { t, locale } = useLanguage();
  const whole = (form.valueAt(['eatingEstablishments']) ?? []) as string[];
  const atTables = form.valueAt(['tableFood', name]) as string | undefined;
  const answers = name === warehouse ? (['all'] as const) : (['all', 'taxed', 'asSold'] as const);
  const label = t('office.money.tableFood', { place: inLocale(nameContent, locale) });
  return (
    <Select
      label={label}
      value={whole.includes(name) ? 'all' : (atTables ?? '')}
      error={form.errorAt(['tableFood', name], label)}
      options={[
        {
          value: '',
          label: t(name === warehouse ? 'office.money.tableFood.asSold' : 'office.money.tableFood.open'),
        },
        ...answers.map((value) => ({ value, label: t(`office.money.tableFood.${value}`) })),
      ]}
      onChange={({ target: { value } }) => {
        const others = whole.filter((each) => each !== name);
        if (value === 'all' || others.length < whole.length)
          form.change(['eatingEstablishments'], value === 'all' ? [...others, name] : others);
        if (value !== 'all') form.change(['tableFood', name], value === '' ? undefined : value);
      }}
    />
  );
}

/** For each tax: charged as the rates say, registered from one day to another, or not charged. */
function Registrations() {
  const form = useEdited();
  const { t } = useLanguage();
  const all = (form.valueAt(['taxRegistrations']) ?? []) as TaxRegistration[];
  return (
    <fieldset className="flex flex-col gap-4">
      <legend className="font-semibold">{t('office.money.registrations')}</legend>
      <p className="text-ink-soft text-sm">{t('office.money.registrationsHint')}</p>
      {registrableTaxes.map((tax) => {
        const own = all.find((each) => each.tax === tax);
        const others = all.filter((each) => each.tax !== tax);
        const change = (next: TaxRegistration | null) =>
          form.change(['taxRegistrations'], next ? [...others, next] : others);
        const fresh: TaxRegistration = { tax, registered: true, number: '', from: null, until: null };
        const index = String(all.findIndex((each) => each.tax === tax));
        return (
          <div key={tax} className="grid items-end gap-4 product:grid-cols-4">
            <Select
              label={tax}
              value={!own ? 'charged' : own.registered ? 'registered' : 'none'}
              options={(['charged', 'registered', 'none'] as const).map((value) => ({
                value,
                label: t(`office.money.registration.${value}`),
              }))}
              onChange={({ target: { value } }) =>
                change(value === 'charged' ? null : { ...(own ?? fresh), registered: value === 'registered' })
              }
            />
            {own?.registered && (
              <TextField
                label={t('office.money.registrationNumber')}
                aria-label={`${t('office.money.registrationNumber')}, ${tax}`}
                autoComplete="off"
                value={own.number}
                error={form.errorAt(['taxRegistrations', index, 'number'], tax)}
                onChange={({ target }) => change({ ...own, number: target.value })}
              />
            )}
            {own?.registered &&
              (['from', 'until'] as const).map((day) => (
                <TextField
                  key={day}
                  type="date"
                  label={t(`office.money.registrationDate.${day}`)}
                  aria-label={`${t(`office.money.registrationDate.${day}`)}, ${tax}`}
                  value={own[day] ?? ''}
                  error={form.errorAt(['taxRegistrations', index, day], tax)}
                  onChange={({ target }) =>
                    change({ ...own, [day]: target.value === '' ? null : target.value })
                  }
                />
              ))}
          </div>
        );
      })}
    </fieldset>
  );
}

const percentText = (percent: number, locale: Locale) =>
  new Intl.NumberFormat(locales[locale].tag, { style: 'percent', maximumFractionDigits: 3 }).format(
    percent / 100,
  );
const ratesText = ({ gstPercent, hstPercent, pstPercent, pstLabel }: TaxRates, locale: Locale): string =>
  (
    [
      ['GST', gstPercent],
      ['HST', hstPercent],
      [pstLabel ?? 'PST', pstPercent],
    ] as const
  )
    .filter(([, percent]) => percent > 0)
    .map(([tax, percent]) => `${tax} ${percentText(percent, locale)}`)
    .join(' + ');

function TaxRate({ code, name, today }: { code: string; name: string; today: string }) {
  const form = useEdited();
  const { t, locale } = useLanguage();
  const law = lawOn(code, today);
  const own = form.valueAt(['taxRates', code]) as SalesTaxRate;
  const [present] = ratesOn(today, { taxRates: [own], taxRegistrations: [] });
  const isByLaw = !law || !present || taxNames.every((tax) => present[tax] === law[tax]);
  return (
    <fieldset className="flex flex-col gap-3 rounded-md border border-line p-4">
      <legend className="px-2 font-semibold">{name}</legend>
      <RateFields path={['taxRates', code]} name={name} />
      {(own.changes ?? []).map(({ date }) => (
        <RateChange key={date} code={code} date={date} name={name} />
      ))}
      <AddRateChange code={code} name={name} rate={own} />
      {!isByLaw && (
        <p className="flex flex-wrap items-center gap-x-3 text-sm">
          {t('office.money.byLaw', {
            rates: ratesText(law, locale),
            since: formatCalendarDay(law.date, locale, 'date'),
          })}
          <Button
            label={t('office.money.useLaw')}
            variant="quiet"
            size="small"
            aria-label={`${t('office.money.useLaw')}: ${name}`}
            onClick={() => form.change(['taxRates', code], taxRateByLaw(code, today))}
          />
        </p>
      )}
      <Button
        label={t('office.remove')}
        variant="secondary"
        size="small"
        className="self-start"
        aria-label={`${t('office.remove')}: ${name}`}
        onClick={() => form.change(['taxRates', code], undefined)}
      />
    </fieldset>
  );
}

function RateFields({ path, name }: { path: readonly string[]; name: string }) {
  const { t } = useLanguage();
  return (
    <div className="grid grid-cols-2 items-end gap-4 product:grid-cols-4">
      {taxNames.map((field) => (
        <NumberOf
          key={field}
          path={[...path, field]}
          label={t(`office.money.${field}`)}
          aria-label={`${t(`office.money.${field}`)}, ${name}`}
        />
      ))}
      <TextOf path={[...path, 'pstLabel']} label={t('office.money.pstLabel')} placeholder="PST" nullable />
    </div>
  );
}

function RateChange({ code, date, name }: { code: string; date: string; name: string }) {
  const form = useEdited();
  const { t, locale } = useLanguage();
  const day = formatCalendarDay(date, locale, 'date');
  return (
    <section className="flex flex-col gap-3 border-line border-t pt-3">
      <header className="flex flex-wrap items-center justify-between gap-3">
        <h3 className="font-sans font-semibold">{t('office.money.fromDay', { day })}</h3>
        <IconButton
          icon="close"
          label={t('office.money.removeChange', { day })}
          onClick={() => form.change(['taxRates', code, 'changes', date], undefined)}
        />
      </header>
      <RateFields path={['taxRates', code, 'changes', date]} name={`${name}, ${day}`} />
    </section>
  );
}

/** Rates that hold later begin as those before them. */
function AddRateChange({ code, name, rate }: { code: string; name: string; rate: SalesTaxRate }) {
  const form = useEdited();
  const { t } = useLanguage();
  const [date, setDate] = useState('');
  return (
    <div className="flex flex-wrap items-end gap-3">
      <TextField
        className="w-56"
        type="date"
        label={t('office.money.changeDay')}
        aria-label={`${t('office.money.changeDay')}, ${name}`}
        value={date}
        error={form.errorAt(['taxRates', code, 'changes'], t('office.money.changes'))}
        onChange={({ target }) => setDate(target.value)}
      />
      <Button
        label={t('office.money.addChange')}
        variant="secondary"
        size="small"
        aria-label={`${t('office.money.addChange')}: ${name}`}
        disabled={date === '' || rate.changes?.some((each) => each.date === date) === true}
        onClick={() => {
          const [before] = ratesOn(date, { taxRates: [rate], taxRegistrations: [] });
          if (!before) return;
          const { provinceCode: _, ...rates } = before;
          const all = [...(rate.changes ?? []), { date, ...rates }];
          form.change(
            ['taxRates', code, 'changes'],
            all.toSorted((a, b) => (a.date < b.date ? -1 : 1)),
          );
          setDate('');
        }}
      />
    </div>
  );
}

const inWords = (text: string): LocalText => Object.fromEntries(localeCodes.map((code) => [code, text]));

function Payment() {
  const form = useEdited();
  const { t } = useLanguage();
  return (
    <FormSection title={t('office.money.payment')}>
      <CheckOf
        path={['paymentConfig', 'paymentOnline']}
        label={t('office.money.online')}
        hint={t('office.money.onlineHint')}
      />
      <CheckOf
        path={['paymentConfig', 'payAtStoreEnabled']}
        label={t('office.money.payInStore')}
        hint={t('office.money.payInStoreHint')}
      />
      {form.valueAt(['paymentConfig', 'payAtStoreEnabled']) === true && (
        <div className={pair}>
          <MoneyOf
            path={['payAtStoreLimits', 'customers', 'totalCents']}
            label={t('office.money.mostCustomer')}
            nullable
          />
          <MoneyOf
            path={['payAtStoreLimits', 'guests', 'totalCents']}
            label={t('office.money.mostGuest')}
            nullable
          />
          <NumberOf
            path={['payAtStoreLimits', 'customers', 'units']}
            label={t('office.money.mostUnitsCustomer')}
            nullable
          />
          <NumberOf
            path={['payAtStoreLimits', 'guests', 'units']}
            label={t('office.money.mostUnitsGuest')}
            nullable
          />
          <NumberOf
            path={['payAtStoreLimits', 'customers', 'lines']}
            label={t('office.money.mostLinesCustomer')}
            nullable
          />
          <NumberOf
            path={['payAtStoreLimits', 'guests', 'lines']}
            label={t('office.money.mostLinesGuest')}
            nullable
          />
          <NumberOf
            path={['reservationHours']}
            label={t('office.money.reservation')}
            hint={t('office.money.reservationHint')}
          />
        </div>
      )}
    </FormSection>
  );
}

function Tips({ stores }: Pick<MoneyAnswer, 'stores'>) {
  const { t } = useLanguage();
  return (
    <>
      <FormSection title={t('office.money.tips')}>
        <ListOf<number | string>
          path={['tipPercentages']}
          label={t('office.money.tipPercentages')}
          hint={t('office.money.tipPercentagesHint')}
          parse={(text) =>
            text
              .split(/[,，\s]+/)
              .filter(Boolean)
              .map((each) => (Number.isFinite(Number(each)) ? Number(each) : each))
          }
        />
        <Methods path={['tipMethods']} />
      </FormSection>
      <Charge stores={stores} />
    </>
  );
}

function Charge({ stores }: Pick<MoneyAnswer, 'stores'>) {
  const { t, locale } = useLanguage();
  return (
    <FormSection title={t('office.money.charge')}>
      <div className={pair}>
        <NumberOf
          path={['serviceCharge', 'percent']}
          label={t('office.money.chargePercent')}
          hint={t('office.money.chargeHint')}
        />
        <NumberOf
          path={['serviceCharge', 'fromPartySize']}
          label={t('office.money.chargeParty')}
          hint={t('office.money.chargePartyHint')}
          nullable
        />
      </div>
      <LocalTextOf path={['serviceCharge', 'name']} label={t('office.money.chargeName')} />
      <SelectOf
        path={['serviceCharge', 'taxClass']}
        label={t('office.money.chargeClass')}
        options={[
          { value: '', label: t('office.money.chargeUntaxed') },
          ...allTaxClasses.map((value) => ({ value, label: t(`office.money.class.${value}`) })),
        ]}
      />
      <Methods path={['serviceCharge', 'methods']} />
      <ChecksOf
        path={['serviceCharge', 'stores']}
        label={t('office.money.chargeStores')}
        options={stores.map(({ name, nameContent }) => ({
          value: name,
          label: inLocale(nameContent, locale),
        }))}
      />
    </FormSection>
  );
}

function Methods({ path }: { path: readonly string[] }) {
  const { t } = useLanguage();
  return (
    <div className="flex flex-wrap gap-x-6">
      {(['shipping', 'pickup', 'instore'] as const).map((method) => (
        <CheckOf key={method} path={[...path, method]} label={t(`office.money.on.${method}`)} />
      ))}
    </div>
  );
}

const taxClasses = ['standard', 'prepared-food', 'zero-rated-grocery'] as const;

function SampleBill({
  edits,
  answer: { provinces, stores, currency },
}: {
  edits: Patch['edits'];
  answer: MoneyAnswer;
}) {
  const form = useEdited();
  const { t, locale, call } = useOffice();
  const { text, parse } = useMoney();
  const [amount, setAmount] = useState(() => text(ofUnits(50, currency)));
  const [taxClass, setTaxClass] = useState<string>('standard');
  const [place, setPlace] = useState(`${homeCountry} ON`);
  const itemsCents = parse(amount) ?? 0;
  const [country = '', province = ''] = place.split(' ');
  const to =
    country === ''
      ? { country: null, province: null, store: province }
      : { country, province: province || null, store: null };
  const trial = useTrial(['try-money', locale, { edits, itemsCents, taxClass, to }], () =>
    call('tryMoney', { body: { edits, itemsCents, taxClass, to } }),
  );
  const countries = form.valueAt(['countries']) as { countryISOCode: string; name: LocalText }[];
  const places = [
    ...provinces.map(({ code, name }) => ({
      value: `${homeCountry} ${code}`,
      label: t('office.money.to', { place: inLocale(name, locale) }),
    })),
    ...countries
      .filter(({ countryISOCode }) => countryISOCode !== homeCountry)
      .map(({ countryISOCode, name }) => ({
        value: countryISOCode,
        label: t('office.money.to', { place: inLocale(name, locale) }),
      })),
    ...stores.map(({ name, nameContent }) => ({
      value: ` ${name}`,
      label: t('office.money.at', { place: inLocale(nameContent, locale) }),
    })),
  ];
  return (
    <Trial trial={trial}>
      <TextField
        label={t('office.sample.items')}
        inputMode="decimal"
        autoComplete="off"
        value={amount}
        onChange={({ target }) => setAmount(target.value)}
      />
      <Select
        label={t('office.money.class')}
        value={taxClass}
        options={taxClasses.map((value) => ({ value, label: t(`office.money.class.${value}`) }))}
        onChange={({ target }) => setTaxClass(target.value)}
      />
      <Select
        label={t('office.money.place')}
        value={place}
        options={places}
        onChange={({ target }) => setPlace(target.value)}
      />
      {trial.data && <Outcome outcome={trial.data} currency={currency} isShipped={country !== ''} />}
    </Trial>
  );
}

function Outcome({
  outcome,
  currency,
  isShipped,
}: {
  outcome: MoneyTrial;
  currency: string;
  isShipped: boolean;
}) {
  const { t, locale } = useLanguage();
  const money = (cents: number) => formatMoney(cents, locale, currency);
  const { shipping, subtotal, shippingCents, serviceCharge, taxes, total, final, payInStore } = outcome;
  const rows = [
    { label: t('office.money.items'), amount: subtotal },
    ...(isShipped && shipping.length > 0
      ? [{ label: inLocale(shipping[0]?.name ?? {}, locale), amount: shippingCents }]
      : []),
    ...(serviceCharge > 0 ? [{ label: t('office.money.charge'), amount: serviceCharge }] : []),
    ...taxes,
  ];
  const whoPays = payInStore.guest ? 'paidInStore' : payInStore.customer ? 'paidByCustomers' : 'notInStore';
  return (
    <div role="status" data-bill className="flex flex-col gap-4">
      <dl className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1">
        {rows.map(({ label, amount }) => (
          <Row key={label} label={label} amount={money(amount)} />
        ))}
        <Row label={t('office.money.total')} amount={money(total)} strong />
      </dl>
      {!final && (
        <p className="font-medium text-clay text-sm">
          {t(isShipped && shipping.length === 0 ? 'office.money.noMethod' : 'office.money.noRates')}
        </p>
      )}
      {shipping.length > 0 && (
        <div>
          <h3 className="font-sans font-semibold">{t('office.money.methods')}</h3>
          <ul className="text-sm">
            {shipping.map(({ id, name, priceCents, earliest, latest }) => (
              <li key={id} className="flex justify-between gap-4">
                <span>
                  {inLocale(name, locale)}
                  <span className="block text-ink-soft">
                    {formatCalendarDay(earliest, locale)}–{formatCalendarDay(latest, locale)}
                  </span>
                </span>
                <span>{priceCents === 0 ? t('office.money.free') : money(priceCents)}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
      {!isShipped && <p className="text-sm">{t(`office.money.${whoPays}`)}</p>}
    </div>
  );
}

function Row({ label, amount, strong = false }: { label: string; amount: string; strong?: boolean }) {
  return (
    <>
      <dt className={strong ? 'border-line border-t pt-1 font-semibold' : undefined}>{label}</dt>
      <dd className={strong ? 'border-line border-t pt-1 text-right font-semibold' : 'text-right'}>
        {amount}
      </dd>
    </>
  );
}
