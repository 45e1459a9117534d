/** Holds the stock of an order at the steps of placing it. */
import { inLocale, type Locale } from '#contract/locales.ts';
import type { Reader, Trx } from '#db/database.ts';
import type { StockService } from '#server/modules/inventory/index.ts';
import {
  allModifiers,
  frozenLinesOf,
  lineErrors,
  locationOf,
  type OrderHead,
  type OrderLine,
  type OrderSettings,
  unitsIn,
  unitsLeft,
  unitsOf,
  unservedErrors,
  updateOrder,
} from '#server/modules/orders/index.ts';
import { holdMs, type Payment } from '#server/modules/payments/index.ts';
import { soldOutIn } from '#server/modules/stores/index.ts';
import { AppError } from '#server/platform/errors.ts';

/** What is ordered, and the language for the names in errors. */
export interface Wanted {
  order: OrderHead;
  lines: readonly OrderLine[];
  locale: Locale;
}

/**
 * Holds the stock of an order `until` a time. `isWatched`: see `StockService.hold`.
 * @throws {AppError} CONFLICT rule.outOfStockLine or rule.outOfStockFew if there are too few units
 */
export async function holdStock(
  stock: StockService,
  trx: Trx,
  { order, lines, locale }: Wanted,
  { until, isWatched = true }: { until: number | null; isWatched?: boolean },
): Promise<void> {
  const location = locationOf(order);
  const short = location
    ? await stock.hold(trx, order.id, unitsOf(lines), { location, until, isWatched })
    : [];
  const levels = short.length > 0 ? await stock.levels(trx, short) : null;
  rejectMissing(
    lines,
    new Map(short.map((sku) => [sku, levels?.get(sku)?.get(location ?? '') ?? 0])),
    locale,
  );
}

/** @throws {AppError} CONFLICT for lines that the order's store has none of today, whose modifiers are no longer
 * offered so, or which are not served at its time */
export async function rejectUnavailable(
  reader: Reader,
  { order, lines, locale }: Wanted,
  settings: OrderSettings,
  at: number,
): Promise<void> {
  const soldOut = order.storeId === null ? new Map() : await soldOutIn(reader, at);
  const errors = {
    ...unservedErrors(lines, order, settings, { locale, now: at }),
    ...lineErrors(lines, order, { stores: settings.stores, soldOut }, locale),
  };
  const [first] = Object.values(errors);
  if (first === undefined) return;
  throw new AppError(
    'CONFLICT',
    typeof first === 'string' ? { errorKey: first, errors } : { errorKey: first.key, ...first, errors },
  );
}

/** Checks the same as `holdStock` without holding anything. */
export async function requireStock(
  stock: StockService,
  trx: Trx,
  { order, lines, locale }: Wanted,
): Promise<void> {
  const location = locationOf(order);
  const units = unitsOf(lines);
  const levels = location
    ? await stock.levels(
        trx,
        units.map(({ sku }) => sku),
      )
    : null;
  const there = (sku: string) => levels?.get(sku)?.get(location ?? '') ?? 0;
  const short = units.filter(({ sku, quantity }) => levels && there(sku) < quantity);
  rejectMissing(lines, new Map(short.map(({ sku }) => [sku, there(sku)])), locale);
}

/**
 * Holds the stock of an order whose payment arrived although nothing was held for it. Returns false, with nothing held, if it is
 * gone.
 */
export async function holdForPaid(
  stock: StockService,
  trx: Trx,
  orderId: string,
  at: number,
): Promise<boolean> {
  const order = await lockPaying(trx, orderId, at);
  if (!order || (await stock.isHeld(trx, orderId))) return true;
  const location = locationOf(order);
  const short = location
    ? await stock.hold(trx, orderId, unitsOf(await frozenLinesOf(trx, orderId)), {
        location,
        until: at + holdMs,
      })
    : [];
  if (short.length > 0) await stock.release(trx, orderId);
  return short.length === 0;
}

/** See `Payables.hold`. @throws {AppError} CONFLICT rule.outOfStockLine if it is sold out */
export async function holdForCharge(
  stock: StockService,
  trx: Trx,
  { orderId, locale }: Payment,
  at: number,
): Promise<void> {
  const order = await lockPaying(trx, orderId, at);
  if (!order || (await stock.isHeld(trx, orderId))) return;
  await holdStock(
    stock,
    trx,
    { order, lines: await frozenLinesOf(trx, orderId), locale },
    { until: at + holdMs },
  );
}

/** See `Payables.release`. */
export async function releaseUncharged(
  stock: StockService,
  trx: Trx,
  { orderId }: Payment,
  at: number,
): Promise<void> {
  if (await lockPaying(trx, orderId, at)) await stock.release(trx, orderId);
}

/** Locks an order that is being paid until the transaction ends; null if it is not being paid. */
async function lockPaying(trx: Trx, orderId: string, at: number): Promise<OrderHead | null> {
  const order = await updateOrder(trx, orderId, { updated_at: at });
  return order?.state === 'paying' ? order : null;
}

/**
 * `short`: the SKUs of which there are not enough, with the units that are there.
 * @throws {AppError} CONFLICT rule.outOfStockLine or rule.outOfStockFew for lines that are short, or that the shop no longer offers
 */
export function rejectMissing(
  lines: readonly OrderLine[],
  short: ReadonlyMap<string, number>,
  locale: Locale,
): void {
  const affected = lines.filter(
    (line) => !line.offered || [...unitsIn(line).keys()].some((sku) => short.has(sku)),
  );
  if (affected.length === 0) return;
  const there = (sku: string) => short.get(sku) ?? Number.POSITIVE_INFINITY;
  const leftOf = (line: OrderLine) =>
    line.offered ? Math.max(0, ...unitsLeft(line, lines.slice(0, lines.indexOf(line)), ['here'], there)) : 0;
  const lacking = affected.filter((line) => leftOf(line) < line.quantity);
  // Units may have come since it was seen that there are too few.
  const missing = lacking.length > 0 ? lacking : affected;
  const problems = missing.map(
    (line) => [`lineItems.${line.sku}`, missingOf(line, leftOf(line), short, locale)] as const,
  );
  const [first] = problems;
  if (first)
    throw new AppError('CONFLICT', {
      errorKey: first[1].key,
      values: first[1].values,
      errors: Object.fromEntries(problems),
    });
}

/** The same as the cart says of a line. */
function missingOf(line: OrderLine, left: number, short: ReadonlyMap<string, number>, locale: Locale) {
  const product = inLocale(line.name, locale);
  if (left > 0) return { key: 'rule.outOfStockFew' as const, values: { product, count: left } };
  const isLacked = line.offered && !short.has(line.sku);
  const modifier = isLacked && allModifiers(line.modifiers).find(({ sku }) => sku !== null && short.has(sku));
  const values = { product: modifier ? inLocale(modifier.nameContent, locale) : product };
  return { key: 'rule.outOfStockLine' as const, values };
}
