/** Holding the stock of an order, at the moments at which placing it needs that. */
import type { Locale } from '#contract/locales.ts';
import type { Trx } from '#db/database.ts';
import type { StockService } from '#server/modules/inventory/index.ts';
import { locationOf, type OrderHead, type OrderLine } from './order.ts';
import { findOrder, frozenLinesOf, updateOrder } from './orders.repository.ts';
import type { Payment } from './payment.ts';
import { outOfStock } from './placement-errors.ts';

/** A hold for a payment lasts so long. */
export const holdMs = 15 * 60_000;

export function createOrderStock({ stock }: { stock: StockService }) {
  /** Holds the stock of an order. @throws Refusal CONFLICT rule.outOfStockLine */
  async function hold(
    trx: Trx,
    order: OrderHead,
    lines: readonly OrderLine[],
    expiresAt: number | null,
    locale: Locale,
  ): Promise<void> {
    const location = locationOf(order);
    const short = location ? await stock.hold(trx, order.id, lines, location, expiresAt) : [];
    refuseMissing(lines, short, locale);
  }

  /** As `hold`, but takes nothing. */
  async function require(trx: Trx, order: OrderHead, lines: readonly OrderLine[], locale: Locale): Promise<void> {
    const location = locationOf(order);
    const skus = lines.map(({ sku }) => sku);
    const levels = location ? await stock.levels(trx, skus) : null;
    const short = lines.filter(({ sku, quantity }) => levels && (levels.get(sku)?.get(location ?? '') ?? 0) < quantity);
    refuseMissing(
      lines,
      short.map(({ sku }) => sku),
      locale,
    );
  }

  /** Takes the stock of an order whose payment arrived although nothing was held for it. False, with nothing taken: it is gone. */
  async function holdForPaid(trx: Trx, orderId: string, at: number): Promise<boolean> {
    const order = await lockPaying(trx, orderId, at);
    if (!order || (await stock.isHeld(trx, orderId))) return true;
    const location = locationOf(order);
    const short = location ? await stock.hold(trx, orderId, await frozenLinesOf(trx, orderId), location, at + holdMs) : [];
    if (short.length > 0) await stock.release(trx, orderId);
    return short.length === 0;
  }

  /** The order, which stays `paying` until the transaction ends; null if it is not. */
  async function lockPaying(trx: Trx, orderId: string, at: number): Promise<OrderHead | null> {
    await updateOrder(trx, orderId, { updated_at: at });
    const order = await findOrder(trx, orderId);
    return order?.state === 'paying' ? order : null;
  }

  return {
    hold,
    require,
    holdForPaid,

    /** `Placing.hold`. */
    async holdForCharge(trx: Trx, { orderId, locale }: Payment, at: number): Promise<void> {
      const order = await lockPaying(trx, orderId, at);
      if (!order || (await stock.isHeld(trx, orderId))) return;
      await hold(trx, order, await frozenLinesOf(trx, orderId), at + holdMs, locale);
    },
  };
}

/** @throws Refusal CONFLICT rule.outOfStockLine for lines that are short, or that the shop does not offer any more */
function refuseMissing(lines: readonly OrderLine[], short: readonly string[], locale: Locale): void {
  const missing = lines.filter((line) => !line.offered || short.includes(line.sku));
  if (missing.length > 0) throw outOfStock(missing, locale);
}
