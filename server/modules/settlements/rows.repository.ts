/** Queries `settlement_rows`, of which only the highest revision of a row counts, and finds what of the shop a row belongs to. */
import { type Selectable, type SqlBool, sql } from 'kysely';
import type { Reader, Trx } from '#db/database.ts';
import type { SettlementRowsTable } from '#db/settlement-tables.ts';
import type { SettlementEntry, SettlementKind, SettlementState } from '#server/modules/payments/index.ts';

/** Which of the shop's a row belongs to; null where none is known. */
export interface Match {
  paymentId: string | null;
  refundId: string | null;
  disputeId: string | null;
  orderId: string | null;
}

export interface SettlementRow extends SettlementEntry, Match {
  provider: string;
  revision: number;
  net: number | null;
}

export const unmatched: Match = { paymentId: null, refundId: null, disputeId: null, orderId: null };

/** True for the rows that count, of `settlement_rows as r`. */
export const isLatest = sql<SqlBool>`not exists (select 1 from settlement_rows later where later.provider = r.provider
  and later.row_id = r.row_id and later.revision > r.revision)`;

export function toRow(row: Selectable<SettlementRowsTable>): SettlementRow {
  const { charged_cents: charged, charged_currency: chargedCurrency } = row;
  return {
    provider: row.provider,
    id: row.row_id,
    revision: row.revision,
    // Written only from `SettlementEntry`.
    kind: row.kind as SettlementKind,
    type: row.type,
    state: row.state as SettlementState,
    at: row.at,
    availableAt: row.available_at,
    currency: row.currency,
    gross: row.gross_cents,
    fee: row.fee_cents,
    net: row.net_cents,
    charged:
      charged === null || chargedCurrency === null ? null : { amount: charged, currency: chargedCurrency },
    payout: row.payout_id,
    complete: row.complete === 1,
    about: JSON.parse(row.about) as SettlementEntry['about'],
    paymentId: row.payment_id,
    refundId: row.refund_id,
    disputeId: row.dispute_id,
    orderId: row.order_id,
  };
}

export async function insertRows(trx: Trx, rows: readonly SettlementRow[], keptAt: number): Promise<void> {
  if (rows.length === 0) return;
  await trx
    .insertInto('settlement_rows')
    .values(
      rows.map((row) => ({
        provider: row.provider,
        row_id: row.id,
        revision: row.revision,
        kind: row.kind,
        type: row.type,
        state: row.state,
        at: row.at,
        available_at: row.availableAt,
        currency: row.currency,
        gross_cents: row.gross,
        fee_cents: row.fee,
        net_cents: row.net,
        charged_cents: row.charged?.amount ?? null,
        charged_currency: row.charged?.currency ?? null,
        payout_id: row.payout,
        complete: row.complete ? (1 as const) : (0 as const),
        about: JSON.stringify(row.about),
        payment_id: row.paymentId,
        refund_id: row.refundId,
        dispute_id: row.disputeId,
        order_id: row.orderId,
        kept_at: keptAt,
      })),
    )
    .execute();
}

/** The rows of a provider with these ids, by their ids. */
export async function rowsById(
  db: Reader,
  provider: string,
  ids: readonly string[],
): Promise<Map<string, SettlementRow>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('settlement_rows as r')
    .selectAll('r')
    .where('r.provider', '=', provider)
    .where('r.row_id', 'in', ids)
    .where(isLatest)
    .execute();
  return new Map(rows.map((row) => [row.row_id, toRow(row)]));
}

/** A payout by the provider's id of it. */
export async function payoutRow(db: Reader, provider: string, payout: string): Promise<SettlementRow | null> {
  const row = await db
    .selectFrom('settlement_rows as r')
    .selectAll('r')
    .where('r.provider', '=', provider)
    .where('r.payout_id', '=', payout)
    .where('r.kind', '=', 'payout')
    .where(isLatest)
    .executeTakeFirst();
  return row ? toRow(row) : null;
}

/** The payouts of a provider of which all that is in them is kept. */
export async function listedPayouts(
  db: Reader,
  provider: string,
  since: number,
): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('settlement_rows as r')
    .select('r.payout_id')
    .where('r.provider', '=', provider)
    .where('r.kind', '=', 'payout')
    .where('r.at', '>=', since)
    .where('r.complete', '=', 1)
    .where(isLatest)
    .execute();
  return new Set(rows.flatMap(({ payout_id: id }) => id ?? []));
}

type About = Pick<SettlementEntry, 'id' | 'kind' | 'about'>;

/** What of the shop each entry belongs to, by the entries' ids. */
export async function matchesOf(
  trx: Reader,
  provider: string,
  entries: readonly About[],
): Promise<Map<string, Match>> {
  const keys = <K extends keyof SettlementEntry['about']>(name: K) =>
    entries.flatMap(({ about }) => (about[name] ? [String(about[name])] : []));
  const parents = await rowsById(trx, provider, keys('entry'));
  const payments = await paymentsBy(trx, provider, keys('reference'), keys('providerId'));
  const refunds = await refundsBy(trx, provider, keys('refundKey'), keys('refundId'));
  const disputes = await disputesBy(trx, provider, keys('disputeId'));
  const found = new Map(
    entries.map(({ id, kind, about }): [string, Match & { asksDispute: boolean }] => {
      const refund = refunds.get(about.refundKey ?? '') ?? refunds.get(about.refundId ?? '');
      const dispute = disputes.get(about.disputeId ?? '');
      const payment =
        payments.get(about.reference ?? '') ??
        payments.get(about.providerId ?? '') ??
        refund ??
        dispute ??
        parents.get(about.entry ?? '');
      return [
        id,
        {
          paymentId: payment?.paymentId ?? null,
          orderId: payment?.orderId ?? null,
          refundId: refund?.id ?? null,
          disputeId: dispute?.id ?? null,
          asksDispute: ['dispute', 'disputeReversed'].includes(kind) && !about.disputeId,
        },
      ];
    }),
  );
  // A refund may be listed beside its payment.
  for (const { id, about } of entries) {
    const [own, parent] = [found.get(id), found.get(about.entry ?? '')];
    if (own && own.paymentId === null && parent)
      found.set(id, { ...own, paymentId: parent.paymentId, orderId: parent.orderId });
  }
  // Some providers say which payment is disputed, and not by which dispute: the payment's only one.
  const disputed = [...found.values()].flatMap(({ asksDispute, paymentId }) =>
    asksDispute && paymentId ? [paymentId] : [],
  );
  const only = await onlyDisputes(trx, disputed);
  return new Map(
    [...found].map(([id, { asksDispute, ...match }]) => [
      id,
      asksDispute ? { ...match, disputeId: only.get(match.paymentId ?? '') ?? null } : match,
    ]),
  );
}

type Found = Pick<Match, 'paymentId' | 'orderId'> & { id: string };

async function paymentsBy(
  db: Reader,
  provider: string,
  references: string[],
  ids: string[],
): Promise<Map<string, Found>> {
  const found = new Map<string, Found>();
  const add = (key: string, row: { id: string; order_id: string }) =>
    found.set(key, { id: row.id, paymentId: row.id, orderId: row.order_id });
  const query = db
    .selectFrom('payments')
    .select(['id', 'order_id', 'provider_reference', 'provider_id'])
    .where('provider', '=', provider);
  if (references.length > 0)
    for (const row of await query.where('provider_reference', 'in', references).execute())
      add(row.provider_reference, row);
  if (ids.length > 0)
    for (const row of await query.where('provider_id', 'in', ids).execute())
      if (row.provider_id) add(row.provider_id, row);
  return found;
}

async function refundsBy(
  db: Reader,
  provider: string,
  keys: string[],
  ids: string[],
): Promise<Map<string, Found>> {
  const found = new Map<string, Found>();
  const query = db
    .selectFrom('refunds')
    .innerJoin('payments', 'payments.id', 'refunds.payment_id')
    .select(['refunds.id', 'refunds.payment_id', 'refunds.order_id', 'refunds.provider_refund_id'])
    .where('payments.provider', '=', provider);
  const add = (key: string, row: { id: string; payment_id: string; order_id: string }) =>
    found.set(key, { id: row.id, paymentId: row.payment_id, orderId: row.order_id });
  if (keys.length > 0)
    for (const row of await query.where('refunds.id', 'in', keys).execute()) add(row.id, row);
  if (ids.length > 0)
    for (const row of await query.where('refunds.provider_refund_id', 'in', ids).execute())
      if (row.provider_refund_id) add(row.provider_refund_id, row);
  return found;
}

async function disputesBy(db: Reader, provider: string, ids: string[]): Promise<Map<string, Found>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('disputes')
    .innerJoin('payments', 'payments.id', 'disputes.payment_id')
    .select(['disputes.id', 'disputes.payment_id', 'disputes.order_id', 'disputes.provider_dispute_id'])
    .where('payments.provider', '=', provider)
    .where('disputes.provider_dispute_id', 'in', ids)
    .execute();
  return new Map(
    rows.map((row) => [
      row.provider_dispute_id,
      { id: row.id, paymentId: row.payment_id, orderId: row.order_id },
    ]),
  );
}

async function onlyDisputes(db: Reader, payments: readonly string[]): Promise<Map<string, string>> {
  if (payments.length === 0) return new Map();
  const rows = await db
    .selectFrom('disputes')
    .select(['id', 'payment_id'])
    .where('payment_id', 'in', payments)
    .execute();
  const byPayment = Map.groupBy(rows, ({ payment_id: id }) => id);
  return new Map(
    [...byPayment].flatMap(([id, [first, ...others]]) =>
      first && others.length === 0 ? [[id, first.id]] : [],
    ),
  );
}

/** When the first payment by a provider began, epoch ms; null: there was none. */
export async function firstPaymentAt(db: Reader, provider: string): Promise<number | null> {
  const row = await db
    .selectFrom('payments')
    .select((eb) => eb.fn.min<number | null>('created_at').as('at'))
    .where('provider', '=', provider)
    .executeTakeFirst();
  return row?.at === null || row?.at === undefined ? null : Number(row.at);
}
