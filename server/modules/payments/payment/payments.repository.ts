/** Queries `payments`: one row per attempt to pay an order. What the provider and the merchant are told of the order is joined. */
import { type Selectable, type SelectQueryBuilder, sql } from 'kysely';
import type { CounterKind } from '#contract/limits.ts';
import { offeredOr } from '#contract/locales.ts';
import { touchBooks } from '#db/before-commit.ts';
import type { Reader, Trx } from '#db/database.ts';
import type { PaymentsTable } from '#db/order-tables.ts';
import type { OrdersTable, Tables } from '#db/tables.ts';
import type { Session } from '#server/platform/sessions/sessions.service.ts';
import { attemptUnknown, type PaymentFailure } from '../providers/provider.ts';
import { failureOf, type Payment, type PaymentState, shipToOf } from './payment.ts';

export interface PaymentReference {
  provider: string;
  reference: string;
}

export async function insertPayment(trx: Trx, payment: Payment): Promise<void> {
  if (payment.state === 'succeeded') touchBooks(trx, payment.orderId);
  await trx
    .insertInto('payments')
    .values({
      id: payment.id,
      order_id: payment.orderId,
      provider: payment.provider,
      provider_reference: payment.reference,
      number: payment.number,
      amount_cents: payment.amount,
      tip_cents: payment.tip,
      rounding_cents: payment.rounding,
      currency: payment.currency,
      kind: payment.kind,
      actor: payment.takenBy,
      state: payment.state,
      error_key: null,
      received_at: payment.state === 'succeeded' ? payment.createdAt : null,
      created_at: payment.createdAt,
      updated_at: payment.createdAt,
    })
    .execute();
}

type PaidOrder = Pick<
  Selectable<OrdersTable>,
  'language' | 'order_number' | 'method' | 'contact' | 'shipping_contact' | 'shipping_address'
>;
type PaymentRow = Selectable<PaymentsTable> & PaidOrder;

function payments(db: Reader) {
  return db
    .selectFrom('payments')
    .innerJoin('orders', 'orders.id', 'payments.order_id')
    .selectAll('payments')
    .select(['language', 'order_number', 'method', 'contact', 'shipping_contact', 'shipping_address']);
}

async function first(
  query: SelectQueryBuilder<Tables, 'payments' | 'orders', PaymentRow>,
): Promise<Payment | null> {
  const row = await query
    .orderBy('payments.created_at', 'desc')
    // Of two begun at the same time, the one that is still valid.
    .orderBy(sql`case when payments.state = 'failed' then 1 else 0 end`)
    .limit(1)
    .executeTakeFirst();
  return row ? toPayment(row) : null;
}

export function findPayment(db: Reader, provider: string, reference: string): Promise<Payment | null> {
  return first(payments(db).where('provider', '=', provider).where('provider_reference', '=', reference));
}

export function findPaymentByProviderId(
  db: Reader,
  provider: string,
  providerId: string,
): Promise<Payment | null> {
  return first(payments(db).where('provider', '=', provider).where('provider_id', '=', providerId));
}

export function findPaymentById(db: Reader, id: string): Promise<Payment | null> {
  return first(payments(db).where('payments.id', '=', id));
}

export function findPaymentOf(db: Reader, orderId: string, state: PaymentState): Promise<Payment | null> {
  return first(payments(db).where('order_id', '=', orderId).where('payments.state', '=', state));
}

/** The newest attempt to pay a buyer's cart, or what is due of an order. */
export function findAttempt(
  db: Reader,
  paid: Session | { orderId: string },
  provider: string,
  providerId: string | null,
): Promise<Payment | null> {
  const query = payments(db)
    .where('provider', '=', provider)
    .where((eb) =>
      'orderId' in paid
        ? eb('order_id', '=', paid.orderId)
        : eb.and([
            paid.customerId === null
              ? eb('session_hash', '=', paid.idHash)
              : eb('customer_id', '=', paid.customerId),
            // Those begun after it was placed pay what is due.
            eb.or([eb('placed_at', 'is', null), eb('payments.created_at', '<=', eb.ref('placed_at'))]),
          ]),
    );
  return first(providerId === null ? query : query.where('provider_id', '=', providerId));
}

/** Attempts in any of these states, oldest first; up to 500 per provider, so that none crowds out another's. */
export async function paymentsIn(db: Reader, ...states: PaymentState[]): Promise<Payment[]> {
  const providers = await db
    .selectFrom('payments')
    .select('provider')
    .distinct()
    .where('state', 'in', states)
    .execute();
  const found = await Promise.all(
    providers.map(({ provider }) =>
      payments(db)
        .where('payments.state', 'in', states)
        .where('provider', '=', provider)
        .orderBy('payments.created_at')
        .limit(500)
        .execute(),
    ),
  );
  return found.flat().map(toPayment);
}

/** Attempts that failed for one reason since a time (epoch ms), oldest first. */
export async function paymentsFailedBy(db: Reader, errorKey: string, since: number): Promise<Payment[]> {
  const rows = await payments(db)
    .where('payments.state', '=', 'failed')
    .where('error_key', '=', errorKey)
    .where('payments.updated_at', '>=', since)
    .orderBy('payments.created_at')
    .execute();
  return rows.map(toPayment);
}

/**
 * Moves a payment to another state. Money that had arrived and fails is undone at `at`; when it arrived stays, since that day may be
 * closed. Returns false if it was in none of `from`: another request was first.
 */
export async function transitionPayment(
  trx: Trx,
  id: string,
  from: readonly PaymentState[],
  to: PaymentState,
  at: number,
  failure: Pick<PaymentFailure, 'errorType' | 'errorKey'> | null = null,
): Promise<boolean> {
  const row = await trx
    .updateTable('payments')
    .set({
      state: to,
      error_key: failure?.errorKey ?? null,
      error_type: failure?.errorType ?? null,
      updated_at: at,
      ...(to === 'succeeded' ? { received_at: at, undone_at: null } : {}),
      ...(to === 'failed'
        ? { undone_at: sql<number | null>`case when received_at is not null then cast(${at} as bigint) end` }
        : {}),
    })
    .where('id', '=', id)
    .where('state', 'in', from)
    .returning(['order_id', 'received_at'])
    .executeTakeFirst();
  // An attempt without money is not in the books.
  if (row && row.received_at !== null) touchBooks(trx, row.order_id);
  return row !== undefined;
}

/** Moves a pending payment to `succeeded`. Returns its order's id; null if it is not pending, or unknown. */
export async function succeedPending(
  trx: Trx,
  provider: string,
  reference: string,
  at: number,
): Promise<string | null> {
  const row = await trx
    .updateTable('payments')
    .set({ state: 'succeeded', error_key: null, error_type: null, updated_at: at, received_at: at })
    .where('provider', '=', provider)
    .where('provider_reference', '=', reference)
    .where('state', '=', 'pending')
    .returning('order_id')
    .executeTakeFirst();
  if (row) touchBooks(trx, row.order_id);
  return row?.order_id ?? null;
}

export async function saveProviderId(trx: Trx, id: string, providerId: string): Promise<void> {
  await trx.updateTable('payments').set({ provider_id: providerId }).where('id', '=', id).execute();
}

export async function saveWaitingSince(trx: Trx, id: string, at: number): Promise<void> {
  await trx
    .updateTable('payments')
    .set({ waits_since: at })
    .where('id', '=', id)
    .where('waits_since', 'is', null)
    .execute();
}

/**
 * Deletes attempts begun before `before` (epoch ms) that failed and took nothing, at most `limit`, and returns their references.
 * Those that their provider no longer knows may have taken money, and stay; so do those that takings have counted.
 */
export async function deleteFailedPayments(
  trx: Trx,
  before: number,
  limit: number,
): Promise<PaymentReference[]> {
  const old = await trx
    .selectFrom('payments')
    .select('id')
    .where('state', '=', 'failed')
    .where('created_at', '<', before)
    .where((eb) => eb.or([eb('error_key', 'is', null), eb('error_key', '<>', attemptUnknown.errorKey)]))
    .where('received_at', 'is', null)
    .where('refunded_cents', '=', 0)
    .where('next_check_at', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(selectFrom('refunds').select('refunds.id').whereRef('refunds.payment_id', '=', 'payments.id')),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('disputes').select('disputes.id').whereRef('disputes.payment_id', '=', 'payments.id'),
        ),
      ),
    )
    .orderBy('created_at')
    .limit(limit)
    .execute();
  if (old.length === 0) return [];
  return trx
    .deleteFrom('payments')
    .where(
      'id',
      'in',
      old.map(({ id }) => id),
    )
    .where('state', '=', 'failed')
    .returning(['provider', 'provider_reference as reference'])
    .execute();
}

/** Reserves a part of a payment for a refund. Returns false if not enough of it, or of its tip, is left. */
export async function reserveForRefund(trx: Trx, id: string, amount: number, tip: number): Promise<boolean> {
  const result = await trx
    .updateTable('payments')
    .set((eb) => ({
      refunded_cents: eb('refunded_cents', '+', amount),
      refunded_tip_cents: eb('refunded_tip_cents', '+', tip),
    }))
    .where('id', '=', id)
    .where((eb) => eb(eb('tip_cents', '-', eb.ref('refunded_tip_cents')), '>=', tip))
    // The part of the rest that is not tip.
    .where(sql<number>`amount_cents - tip_cents - refunded_cents + refunded_tip_cents`, '>=', amount - tip)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Undoes `reserveForRefund` after the provider refused. */
export async function releaseFromRefund(trx: Trx, id: string, amount: number, tip: number): Promise<void> {
  await trx
    .updateTable('payments')
    .set((eb) => ({
      refunded_cents: eb('refunded_cents', '-', amount),
      refunded_tip_cents: eb('refunded_tip_cents', '-', tip),
    }))
    .where('id', '=', id)
    .execute();
}

function toPayment(row: PaymentRow): Payment {
  return {
    id: row.id,
    orderId: row.order_id,
    provider: row.provider,
    // Written only from `CounterKind`.
    kind: row.kind as CounterKind | null,
    rounding: row.rounding_cents,
    takenBy: row.actor,
    reference: row.provider_reference,
    number: row.number,
    providerId: row.provider_id,
    amount: row.amount_cents,
    tip: row.tip_cents,
    currency: row.currency,
    locale: offeredOr(row.language),
    // Written only from `PaymentState`.
    state: row.state as PaymentState,
    failure: failureOf(row.error_type, row.error_key),
    waitsSince: row.waits_since,
    refunded: row.refunded_cents,
    refundedTip: row.refunded_tip_cents,
    createdAt: row.created_at,
    orderNumber: row.order_number,
    contact: parsed(row.contact),
    shipTo: shipToOf({
      method: row.method,
      contact: parsed(row.contact),
      shippingContact: parsed(row.shipping_contact),
      shippingAddress: parsed(row.shipping_address),
    }),
  };
}

function parsed<T>(json: string | null): T | null {
  return json === null ? null : (JSON.parse(json) as T);
}

export async function paymentsOf(db: Reader, ...orderIds: string[]): Promise<Payment[]> {
  if (orderIds.length === 0) return [];
  const rows = await payments(db)
    .where('order_id', 'in', orderIds)
    .orderBy('payments.created_at')
    .orderBy('payments.id')
    .execute();
  return rows.map(toPayment);
}

/** The payments by which an order was paid, the newest first. */
export async function succeededOf(db: Reader, orderId: string): Promise<Payment[]> {
  return (await paymentsOf(db, orderId)).filter(({ state }) => state === 'succeeded').reverse();
}

/** Payments at a provider begun since a time (epoch ms) that count as paid, and are not wholly refunded, oldest first. */
export async function paymentsKept(db: Reader, provider: string, since: number): Promise<Payment[]> {
  const rows = await payments(db)
    .where('provider', '=', provider)
    .where('payments.state', '=', 'succeeded')
    .where('payments.created_at', '>=', since)
    .where('amount_cents', '>', (eb) => eb.ref('refunded_cents'))
    .orderBy('payments.created_at')
    .execute();
  return rows.map(toPayment);
}

export interface OpenPayments {
  provider: string;
  /** `action`: the provider waits for the customer. */
  state: 'pending' | 'action' | 'lapsed';
  count: number;
  /** When the oldest of them began, epoch ms. */
  oldestAt: number;
}

export async function countOpenPayments(db: Reader): Promise<OpenPayments[]> {
  const state = sql<
    OpenPayments['state']
  >`case when state = 'pending' and waits_since is not null then 'action' else state end`;
  return await db
    .selectFrom('payments')
    .select([
      'provider',
      state.as('state'),
      ({ fn }) => fn.countAll<number>().as('count'),
      ({ fn }) => fn.min('created_at').as('oldestAt'),
    ])
    .where('payments.state', 'in', ['pending', 'lapsed'])
    .groupBy(['provider', state])
    .execute();
}
