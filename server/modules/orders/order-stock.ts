/** Holds the stock of an order at the steps of placing it. */
import type { Locale } from '#contract/locales.ts';
import type { Trx } from '#db/database.ts';
import { locationOf, type OrderHead, type OrderLine } from './order/order.ts';
import { frozenLinesOf } from './order/order-lines.repository.ts';
import { updateOrder } from './order/orders.repository.ts';
import type { Payment } from './payment.ts';
import { outOfStock } from './placement-errors.ts';
import type { PlacementDeps } from './placement-types.ts';

/** How long a hold for a payment lasts, ms. */
export const holdMs = 15 * 60_000;

export function createOrderStock({ stock }: Pick<PlacementDeps, 'stock'>) {
  /** Holds the stock of an order. `isWatched`: see `StockService.hold`. @throws {AppError} CONFLICT rule.outOfStockLine if it is sold out */
  async function hold(
    trx: Trx,
    order: OrderHead,
    lines: readonly OrderLine[],
    expiresAt: number | null,
    locale: Locale,
    isWatched = true,
  ): Promise<void> {
    const location = locationOf(order);
    const short = location ? await stock.hold(trx, order.id, lines, location, expiresAt, isWatched) : [];
    rejectMissing(lines, short, locale);
  }

  /**
   * Holds the stock of an order whose payment arrived although nothing was held for it. Returns false, with nothing held, if it
   * is gone.
   */
  async function holdForPaid(trx: Trx, orderId: string, at: number): Promise<boolean> {
    const order = await lockPaying(trx, orderId, at);
    if (!order || (await stock.isHeld(trx, orderId))) return true;
    const location = locationOf(order);
    const short = location ? await stock.hold(trx, orderId, await frozenLinesOf(trx, orderId), location, at + holdMs) : [];
    if (short.length > 0) await stock.release(trx, orderId);
    return short.length === 0;
  }

  return {
    hold,
    holdForPaid,

    /** Checks the same as `hold` without holding anything. */
    require: (trx: Trx, order: OrderHead, lines: readonly OrderLine[], locale: Locale): Promise<void> =>
      requireStock(stock, trx, order, lines, locale),

    /** See `Placement.release`. */
    async releaseUncharged(trx: Trx, { orderId }: Payment, at: number): Promise<void> {
      if (await lockPaying(trx, orderId, at)) await stock.release(trx, orderId);
    },

    /** See `Placement.hold`. */
    async holdForCharge(trx: Trx, { orderId, locale }: Payment, at: number): Promise<void> {
      const order = await lockPaying(trx, orderId, at);
      if (!order || (await stock.isHeld(trx, orderId))) return;
      await hold(trx, order, await frozenLinesOf(trx, orderId), at + holdMs, locale);
    },
  };
}

async function requireStock(
  stock: PlacementDeps['stock'],
  trx: Trx,
  order: OrderHead,
  lines: readonly OrderLine[],
  locale: Locale,
): Promise<void> {
  const location = locationOf(order);
  const skus = lines.map(({ sku }) => sku);
  const levels = location ? await stock.levels(trx, skus) : null;
  const short = lines.filter(({ sku, quantity }) => levels && (levels.get(sku)?.get(location ?? '') ?? 0) < quantity);
  rejectMissing(
    lines,
    short.map(({ sku }) => sku),
    locale,
  );
}

/** Locks an order that is being paid until the transaction ends; null if it is not being paid. */
async function lockPaying(trx: Trx, orderId: string, at: number): Promise<OrderHead | null> {
  const order = await updateOrder(trx, orderId, { updated_at: at });
  return order?.state === 'paying' ? order : null;
}

/** @throws {AppError} CONFLICT rule.outOfStockLine for lines that are short, or that the shop no longer offers */
function rejectMissing(lines: readonly OrderLine[], short: readonly string[], locale: Locale): void {
  const missing = lines.filter((line) => !line.offered || short.includes(line.sku));
  if (missing.length > 0) throw outOfStock(missing, locale);
}
