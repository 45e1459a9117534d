import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { dateFormat } from '#contract/formatters.ts';
import {
  inLocale,
  type Locale,
  localeCodes,
  locales,
  mainLocale,
  offeredLocales,
} from '#contract/locales.ts';
import { parseAmount } from '#contract/money.ts';
import type { CouponList } from '#contract/staff/coupons.ts';
import type { StaffBody } from '#contract/staff/endpoints.ts';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { useForm } from '#ui/form.tsx';
import { formatMoney } from '#ui/format.ts';
import { Select, TextField, type TextFieldProps } from '#ui/inputs.tsx';
import { Link } from '#ui/link.tsx';
import { AddButton, useAdding } from '../../lib/adding.tsx';
import { useOnce } from '../../lib/api.ts';
import { labelIn, useLanguage } from '../../lib/i18n.tsx';
import { LoadingRows } from '../../lib/lists.tsx';
import { useOffice } from '../../lib/me.tsx';
import { Problem, SendForm } from '../../lib/send-form.tsx';
import { couponsQuery } from '../../lib/whole-lists.ts';

type Coupon = CouponList['coupons'][number];

export default function Coupons() {
  const { t, call, queries } = useOffice();
  const adding = useAdding();
  const { data, error } = useQuery(couponsQuery(call));
  const end = useMutation({
    mutationFn: (code: string) => call('endCoupon', { params: { id: code } }),
    onSuccess: (answer) => queries.setQueryData(['coupons'], answer),
  });
  const problem = end.error ?? error;
  return (
    <div className="flex max-w-room flex-col gap-6">
      <header className="flex flex-wrap items-center justify-between gap-4">
        <h1 className="text-2xl">{t('office.coupons')}</h1>
        <AddButton adding={adding} />
      </header>
      <Problem error={problem} />
      <LoadingRows until={data !== undefined || error !== null} />
      {data?.coupons.length === 0 && <p className="text-ink-soft">{t('office.coupon.none')}</p>}
      <ul className="divide-y divide-line border-line border-y empty:hidden">
        {data?.coupons.map((coupon) => (
          <li key={coupon.code} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-3">
            <CouponWords coupon={coupon} list={data} />
            {coupon.state !== 'ended' && (
              <Button
                label={t('office.coupon.end')}
                variant="secondary"
                size="small"
                busy={end.isPending && end.variables === coupon.code}
                aria-label={`${t('office.coupon.end')}: ${coupon.code}`}
                onClick={() => end.mutate(coupon.code)}
              />
            )}
          </li>
        ))}
      </ul>
      {adding.isOpen && <AddCoupon onClose={adding.close} />}
    </div>
  );
}

function CouponWords({ coupon, list: { currency, timeZone } }: { coupon: Coupon; list: CouponList }) {
  const { t, locale } = useLanguage();
  const day = dateFormat(locale, { dateStyle: 'medium', timeZone });
  const {
    code,
    name,
    kind,
    percent,
    amount,
    minSubtotal,
    startsAt,
    endsAt,
    totalLimit,
    customerLimit,
    used,
    held,
  } = coupon;
  const gives = {
    percent: t('office.coupon.percentOff', { percent: percent / 1000 }),
    amount: t('office.coupon.amountOff', { amount: formatMoney(amount, locale, currency) }),
    freeShipping: t('office.coupon.kind.freeShipping'),
  }[kind];
  const words = [
    gives,
    ...(minSubtotal > 0
      ? [t('office.coupon.minimum', { amount: formatMoney(minSubtotal, locale, currency) })]
      : []),
    ...(coupon.products.length > 0
      ? [t('office.coupon.forProducts', { count: coupon.products.length })]
      : []),
    ...(coupon.categories.length > 0
      ? [t('office.coupon.forCategories', { count: coupon.categories.length })]
      : []),
    ...(coupon.countries.length > 0 ? [coupon.countries.join(t('office.listSeparator'))] : []),
    ...(startsAt === null ? [] : [t('office.coupon.fromDay', { day: day.format(startsAt) })]),
    // The end is the first moment after the last day.
    ...(endsAt === null ? [] : [t('office.coupon.untilDay', { day: day.format(endsAt - 1) })]),
    ...(customerLimit === null ? [] : [t('office.coupon.each', { count: customerLimit })]),
  ];
  const uses =
    totalLimit === null
      ? t('office.coupon.used', { count: used })
      : t('office.coupon.usedOf', { count: used, most: totalLimit });
  return (
    <p className="min-w-0 flex-1 basis-64">
      <Link
        href={`/office/coupons/${encodeURIComponent(code)}`}
        className="inline-flex min-h-11 items-center font-semibold underline"
      >
        {code}
      </Link>
      <span className="text-ink-soft"> · {inLocale(name, locale)}</span>
      <span className="block text-ink-soft text-sm">{words.join(' · ')}</span>
      <span className="block text-sm">
        {t(`office.coupon.state.${coupon.state}`)} · {uses}
        {held > 0 && ` · ${t('office.coupon.held', { count: held })}`}
      </span>
    </p>
  );
}

const kinds = ['percent', 'amount', 'freeShipping'] as const satisfies readonly Coupon['kind'][];
/** In thousandths or whole; what is no number is refused by the server. */
const parsed = (text: string, unit: number) => Math.round(Number(text.replace(',', '.') || 0) * unit);

const empty = {
  code: '',
  kind: 'percent' as Coupon['kind'],
  percent: '10',
  amount: '',
  minSubtotal: '',
  from: '',
  until: '',
  totalLimit: '',
  customerLimit: '',
  ...(Object.fromEntries(localeCodes.map((locale) => [`name.${locale}`, ''])) as Record<
    `name.${Locale}`,
    string
  >),
};

/** Languages in which nothing is written have no name. */
const nameOf = (typed: typeof empty) =>
  Object.fromEntries(
    localeCodes.flatMap((locale) => {
      const name = typed[`name.${locale}`] || (locale === mainLocale() ? typed.code : '');
      return name === '' ? [] : [[locale, name]];
    }),
  );

function bodyOf(typed: typeof empty, currency: string): StaffBody<'addCoupon'> {
  const amountIn = (text: string) => (text.trim() === '' ? 0 : (parseAmount(text, currency) ?? Number.NaN));
  const { code, kind, from, until } = typed;
  return {
    code,
    kind,
    countries: [],
    products: [],
    categories: [],
    name: nameOf(typed),
    percent: kind === 'percent' ? parsed(typed.percent, 1000) : 0,
    amount: kind === 'amount' ? amountIn(typed.amount) : 0,
    minSubtotal: amountIn(typed.minSubtotal),
    totalLimit: typed.totalLimit === '' ? null : parsed(typed.totalLimit, 1),
    customerLimit: typed.customerLimit === '' ? null : parsed(typed.customerLimit, 1),
    from: from || null,
    until: until || null,
  };
}

function Names({ form }: { form: { field: (name: `name.${Locale}`) => Omit<TextFieldProps, 'label'> } }) {
  const { t } = useLanguage();
  return offeredLocales().map((code) => (
    <TextField
      key={code}
      {...form.field(`name.${code}`)}
      label={labelIn(code, t('office.coupon.name'))}
      lang={locales[code].tag}
      maxLength={200}
      autoComplete="off"
    />
  ));
}

function AddCoupon({ onClose }: { onClose: () => void }) {
  const { t, call, queries, shop } = useOffice();
  const { currency } = shop;
  const once = useOnce();
  const navigate = useNavigate();
  const form = useForm({
    initial: empty,
    send: (typed) => call('addCoupon', { body: bodyOf(typed, currency), once }),
    onSent: ({ content }) => {
      void queries.invalidateQueries({ queryKey: ['coupons'] });
      // Its page has the rest: countries, products and categories.
      void navigate({ to: `/office/coupons/${encodeURIComponent(content.id)}` as '/office' });
    },
  });
  const { kind } = form.values;
  return (
    <Dialog open onClose={onClose} title={t('office.coupon.add')}>
      <SendForm form={form} label={t('office.coupon.add')}>
        <TextField
          {...form.field('code')}
          label={t('office.coupon.code')}
          hint={t('office.coupon.codeHint')}
          autoComplete="off"
        />
        <Names form={form} />
        <Select
          label={t('office.coupon.kind')}
          options={kinds.map((value) => ({ value, label: t(`office.coupon.kind.${value}`) }))}
          value={kind}
          onChange={({ target }) => form.change({ kind: target.value as Coupon['kind'] })}
        />
        {kind !== 'freeShipping' && (
          <TextField
            {...form.field(kind)}
            label={t(`office.coupon.kind.${kind}`)}
            inputMode="decimal"
            autoComplete="off"
          />
        )}
        <TextField
          {...form.field('minSubtotal')}
          label={t('office.coupon.minSubtotal')}
          inputMode="decimal"
          autoComplete="off"
        />
        <div className="grid gap-5 product:grid-cols-2">
          <TextField {...form.field('from')} label={t('office.coupon.from')} type="date" />
          <TextField {...form.field('until')} label={t('office.coupon.until')} type="date" />
          <TextField
            {...form.field('totalLimit')}
            label={t('office.coupon.totalLimit')}
            inputMode="numeric"
            autoComplete="off"
          />
          <TextField
            {...form.field('customerLimit')}
            label={t('office.coupon.customerLimit')}
            inputMode="numeric"
            autoComplete="off"
          />
        </div>
      </SendForm>
    </Dialog>
  );
}
