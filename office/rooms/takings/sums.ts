/** Adds up the cells of takings, and lists them as a file. */
import type { Cell } from '#contract/csv.ts';
import { groupBy } from '#contract/group-by.ts';
import { decimalText } from '#contract/money.ts';
import { type StaffTranslate, wayText } from '#contract/staff/messages.ts';
import type { TakingsCell } from '#contract/staff/takings.ts';
import { isoIn } from '../../lib/shop-time.ts';

export type Sums = Omit<TakingsCell, 'at' | 'store' | 'currency'>;

const counted = [
  'orders',
  'subtotal',
  'discount',
  'shipping',
  'serviceCharge',
  'kept',
  'tip',
  'total',
  'cancelled',
  'cancelledTotal',
] as const;
const ofMoney = ['received', 'tips', 'rounding', 'refunded', 'refundedTips', 'refundedRounding'] as const;

export function sumOf(cells: readonly TakingsCell[]): Sums {
  const sum = <T, F extends keyof T>(parts: readonly T[], field: F) =>
    parts.reduce((total, part) => total + Number(part[field]), 0);
  const counts = Object.fromEntries(counted.map((field) => [field, sum(cells, field)])) as Pick<
    Sums,
    (typeof counted)[number]
  >;
  const [allTaxes, allMoney] = [cells.flatMap((cell) => cell.taxes), cells.flatMap((cell) => cell.money)];
  const taxSums = (all: typeof allTaxes) =>
    [...groupBy(all, ({ label }) => label)].map(([label, parts]) => ({
      label,
      amount: sum(parts, 'amount'),
    }));
  const back = cells.map((cell) => cell.back);
  const money = groupBy(allMoney, ({ way }) => way);
  return {
    ...counts,
    taxes: taxSums(allTaxes),
    back: {
      net: sum(back, 'net'),
      tip: sum(back, 'tip'),
      total: sum(back, 'total'),
      taxes: taxSums(back.flatMap(({ taxes }) => taxes)),
    },
    money: [...money].map(([way, parts]) => ({
      way,
      ...(Object.fromEntries(ofMoney.map((field) => [field, sum(parts, field)])) as Record<
        (typeof ofMoney)[number],
        number
      >),
    })),
  };
}

interface Handed {
  received: number;
  refunded: number;
  kept: number;
  /** What is left of them. */
  tips: number;
  /** What coins added to `kept`. */
  rounding: number;
}

/** What was received and given back in one way, as it was handed over: in coins, like the drawer and the books have it. */
export function handedOf(exact: Sums['money'][number]): Handed {
  const received = exact.received + exact.rounding;
  const refunded = exact.refunded - exact.refundedRounding;
  const rounding = exact.rounding + exact.refundedRounding;
  return { received, refunded, kept: received - refunded, tips: exact.tips - exact.refundedTips, rounding };
}

/** The same, in all ways together. */
export function moneyOf({ money }: Pick<Sums, 'money'>): Handed {
  const handed = money.map(handedOf);
  const sum = (field: keyof Handed) => handed.reduce((total, each) => total + each[field], 0);
  return {
    received: sum('received'),
    refunded: sum('refunded'),
    kept: sum('kept'),
    tips: sum('tips'),
    rounding: sum('rounding'),
  };
}

/** Each tax as it was billed and given back. */
export function taxRows({
  taxes,
  back,
}: Pick<Sums, 'taxes' | 'back'>): { label: string; billed: number; back: number }[] {
  const labels = [...new Set([...taxes, ...back.taxes].map(({ label }) => label))];
  const amountIn = (all: Sums['taxes'], label: string) => all.find((tax) => tax.label === label)?.amount ?? 0;
  return labels.map((label) => ({
    label,
    billed: amountIn(taxes, label),
    back: amountIn(back.taxes, label),
  }));
}

interface Words {
  t: StaffTranslate;
  timeZone: string;
  nameOf: (store: string | null) => string;
}

/** A row for each step and store, with a column for each tax and way of paying that occurs. */
export function csvRows(cells: readonly TakingsCell[], { t, timeZone, nameOf }: Words): Cell[][] {
  const sums = sumOf(cells);
  const { money } = sums;
  const taxes = taxRows(sums);
  const backOf = (label: string) => `${t('office.takings.back')}: ${label}`;
  const hasRounding = cells.some((cell) => cell.money.some((each) => handedOf(each).rounding !== 0));
  const name = (key: 'received' | 'refunded' | 'tips', way: string) =>
    `${t(`office.takings.${key}`)}: ${wayText(t, way)}`;
  const heads = (
    ['day', 'store', 'currency', 'orders', 'items', 'discounts', 'shipping', 'serviceCharge'] as const
  ).map((key) => t(`office.takings.${key}`));
  return [
    [
      ...heads,
      t('office.takings.kept'),
      ...taxes.map(({ label }) => label),
      t('office.takings.tips'),
      t('office.takings.total'),
      backOf(t('office.takings.items')),
      ...taxes.map(({ label }) => backOf(label)),
      backOf(t('office.takings.tips')),
      ...money.flatMap(({ way }) => [name('received', way), name('refunded', way), name('tips', way)]),
      ...(hasRounding ? [t('office.takings.rounding')] : []),
      t('office.takings.cancelled'),
    ],
    ...cells.map((cell) => {
      const decimal = (cents = 0) => ({ decimal: decimalText(cents, cell.currency) });
      return [
        isoIn(timeZone, cell.at),
        nameOf(cell.store),
        cell.currency,
        cell.orders,
        ...[cell.subtotal, 0 - cell.discount, cell.shipping, cell.serviceCharge, cell.kept].map((cents) =>
          decimal(cents),
        ),
        ...taxes.map(({ label }) => decimal(cell.taxes.find((tax) => tax.label === label)?.amount)),
        decimal(cell.tip),
        decimal(cell.total),
        decimal(cell.back.net),
        ...taxes.map(({ label }) => decimal(cell.back.taxes.find((tax) => tax.label === label)?.amount)),
        decimal(cell.back.tip),
        ...money.flatMap(({ way }) => {
          const { received, refunded, tips } = moneyOf({
            money: cell.money.filter((each) => each.way === way),
          });
          return [received, refunded, tips].map(decimal);
        }),
        ...(hasRounding ? [decimal(moneyOf(cell).rounding)] : []),
        decimal(cell.cancelledTotal),
      ];
    }),
  ];
}
