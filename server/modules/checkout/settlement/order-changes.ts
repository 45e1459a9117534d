/** Changes the lines of a placed order: shows what that comes to, and books it with only the difference due or given back. */
import { createHash } from 'node:crypto';
import type { Locale } from '#contract/locales.ts';
import type { LineChange } from '#contract/schemas/order.ts';
import type { Reader } from '#db/database.ts';
import type { Change, RunChange } from '#server/modules/changes/index.ts';
import * as placed from '#server/modules/orders/index.ts';
import { balance, balanceOf, type DueRefund, refundsOf } from '#server/modules/payments/index.ts';
import type { PickupService } from '#server/modules/stores/index.ts';
import { OperationError, validationError } from '#server/platform/errors.ts';
import { rejectMissing, rejectUnavailable } from '../placement/order-stock.ts';
import type { PlacementDeps } from '../placement/place-order.ts';
import { shippingErrors } from '../placement/validation.ts';
import { checkBefore, type OrderRefundsDeps, sendAll, writeBill } from './order-refunds.ts';

export interface OrderChangesDeps
  extends OrderRefundsDeps,
    Pick<PlacementDeps, 'coupons' | 'holds' | 'orders'> {
  pickup: PickupService;
}

/** What a change comes to. Cents. */
export interface ChangePlan {
  /** Of the order, its money and the new bill: booking names it. */
  version: string;
  lines: placed.ChangedLines;
  before: placed.AgreedBill;
  after: placed.AgreedBill;
  /** What is still to be paid after it. */
  due: number;
  /** What goes back to the buyer. */
  back: number;
}

interface Booking {
  lines: readonly LineChange[];
  version: string;
  /** The way of paying from which money is taken back first: a provider, `cash`, `terminal` or `other`. */
  from?: string | undefined;
  /** Whether whoever books it may give money back. */
  mayGiveBack: boolean;
}

/** Before the order leaves the shop, or ends. */
const changeable: readonly placed.OrderHead['state'][] = ['placed', 'reserved', 'ready'];

export type OrderChanges = ReturnType<typeof createOrderChanges>;

export function createOrderChanges(deps: OrderChangesDeps) {
  const { db, now, orders, holds, payments } = deps;
  return {
    /** @throws as `changedLines` @throws {OperationError} if the order cannot be changed */
    async plan(id: string, lines: readonly LineChange[], locale: Locale): Promise<ChangePlan> {
      const settings = await orders.settings();
      return planChange(
        deps,
        db.read,
        { order: await placed.findOrder(db.read, id), wanted: lines },
        { settings, locale },
      );
    },

    /**
     * The buyer hears what changed, and the kitchen gets a ticket of it. `refund` is null if nothing goes back.
     * @throws as `plan` @throws {OperationError} if it comes to something else than was shown
     * @throws {AppError} CONFLICT rule.outOfStockLine
     */
    async book(run: RunChange, id: string, booking: Booking, locale: Locale) {
      await checkBefore(payments, id);
      const settings = await orders.settings();
      const booked = await holds.withExpiredHoldsReleased(() =>
        run(async (change) => {
          // Locks the order, so that of two changes the second sees the first.
          const order = await placed.updateOrder(change.trx, id, { updated_at: now() });
          const plan = await planChange(
            deps,
            change.trx,
            { order, wanted: booking.lines },
            { settings, locale },
          );
          const number = order?.number ?? '';
          if (plan.version !== booking.version) throw new OperationError('error.order.changed', { number });
          if (plan.back > 0 && !booking.mayGiveBack) throw new OperationError('error.order.mayNotGiveBack');
          return {
            plan,
            refunds: order
              ? await writeChange(deps, change, { order, plan, from: booking.from }, { settings, locale })
              : [],
          };
        }),
      );
      return { due: booked.plan.due, refund: await sendAll(payments, booked.refunds) };
    },
  };
}

async function planChange(
  { now, orders, coupons }: OrderChangesDeps,
  reader: Reader,
  { order, wanted }: { order: placed.OrderHead | null; wanted: readonly LineChange[] },
  { settings, locale }: { settings: placed.OrderSettings; locale: Locale },
): Promise<ChangePlan> {
  const number = order?.number ?? '';
  if (!order?.bill || order.placedAt === null || !changeable.includes(order.state))
    throw new OperationError('error.order.notChangeable', { number });
  if (order.currency !== settings.currency) throw new OperationError('error.order.bill', { number });
  const refunded = (await refundsOf(reader, order.id)).flatMap(placed.coversOf);
  const lines = await placed.changedLines(
    reader,
    { order, settings, liveLines: orders.liveLines, locale },
    wanted,
    refunded,
  );
  const { chosen, after } = lines;
  await rejectUnavailable(reader, { order, lines: chosen, locale }, settings, now());
  if (order.method === 'shipping' && order.storeId === null) {
    const errors = shippingErrors(chosen, settings, locale);
    if (Object.keys(errors).length > 0) throw validationError(errors);
  }
  const before = placed.withTaxTerms(order, order.bill, lines.before, settings);
  const head = { ...order, bill: before, shippingMethod: order.bill.shippingMethod ?? order.shippingMethod };
  const isChosen = new Set(chosen.map(({ id }) => id));
  const toBill = after.map((line) => ({
    ...line,
    earlier: isChosen.has(line.id) ? [] : placed.soldBefore(before, line),
  }));
  const billed = placed.billOf(head, toBill, settings, await coupons.used(reader, order), order.language);
  const { bill } = billed;
  if (!bill.final) throw new OperationError('error.order.bill', { number });
  const agreed = placed.agreedBill(billed, { settings, at: order.placedAt, kept: order.bill });
  const { payments } = await balanceOf(reader, order.id);
  const { due, excess: back, paid } = balance(bill.total, payments);
  const version = createHash('sha256')
    .update(JSON.stringify([order.version, order.bill.billVersion, bill.billVersion, due, back, paid]))
    .digest('base64url')
    .slice(0, 22);
  return { version, lines, before: order.bill, after: agreed, due, back };
}

async function writeChange(
  deps: OrderChangesDeps,
  { trx, actor, note }: Change,
  {
    order,
    plan: { lines, before, after, back },
    from,
  }: { order: placed.OrderHead; plan: ChangePlan; from: string | undefined },
  { settings, locale }: { settings: placed.OrderSettings; locale: Locale },
): Promise<DueRefund[]> {
  const { id } = order;
  const at = deps.now();
  // Locked in the order of placement: order, pickup slot, stock.
  const slot = placed.slotOf(order);
  if (slot) {
    await deps.pickup.release(trx, slot.storeId, { orderId: id, at: slot.at });
    await deps.pickup.forceReserve(
      trx,
      slot.storeId,
      { orderId: id, at: slot.at },
      placed.slotUseOf(lines.after, slot.storeId, settings),
    );
  }
  const short = await moveStock(deps, { trx, actor }, { ...lines, order }, settings);
  rejectMissing(lines.after, new Map(short.map((sku) => [sku, 0])), locale);
  await placed.replaceLines(trx, id, lines, at);
  const written = await writeBill(trx, order, after, { reason: 'changed', at, from });
  await placed.writeOrderWords(trx, written.order);
  note('order', order.number ?? '', [
    { field: 'total', from: before.total, to: after.total },
    ...lines.deltas.map(({ sku, from: units, to }) => ({ field: `lines.${sku}`, from: units, to })),
  ]);
  await placed.enqueueChangeEmails(trx, deps.mail, written.order, { lines: lines.deltas, back }, settings);
  return written.due;
}

/** Units that came are held or sold as the order's others are; those that went go back on sale. Returns SKUs that are short. */
async function moveStock(
  { stock }: OrderChangesDeps,
  { trx, actor }: Pick<Change, 'trx' | 'actor'>,
  { order, before, after }: Pick<placed.ChangedLines, 'before' | 'after'> & { order: placed.OrderHead },
  { hasWebhookReceivers }: placed.OrderSettings,
): Promise<string[]> {
  const { id } = order;
  const location = placed.locationOf(order) ?? '';
  if (await stock.isHeld(trx, id)) {
    const until = await stock.heldUntil(trx, id);
    await stock.release(trx, id);
    return stock.hold(trx, id, placed.unitsOf(after), { location, until, isWatched: hasWebhookReceivers });
  }
  const had = new Map(placed.unitsOf(before).map(({ sku, quantity }) => [sku, quantity]));
  const changes = placed
    .unitsOf(after)
    .map(({ sku, quantity }) => ({ sku, quantity: quantity - (had.get(sku) ?? 0) }));
  const has = new Set(changes.map(({ sku }) => sku));
  const gone = [...had].flatMap(([sku, quantity]) => (has.has(sku) ? [] : { sku, quantity: -quantity }));
  const fewer = [...changes, ...gone].filter(({ quantity }) => quantity < 0);
  const more = changes.filter(({ quantity }) => quantity > 0);
  const short = await stock.hold(trx, id, more, { location, until: null, isWatched: hasWebhookReceivers });
  if (short.length > 0) return short;
  await stock.sell(trx, id, actor);
  await stock.restock(trx, id, actor, new Map(fewer.map(({ sku, quantity }) => [sku, -quantity])));
  return [];
}
