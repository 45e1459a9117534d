/** The figures, the picture and the tables of takings. */
import type { ReactNode } from 'react';
import { wayText } from '#contract/staff/messages.ts';
import { cx } from '#ui/cx.ts';
import { useOffice } from '../../lib/me.tsx';
import { moneyOf, type Sums } from './sums.ts';

interface SumsProps {
  sums: Sums;
  money: (cents: number) => string;
}

export function Figures({ sums, money }: SumsProps) {
  const { t } = useOffice();
  const { received, refunded, kept } = moneyOf(sums);
  const figures = [
    [t('office.takings.sales'), money(sums.total)],
    [t('office.takings.orders'), String(sums.orders)],
    [t('office.takings.average'), money(sums.orders === 0 ? 0 : Math.round(sums.total / sums.orders))],
    [t('office.takings.received'), money(received)],
    [t('office.takings.refunded'), money(refunded)],
    [t('office.takings.net'), money(kept)],
  ] as const;
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-md border border-line bg-line form:grid-cols-3 wide:grid-cols-6">
      {figures.map(([name, value]) => (
        <div key={name} className="flex flex-col bg-raised px-4 py-3">
          <dt className="text-ink-soft text-sm">{name}</dt>
          <dd className="font-serif text-xl tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

interface Row {
  at: number | string;
  name: string;
  sums: Sums;
}

/** Columns of the sales of each step. The table beside it says the same. */
export function Chart({ steps, money }: { steps: readonly Row[]; money: SumsProps['money'] }) {
  const { t } = useOffice();
  const most = Math.max(1, ...steps.map(({ sums }) => sums.total));
  const [first, last] = [steps[0], steps.at(-1)];
  return (
    <figure className="flex min-h-64 flex-col gap-2" aria-hidden>
      <figcaption className="flex justify-between text-ink-soft text-sm">
        <span>{t('office.takings.chart')}</span>
        <span className="tabular-nums">{money(most)}</span>
      </figcaption>
      <div className="flex min-h-48 flex-1 items-end gap-[max(1px,0.25%)] border-line border-y">
        {steps.map(({ at, name, sums }) => (
          <div key={at} title={`${name}: ${money(sums.total)}`} className="group flex h-full flex-1 items-end">
            <div
              className={cx('w-full rounded-t-sm bg-action group-hover:bg-action-strong', sums.total > 0 && 'min-h-0.5')}
              style={{ height: `${(sums.total / most) * 100}%` }}
            />
          </div>
        ))}
      </div>
      <p className="flex justify-between text-ink-soft text-sm">
        <span>{first?.name}</span>
        {first !== last && <span>{last?.name}</span>}
      </p>
    </figure>
  );
}

interface TableProps {
  caption?: string;
  hint?: string;
  heads?: readonly string[];
  rows: readonly { key?: string | number; name: string; cells: readonly ReactNode[]; look?: 'total' | 'aside' | false }[];
}

function Table({ caption, hint, heads, rows }: TableProps) {
  const looks = { total: 'font-semibold', aside: 'text-ink-soft' };
  return (
    <div className="min-w-0 overflow-x-auto">
      <table className="w-full tabular-nums max-form:text-sm [&_:is(td,th):not(:first-child)]:pl-3 [&_:is(td,th):not(:first-child)]:text-right [&_:is(td,th)]:py-2 [&_tr]:border-line [&_tr]:border-b">
        {caption && (
          <caption className="pb-2 text-left">
            <span className="font-serif text-lg">{caption}</span>
            <span className="block text-ink-soft text-sm">{hint}</span>
          </caption>
        )}
        {heads && (
          <thead className="text-ink-soft text-sm">
            <tr>
              {heads.map((head) => (
                <th key={head} scope="col" className="text-left font-semibold">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
        )}
        <tbody>
          {rows.map(({ name, key = name, cells, look }) => (
            <tr key={key} className={look ? looks[look] : undefined}>
              <th scope="row" className={cx('text-left', look !== 'total' && 'font-normal')}>
                {name}
              </th>
              {cells.map((cell, column) => (
                <td key={heads?.[column + 1] ?? name}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Orders, sales, received and refunded of each row. */
export function SumsTable({ head, rows, money }: { head: string; rows: readonly Row[]; money: SumsProps['money'] }) {
  const { t } = useOffice();
  const heads = (['orders', 'sales', 'received', 'refunded'] as const).map((name) => t(`office.takings.${name}`));
  const rowOf = ({ at, name, sums }: Row) => {
    const { received, refunded } = moneyOf(sums);
    return { key: at, name, cells: [sums.orders, money(sums.total), money(received), money(refunded)] };
  };
  return <Table heads={[head, ...heads]} rows={rows.map(rowOf)} />;
}

export function Sales({ sums, money }: SumsProps) {
  const { t } = useOffice();
  const row = (name: string, cents: number) => ({ name, cells: [money(cents)] });
  const rows = [
    row(t('office.takings.items'), sums.subtotal),
    row(t('office.takings.discounts'), 0 - sums.discount),
    row(t('office.takings.shipping'), sums.shipping),
    row(t('office.takings.serviceCharge'), sums.serviceCharge),
    ...sums.taxes.map(({ label, amount }) => row(label, amount)),
    row(t('office.takings.tips'), sums.tip),
    { ...row(t('office.takings.total'), sums.total), look: 'total' as const },
    ...(sums.cancelled > 0
      ? [{ ...row(`${t('office.takings.cancelled')} (${sums.cancelled})`, sums.cancelledTotal), look: 'aside' as const }]
      : []),
  ];
  return <Table caption={t('office.takings.sales')} hint={t('office.takings.salesHint')} rows={rows} />;
}

export function Money({ sums, money }: SumsProps) {
  const { t } = useOffice();
  const heads = (['received', 'refunded', 'net', 'tips'] as const).map((name) => t(`office.takings.${name}`));
  const row = (name: string, { received, refunded, tips, refundedTips }: Omit<Sums['money'][number], 'way'>) => ({
    name,
    cells: [received, refunded, received - refunded, tips - refundedTips].map(money),
  });
  const rows = [
    ...sums.money.map(({ way, ...each }) => row(wayText(t, way), each)),
    { ...row(t('office.takings.total'), moneyOf(sums)), look: 'total' as const },
  ];
  return (
    <Table
      caption={t('office.takings.money')}
      hint={t('office.takings.moneyHint')}
      heads={[t('office.takings.way'), ...heads]}
      rows={rows}
    />
  );
}
