/** Takings: what was sold, received and given back within days of the shop's time zone. */
import { longestRange, type Takings, type TakingsCell } from '#contract/staff/takings.ts';
import type { Database } from '#db/database.ts';
import { counter } from '#server/modules/payments/index.ts';
import type { StoresService } from '#server/modules/stores/index.ts';
import { validationError } from '#server/platform/errors.ts';
import type { Permit } from '#server/platform/permits.ts';
import { hourMs, isCalendarDay, wallClock } from '#server/platform/time-zone.ts';
import { type MoneyMove, receivedIn, refundedIn, type Sale, salesIn, undoneIn } from './takings.repository.ts';

/** A range of up to so many days is divided into hours, and into days. */
const mostByHour = 2;
const mostByDay = 92;

export function createTakings({ db, now, stores }: { db: Database; now: () => number; stores: StoresService }) {
  return {
    /**
     * Sums the orders that were placed within the range, and the money that was received and given back within it.
     * @throws {AppError} REQUEST_VALIDATION_ERROR for days that do not exist or are no range
     */
    async of(permit: Permit<'reports.read'>, days: { from?: string | undefined; to?: string | undefined }): Promise<Takings> {
      const timeZone = await stores.timeZone();
      const { from = wallClock(now(), timeZone).date, to = from } = days;
      const { unit, steps, end } = stepsOf(from, to, timeZone);
      const span = { from: steps[0] ?? end, to: end, stores: permit.stores };
      const cells = createCells(steps);
      for await (const sale of salesIn(db.read, span)) addSale(cells.of(sale), sale);
      for await (const move of receivedIn(db.read, span)) {
        const money = moneyOf(cells.of(move), move);
        money.received += move.amount;
        money.tips += move.tip;
        money.rounding += move.rounding;
      }
      for await (const move of undoneIn(db.read, span)) {
        const money = moneyOf(cells.of(move), move);
        money.received -= move.amount;
        money.tips -= move.tip;
        money.rounding -= move.rounding;
      }
      for await (const move of refundedIn(db.read, span)) {
        const money = moneyOf(cells.of(move), move);
        money.refunded += move.amount;
        money.refundedTips += move.tip;
      }
      return { from, to, unit, steps, cells: cells.all() };
    },
  };
}

/** The starts of the steps, and the end of the last. Days begin as the clock of the zone says: one may have 23 hours, or 25. */
function stepsOf(from: string, to: string, timeZone: string): Pick<Takings, 'unit' | 'steps'> & { end: number } {
  for (const [field, day] of Object.entries({ from, to }))
    if (!isCalendarDay(day)) throw validationError({ [field]: 'office.takings.noDay' });
  const [first, last] = [Temporal.PlainDate.from(from), Temporal.PlainDate.from(to)];
  const days = first.until(last).days + 1;
  if (days < 1) throw validationError({ to: 'office.takings.endsBefore' });
  if (days > longestRange) throw validationError({ to: { key: 'office.takings.tooLong', values: { days: longestRange } } });
  const startOf = (day: Temporal.PlainDate) => day.toZonedDateTime(timeZone).epochMilliseconds;
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

function createCells(steps: readonly number[]) {
  const cells = new Map<string, TakingsCell>();
  return {
    of({ at, store, currency }: Sale | MoneyMove): TakingsCell {
      const start = steps.findLast((step) => step <= at) ?? at;
      const key = JSON.stringify([start, store, currency]);
      const known = cells.get(key);
      if (known) return known;
      const cell: TakingsCell = {
        ...{ at: start, store, currency, orders: 0, subtotal: 0, discount: 0, shipping: 0, serviceCharge: 0, taxes: [] },
        ...{ tip: 0, total: 0, cancelled: 0, cancelledTotal: 0, money: [] },
      };
      cells.set(key, cell);
      return cell;
    },
    all: () => [...cells.values()].sort((a, b) => a.at - b.at || ((a.store ?? '') < (b.store ?? '') ? -1 : 1)),
  };
}

function addSale(cell: TakingsCell, { state, bill }: Sale): void {
  if (state === 'cancelled' || state === 'lapsed') {
    cell.cancelled += 1;
    cell.cancelledTotal += bill.total;
    return;
  }
  cell.orders += 1;
  for (const part of ['subtotal', 'discount', 'shipping', 'tip', 'total'] as const) cell[part] += bill[part];
  cell.serviceCharge += bill.serviceCharge?.amount ?? 0;
  for (const { label, amount } of bill.taxLines) {
    const tax = cell.taxes.find((each) => each.label === label);
    if (tax) tax.amount += amount;
    else cell.taxes.push({ label, amount });
  }
}

function moneyOf({ money }: TakingsCell, { provider, kind }: MoneyMove): TakingsCell['money'][number] {
  const way = provider === counter ? (kind ?? 'other') : provider;
  const known = money.find((each) => each.way === way);
  if (known) return known;
  const fresh = { way, received: 0, tips: 0, rounding: 0, refunded: 0, refundedTips: 0 };
  money.push(fresh);
  return fresh;
}
