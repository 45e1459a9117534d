/** Takings: what was sold, received and given back within days of the shop's time zone, as the books say. */
import { taxLabel } from '#contract/rules/tax-labels.ts';
import { countedAs, movementOf, reportSign, type SoldAccount } from '#contract/staff/accounts-of-books.ts';
import type { Takings, TakingsCell } from '#contract/staff/takings.ts';
import type { Database } from '#db/database.ts';
import type { StoresService } from '#server/modules/stores/index.ts';
import { daysOf } from '#server/platform/day-span.ts';
import type { Permit } from '#server/platform/permits.ts';
import { hourMs, wallClock } from '#server/platform/time-zone.ts';
import { countedIn, type TakenSum, takenIn } from './takings.repository.ts';

/** A range of up to so many days is divided into hours, and into days. */
const mostByHour = 2;
const mostByDay = 92;

export function createTakings({
  db,
  now,
  stores,
}: {
  db: Database;
  now: () => number;
  stores: StoresService;
}) {
  return {
    /**
     * Sums the bills of the orders that were placed, changed and cancelled within the range, and the money that was received and given
     * back within it.
     * @throws {AppError} REQUEST_VALIDATION_ERROR for days that do not exist or are no range
     */
    async of(
      permit: Permit<'reports.read'>,
      days: { from?: string | undefined; to?: string | undefined },
    ): Promise<Takings> {
      const timeZone = await stores.timeZone();
      const { from = wallClock(now(), timeZone).date, to = from } = days;
      const { unit, steps, end } = stepsOf(from, to, timeZone);
      const span = { steps, end, stores: permit.stores };
      const cells = createCells();
      for (const { count, ...each } of await countedIn(db.read, span))
        cells.of(each)[countedAs(each.kind) === 'placed' ? 'orders' : 'cancelled'] += Number(count);
      for (const sum of await takenIn(db.read, span))
        add(cells.of(sum), { ...sum, amount: Number(sum.amount) });
      return { from, to, unit, steps, cells: cells.all() };
    },
  };
}

/** The starts of the steps, and the end of the last. Days begin as the clock of the zone says: one may have 23 hours, or 25. */
function stepsOf(
  from: string,
  to: string,
  timeZone: string,
): Pick<Takings, 'unit' | 'steps'> & { end: number } {
  const { days, startOf, first, last } = daysOf(from, to, timeZone);
  const end = startOf(last.add({ days: 1 }));
  const steps: number[] = [];
  if (days <= mostByHour) {
    for (let at = startOf(first); at < end; at += hourMs) steps.push(at);
    return { unit: 'hour', steps, end };
  }
  const unit = days <= mostByDay ? 'day' : 'month';
  for (let day = first; Temporal.PlainDate.compare(day, last) <= 0; ) {
    steps.push(startOf(day));
    day = unit === 'day' ? day.add({ days: 1 }) : day.with({ day: 1 }).add({ months: 1 });
  }
  return { unit, steps, end };
}

function createCells() {
  const cells = new Map<string, TakingsCell>();
  return {
    of({ at, store, currency }: Pick<TakingsCell, 'at' | 'store' | 'currency'>): TakingsCell {
      const key = JSON.stringify([at, store, currency]);
      const known = cells.get(key);
      if (known) return known;
      const cell: TakingsCell = {
        at,
        store,
        currency,
        orders: 0,
        subtotal: 0,
        discount: 0,
        shipping: 0,
        serviceCharge: 0,
        kept: 0,
        taxes: [],
        tip: 0,
        total: 0,
        cancelled: 0,
        cancelledTotal: 0,
        money: [],
        back: { net: 0, taxes: [], tip: 0, total: 0 },
      };
      cells.set(key, cell);
      return cell;
    },
    all: () =>
      [...cells.values()].sort((a, b) => a.at - b.at || ((a.store ?? '') < (b.store ?? '') ? -1 : 1)),
  };
}

/** Where a cell sums what was sold. */
const fields = {
  sales: 'subtotal',
  discounts: 'discount',
  shipping: 'shipping',
  service: 'serviceCharge',
  kept: 'kept',
} as const satisfies Record<SoldAccount, keyof TakingsCell>;

function add(cell: TakingsCell, sum: TakenSum): void {
  const { account, kind, amount } = sum;
  if (account === 'money' || account === 'rounding') addMoney(cell, sum);
  if (account !== 'tax' && account !== 'tips' && !(account in fields)) return;
  const earned = 0 - amount;
  if (movementOf(kind) === 'back') {
    cell.back.total -= earned;
    if (account === 'tax') addTax(cell.back.taxes, sum, -earned);
    else cell.back[account === 'tips' ? 'tip' : 'net'] -= earned;
    return;
  }
  cell.total += earned;
  if (movementOf(kind) === 'cancelled') cell.cancelledTotal -= earned;
  if (account === 'tax') addTax(cell.taxes, sum, earned);
  else if (account === 'tips') cell.tip += earned;
  else if (account === 'discounts') cell.discount -= earned;
  else cell[fields[account as keyof typeof fields]] += earned;
}

function addTax(taxes: TakingsCell['taxes'], tax: TakenSum, amount: number): void {
  const label = taxLabel(tax);
  const known = taxes.find((each) => each.label === label);
  if (known) known.amount += amount;
  else taxes.push({ label, amount });
}

/** What rounding added to cash, or took off it, is no part of what was received or refunded for orders. */
function addMoney({ money }: TakingsCell, { account, way, kind, part, amount }: TakenSum): void {
  const movement = movementOf(kind);
  if (movement !== 'received' && movement !== 'back') return;
  const known = money.find((each) => each.way === way);
  const cell = known ?? {
    way,
    received: 0,
    tips: 0,
    rounding: 0,
    refunded: 0,
    refundedTips: 0,
    refundedRounding: 0,
  };
  if (!known) money.push(cell);
  if (account === 'rounding')
    cell[movement === 'received' ? 'rounding' : 'refundedRounding'] += reportSign(account) * amount;
  if (movement === 'received') {
    cell.received += amount;
    if (part === 'tip') cell.tips += amount;
  } else {
    cell.refunded -= amount;
    if (part === 'tip') cell.refundedTips -= amount;
  }
}
