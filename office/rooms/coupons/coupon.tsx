/** A coupon: what it gives, and on which conditions. */
import { useParams } from '@tanstack/react-router';
import { countryCodes, countryName } from '#contract/countries.ts';
import { inLocale } from '#contract/locales.ts';
import { addDays } from '#contract/rules/opening-hours.ts';
import type { StaffResponse } from '#contract/staff/endpoints.ts';
import { forms } from '#contract/staff/forms.ts';
import { Select, TextField } from '#ui/inputs.tsx';
import { ChosenOf } from '../../lib/chosen-of.tsx';
import type { Path } from '../../lib/document.tsx';
import { TypedOf, useEdited } from '../../lib/document-form.tsx';
import { useLanguage } from '../../lib/i18n.tsx';
import { KindPage } from '../../lib/kind-page.tsx';
import { useOffice } from '../../lib/me.tsx';
import { MoneyOf } from '../../lib/money.tsx';
import { SchemaForm } from '../../lib/schema-form.tsx';
import { instantIn, isoIn } from '../../lib/shop-time.ts';

export default function CouponPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  const { t } = useLanguage();
  return (
    <KindPage
      kind="coupon"
      id={id}
      name={['coupon', id]}
      list={{ path: 'coupons', query: 'coupons', title: t('office.coupons') }}
      needs="coupons.write"
      removable
    >
      {({ used, products, categories }) => (
        <>
          <p className="text-ink-soft">
            {id} · {t('office.coupon.used', { count: used })}
          </p>
          <CouponFields {...{ products, categories }} />
        </>
      )}
    </KindPage>
  );
}

export function CouponFields({
  products,
  categories,
}: Pick<StaffResponse<'coupon'>, 'products' | 'categories'>) {
  const form = useEdited();
  const { t, locale } = useLanguage();
  const kind = form.valueAt(['kind']);
  return (
    <SchemaForm
      fields={forms.coupon}
      products={products}
      choices={{
        categories: categories.map(({ name, nameContent }) => ({
          value: name,
          label: inLocale(nameContent, locale),
        })),
      }}
      own={{
        percent: (path, { label }) =>
          kind === 'percent' && <PercentOf key="percent" path={path} label={t(label)} />,
        amount: (path, { label }) =>
          kind === 'amount' && <MoneyOf key="amount" path={path} label={t(label)} />,
        countries: (path, { label, hint }) => (
          <CountriesOf key="countries" path={path} label={t(label)} hint={hint ? t(hint) : ''} />
        ),
        startsAt: (path, { label }) => <DayOf key="startsAt" path={path} label={t(label)} />,
        endsAt: (path, { label }) => <DayOf key="endsAt" path={path} label={t(label)} isLast />,
      }}
    />
  );
}

const perPercent = 1000;

/** In thousandths of a percent. What is no number is kept for the server to refuse. */
function PercentOf({ path, label }: { path: Path; label: string }) {
  const parse = (text: string) => {
    const number = Number(text.trim().replace(',', '.'));
    return Number.isFinite(number) ? Math.round(number * perPercent) : text;
  };
  const print = (value: unknown) =>
    typeof value === 'number' ? String(value / perPercent) : String(value ?? '');
  return <TypedOf path={path} label={label} parse={parse} print={print} />;
}

/** A day of the shop; the last one ends with the first moment of the next. */
function DayOf({ path, label, isLast = false }: { path: Path; label: string; isLast?: boolean }) {
  const form = useEdited();
  const { timeZone } = useOffice().shop;
  const print = (value: unknown) =>
    typeof value === 'number' ? isoIn(timeZone, isLast ? value - 1 : value).slice(0, 10) : '';
  const at = (day: string) => instantIn(timeZone, `${isLast ? addDays(day, 1) : day}T00:00`);
  return (
    <TextField
      className="max-w-64"
      type="date"
      label={label}
      value={print(form.valueAt(path))}
      error={form.errorAt(path, label, print)}
      onChange={({ target }) => form.change(path, target.value === '' ? null : at(target.value))}
    />
  );
}

function CountriesOf({ path, label, hint }: { path: Path; label: string; hint: string }) {
  const { t, locale } = useLanguage();
  const nameOf = (code: string) => countryName(code, locale);
  const byName = new Intl.Collator(locale).compare;
  const optionsBesides = (chosen: readonly string[]) =>
    countryCodes
      .filter((code) => !chosen.includes(code))
      .map((value) => ({ value, label: nameOf(value) }))
      .toSorted((one, other) => byName(one.label, other.label));
  return (
    <ChosenOf path={path} label={label} nameOf={nameOf}>
      {(chosen, add) => (
        <Select
          label={t('office.coupon.addCountry')}
          hint={hint}
          placeholder={t('office.choose')}
          value=""
          options={optionsBesides(chosen)}
          onChange={({ target: { value } }) => value && add(value)}
        />
      )}
    </ChosenOf>
  );
}
