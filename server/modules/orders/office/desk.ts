/** What staff do at the desk and in the kitchen of their stores. */

import type { FastifyInstance } from 'fastify';
import { receiverOf } from '#contract/addresses.ts';
import { cashDueOf } from '#contract/cash-rounding.ts';
import { noStore, undoMs } from '#contract/limits.ts';
import { inLocale, type Locale, type LocalText } from '#contract/locales.ts';
import type { DeskLine, DeskOrder, MoveTarget, Outcome } from '#contract/staff/desk.ts';
import type { StaffBody } from '#contract/staff/endpoints.ts';
import type { Database, Trx } from '#db/database.ts';
import { type StaffCall, serveChange, serveStaff } from '#server/http/staff-endpoint.ts';
import type { Change, ChangesService } from '#server/modules/changes/index.ts';
import { balanceOf, paymentsOf } from '#server/modules/payments/index.ts';
import { AppError, notFound, OperationError } from '#server/platform/errors.ts';
import { translateAny, translateWords } from '#server/platform/i18n.ts';
import type { Permit } from '#server/platform/permits.ts';
import { hourMs } from '#server/platform/time-zone.ts';
import { eachTried } from '#server/platform/trials.ts';
import { readableRows } from '#server/platform/unreadable-rows.ts';
import { shipmentReference } from '../emails/order-emails.ts';
import {
  type DeskLineRow,
  deskLines,
  deskOrders,
  ordersByNumber,
  statesSince,
  tickLine,
  unprintedOf,
} from '../fulfilment/desk.repository.ts';
import type { Fulfilment, FulfilmentDeps } from '../fulfilment/fulfilment.ts';
import {
  hasStep,
  isTakenWith,
  mayUndoBy,
  takeBackStep,
  tellingOf,
  unsentOf,
} from '../fulfilment/shipping.ts';
import { promisedOf } from '../order/delivery.ts';
import { modifierTextOf } from '../order/line-units.ts';
import { isShownTo, mayFollow, type OrderHead, type OrderModifier } from '../order/order.ts';
import { cashStepOf, rejectPaid } from '../order/order-money.ts';
import { isPartlyShipped, isRefunded, sumsOf } from '../order/order-pages.repository.ts';
import type { OrderSettings } from '../order/order-settings.ts';
import { findOrderByNumber, updateOrder } from '../order/orders.repository.ts';

type Mover = Permit<'orders.move'>;

/** Of each delivery method: more are no list any more, and the order list has them. */
const mostOrders = 200;
const mostNumbers = 50;
/** Orders that left the desk stay in reach of a recall for this long, ms. */
const leftForMs = 2 * hourMs;

interface DeskDeps extends Pick<FulfilmentDeps, 'db' | 'now' | 'deliveries' | 'stock'> {
  changes: ChangesService;
  settings: () => Promise<OrderSettings>;
  fulfilment: Pick<Fulfilment, 'move'>;
}

function createDesk(deps: DeskDeps) {
  const { db, now } = deps;
  const viewed = async (permit: Permit, orders: readonly OrderHead[], locale: Locale) => {
    const settings = await deps.settings();
    return viewAll(db, orders, settings, {
      locale,
      keeps: await keptSteps(db, permit, orders, { settings, now: now() }),
    });
  };
  const mayUndo = async (permit: Permit, order: OrderHead) =>
    mayUndoBy(permit, order, await deps.settings(), now());

  const lock = (trx: Trx, permit: Permit, number: string, version?: number) =>
    lockSeen(trx, permit, { number, version, at: now() });

  return {
    async list(
      permit: Permit<'orders.read'>,
      { store, numbers }: { store?: string; numbers?: string },
      locale: Locale,
    ) {
      const wanted =
        store === undefined ? permit.stores && [...permit.stores] : [store === noStore ? null : store];
      if (wanted?.some((id) => !permit.reaches(id))) throw notFound();
      const stores = wanted ?? ('all' as const);
      if (numbers !== undefined) {
        const named = await ordersByNumber(db.read, { stores, numbers: numbers.split(',', mostNumbers) });
        const shown = named.filter((order) => isShownTo(permit, order));
        return { at: now(), orders: await viewed(permit, shown, locale), hidden: [], unprinted: [] };
      }
      const { orders, hidden } = await deskOrders(db.read, stores, {
        since: now() - leftForMs,
        most: mostOrders,
      });
      const shown = orders.filter((order) => isShownTo(permit, order));
      const { ticketPrinters } = await deps.settings();
      const printers = ticketPrinters.filter((printer) => stores === 'all' || stores.includes(printer.store));
      return {
        at: now(),
        orders: await viewed(permit, shown, locale),
        hidden,
        unprinted: await unprintedOf(db.read, printers),
      };
    },

    async one(permit: Permit, number: string, locale: Locale): Promise<DeskOrder> {
      const order = await findOrderByNumber(db.read, number.trim().toUpperCase());
      const [view] = order && permit.reaches(order.storeId) ? await viewed(permit, [order], locale) : [];
      if (!view) throw notFound();
      return view;
    },

    move: createMove(deps),

    /** Undoes the last step of an order if it was just made. */
    async undo(change: Change, permit: Mover, number: string, version: number): Promise<OrderHead> {
      const order = await lock(change.trx, permit, number, version);
      return takeBackStep(deps, change, order, {
        reason: '',
        within: undoMs,
        mayUndo: await mayUndo(permit, order),
      });
    },

    /** Takes the last step of an order back later. */
    async takeBack(
      change: Change,
      permit: Mover,
      number: string,
      { version, reason }: StaffBody<'takeBackMove'>,
    ) {
      const order = await lock(change.trx, permit, number, version);
      await takeBackStep(deps, change, order, { reason, mayUndo: await mayUndo(permit, order) });
    },

    async tick(change: Change, permit: Mover, number: string, { line, ticked }: StaffBody<'tickLine'>) {
      const order = await lock(change.trx, permit, number);
      const isChanged = await tickLine(change.trx, order.id, line, ticked ? now() : null);
      if (isChanged === null) throw notFound();
      change.note('order', order.number ?? '', isChanged ? [{ field: 'ticked', to: ticked }] : []);
    },
  };
}

/**
 * Moves an order on. Nothing changes if it is there already: a device that was offline sends what it did once more. `owes`: something was
 * due when `paid` was said.
 */
function createMove({ now, deliveries, fulfilment }: DeskDeps) {
  return async (
    change: Change,
    permit: Mover,
    number: string,
    { to, version, paid }: StaffBody<'moveOrder'>,
    { owes }: { owes: boolean },
  ): Promise<OrderHead & { wasThere?: boolean }> => {
    const order = await lockSeen(change.trx, permit, { number, version: undefined, at: now() });
    if (owes && paid) rejectPaid(order, await balanceOf(change.trx, order.id), paid);
    if (order.state === to) {
      change.note('order', order.number ?? '', []);
      return { ...order, wasThere: true };
    }
    if (order.version !== version) throw new OperationError('error.order.changed', { number });
    const moved = await fulfilment.move(change, number, to, paid);
    await deliveries.postpone(
      change.trx,
      [...tellingOf(moved), ...(moved.shipment ? [shipmentReference(moved.shipment)] : [])],
      now() + undoMs,
    );
    return moved;
  };
}

/** @throws {AppError} NOT_FOUND for an order of another store @throws {OperationError} if it is not as the caller saw it */
async function lockSeen(
  trx: Trx,
  permit: Permit,
  { number, version, at }: { number: string; version: number | undefined; at: number },
): Promise<OrderHead> {
  const found = await findOrderByNumber(trx, number.trim().toUpperCase());
  if (!found || found.placedAt === null || !permit.reaches(found.storeId)) throw notFound();
  const order = (await updateOrder(trx, found.id, { updated_at: at })) ?? found;
  if (version !== undefined && order.version !== version)
    throw new OperationError('error.order.changed', { number });
  return order;
}

/** The orders whose last step took money that the holder of the permit may not undo. */
async function keptSteps(
  { read }: Pick<Database, 'read'>,
  permit: Permit,
  orders: readonly OrderHead[],
  { settings, now }: { settings: OrderSettings; now: number },
): Promise<Set<string>> {
  if (permit.has('orders.refund')) return new Set();
  const moved = orders.filter(({ state }) => state === 'shipped' || state === 'completed');
  const ids = moved.map(({ id }) => id);
  const [payments, since] = await Promise.all([paymentsOf(read, ...ids), statesSince(read, ids)]);
  const keeps = (order: OrderHead) => {
    const may = mayUndoBy(permit, order, settings, now);
    return payments.some(
      (each) => each.orderId === order.id && isTakenWith(each, since.get(order.id) ?? 0) && !may(each),
    );
  };
  return new Set(moved.filter(keeps).map(({ id }) => id));
}

async function viewAll(
  { read }: Pick<Database, 'read'>,
  orders: readonly OrderHead[],
  settings: OrderSettings,
  { locale, keeps }: { locale: Locale; keeps: ReadonlySet<string> },
): Promise<DeskOrder[]> {
  const ids = orders.map(({ id }) => id);
  const [lines, since, sums, unsent] = await Promise.all([
    deskLines(read, ids),
    statesSince(read, ids),
    sumsOf(read, ids),
    unsentOf(read, orders),
  ]);
  const linesOf = Map.groupBy(lines, (line) => line.order_id);
  return readableRows(
    'orders',
    orders,
    ({ number, id }) => number ?? id,
    (order) => ({
      number: order.number ?? '',
      version: order.version,
      state: order.state,
      since: since.get(order.id) ?? order.updatedAt,
      method: order.method,
      store: order.storeId ?? noStore,
      table: order.tableNumber ?? '',
      partySize: order.partySize,
      placedAt: order.placedAt ?? 0,
      ...wantedOf(order, settings),
      ...personOf(order),
      comment: order.comment,
      due: sums.get(order.id)?.due ?? 0,
      cashDue: cashDueOf(sums.get(order.id)?.due ?? 0, cashStepOf(order, settings.stores)),
      isPartlyShipped: isPartlyShipped(order, sums.get(order.id)),
      total: order.bill?.total ?? 0,
      currency: order.currency,
      mayTakeBack: hasStep(order.state) && !keeps.has(order.id),
      // What was refunded before it left the shop is not handed over.
      next: isRefunded(order, sums.get(order.id)) ? [] : nextOf(order),
      lines: (linesOf.get(order.id) ?? []).map((row) => ({
        ...viewLine(row, locale),
        left:
          unsent.get(order.id)?.find(({ line }) => line === row.id)?.quantity ??
          (unsent.has(order.id) ? 0 : row.quantity),
        changed: row.changed_at !== null && row.changed_at >= (since.get(order.id) ?? 0),
      })),
    }),
  );
}

function wantedOf(order: OrderHead, settings: OrderSettings): Pick<DeskOrder, 'dueAt' | 'delivery'> {
  const delivery = promisedOf(order, settings);
  return { delivery, dueAt: order.method === 'pickup' ? order.pickupAt : (delivery?.dueAt ?? null) };
}

/** Of what is sent, whoever receives it; else the buyer. */
function personOf(order: OrderHead): Pick<DeskOrder, 'name' | 'phone' | 'address'> {
  return receiverOf(
    order.method === 'shipping' ? order : { ...order, shippingContact: null, shippingAddress: null },
  );
}

/** The usual way of its delivery method first. */
function nextOf({ state, method }: OrderHead): MoveTarget[] {
  const steps: MoveTarget[] =
    method === 'pickup'
      ? ['ready', 'completed']
      : method === 'shipping'
        ? ['shipped', 'completed']
        : ['completed'];
  return steps.filter((to) => mayFollow(state, to));
}

function viewLine(
  { id, sku, quantity, name, option_text: options, modifiers, note, ticked_at: at }: DeskLineRow,
  locale: Locale,
): Omit<DeskLine, 'changed' | 'left'> {
  const text = (json: string | null) =>
    json === null ? '' : inLocale(JSON.parse(json) as LocalText, locale);
  const option = text(options);
  return {
    id,
    quantity,
    name: [text(name) || sku, ...(option ? [option] : [])].join(' · '),
    modifiers: modifierTextOf(JSON.parse(modifiers ?? '[]') as OrderModifier[], locale),
    note,
    ticked: at !== null,
  };
}

export function registerDesk(app: FastifyInstance, deps: DeskDeps): void {
  const { changes } = deps;
  const desk = createDesk(deps);
  const moved = ({
    permit,
    params,
    lang,
  }: StaffCall<'moveOrder' | 'undoMove' | 'takeBackMove' | 'tickLine'>) =>
    desk.one(permit, params.number, lang);
  serveStaff(app, 'deskOrders', ({ permit, query, lang }) => desk.list(permit, query, lang));
  serveChange(
    app,
    'moveOrder',
    ({ permit, params: { number }, body }) =>
      changes.run(permit.actor, `orders ${body.to}`, (change) =>
        desk.move(change, permit, number, body, { owes: true }),
      ),
    moved,
  );
  serveChange(
    app,
    'undoMove',
    ({ permit, params: { number }, body }) =>
      changes.run(permit.actor, 'orders undo', (change) => desk.undo(change, permit, number, body.version)),
    moved,
  );
  serveStaff(app, 'moveOrders', async ({ permit, body: { orders, ...move }, lang }) => ({
    outcomes: await eachOf(orders, lang, (number, version) =>
      changes.run(permit.actor, `orders ${move.to}`, (change) =>
        desk.move(change, permit, number, { ...move, version }, { owes: false }),
      ),
    ),
  }));
  serveStaff(app, 'undoMoves', async ({ permit, body: { orders }, lang }) => ({
    outcomes: await eachOf(orders, lang, (number, version) =>
      changes.run(permit.actor, 'orders undo', (change) => desk.undo(change, permit, number, version)),
    ),
  }));
  serveChange(
    app,
    'takeBackMove',
    ({ permit, params: { number }, body }) =>
      changes.run(permit.actor, 'orders take-back', (change) => desk.takeBack(change, permit, number, body)),
    moved,
  );
  serveChange(
    app,
    'tickLine',
    ({ permit, params: { number }, body }) =>
      changes.run(permit.actor, 'orders tick', (change) => desk.tick(change, permit, number, body)),
    moved,
  );
}

/** One after the other, so that nobody else waits for more than one order. */
async function eachOf(
  orders: readonly Pick<Outcome, 'number' | 'version'>[],
  locale: Locale,
  run: (number: string, version: number) => Promise<{ version: number; wasThere?: boolean }>,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const { number, version } of orders)
    outcomes.push(
      await eachTried(() => run(number, version), { version }).then(
        (order) => ({ number, version: order.version, moved: !order.wasThere, problem: '' }),
        (error: unknown) => ({ number, version, moved: false, problem: problemOf(error, locale) }),
      ),
    );
  return outcomes;
}

function problemOf(error: unknown, locale: Locale): string {
  const t = translateAny(locale);
  if (error instanceof OperationError)
    return t(error.key, { ...error.values, ...translateWords(error.words, locale) });
  if (error instanceof AppError && error.details.errorKey)
    return t(error.details.errorKey, error.details.values);
  throw error;
}
