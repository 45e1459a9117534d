/** What a sample order would cost with the settings as they are in the form, saved or not. */
import { useState } from 'react';
import { inLocale, type LocalText } from '#contract/locales.ts';
import type { Patch } from '#contract/staff/documents.ts';
import type { MoneyTrial } from '#contract/staff/settings.ts';
import { homeCountry } from '#contract/taxes.ts';
import { formatCalendarDay, formatMoney } from '#ui/format.ts';
import { Select, TextField } from '#ui/inputs.tsx';
import { useCall } from '../../lib/api.tsx';
import type { EditedDocument } from '../../lib/document.tsx';
import { useLanguage } from '../../lib/i18n.tsx';
import { Trial, useTrial } from '../../lib/trial.tsx';
import type { MoneyAnswer } from './money.tsx';

const taxClasses = ['standard', 'prepared-food', 'zero-rated-grocery'] as const;

interface SampleBillProps {
  edits: Patch['edits'];
  answer: MoneyAnswer;
  form: EditedDocument;
}

export function SampleBill({ edits, answer: { provinces, stores, currency }, form }: SampleBillProps) {
  const { t, locale } = useLanguage();
  const call = useCall();
  const [amount, setAmount] = useState('50.00');
  const [taxClass, setTaxClass] = useState<string>('standard');
  const [place, setPlace] = useState(`${homeCountry} ON`);
  const itemsCents = Math.max(0, Math.round((Number(amount.replace(',', '.')) || 0) * 100));
  const [country = '', province = ''] = place.split(' ');
  const to =
    country === '' ? { country: null, province: null, store: province } : { country, province: province || null, store: null };
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
      <Select label={t('office.money.place')} value={place} options={places} onChange={({ target }) => setPlace(target.value)} />
      {trial.data && <Outcome outcome={trial.data} currency={currency} isShipped={country !== ''} />}
    </Trial>
  );
}

function Outcome({ outcome, currency, isShipped }: { outcome: MoneyTrial; currency: string; isShipped: boolean }) {
  const { t, locale } = useLanguage();
  const money = (cents: number) => formatMoney(cents, locale, currency);
  const { shipping, subtotal, shippingCents, serviceCharge, taxes, total, final, payInStore } = outcome;
  const rows = [
    { label: t('office.money.items'), amount: subtotal },
    ...(isShipped && shipping.length > 0 ? [{ label: inLocale(shipping[0]?.name ?? {}, locale), amount: shippingCents }] : []),
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
          <h3 className="font-semibold">{t('office.money.methods')}</h3>
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
      <dd className={strong ? 'border-line border-t pt-1 text-right font-semibold' : 'text-right'}>{amount}</dd>
    </>
  );
}
