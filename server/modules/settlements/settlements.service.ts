/** Payment providers' books beside the shop's: payouts, what is in them, what does not agree, and what is done about it. */
import type { Readable } from 'node:stream';
import type {
  Finding,
  Payout,
  Settlements as SettlementsAnswer,
  SettlementRow as ShownRow,
} from '#contract/staff/settlements.ts';
import { longestSettlementRange } from '#contract/staff/settlements.ts';
import type { Database, Trx } from '#db/database.ts';
import type { Change } from '#server/modules/changes/index.ts';
import {
  dashboardUrl,
  findPaymentById,
  findRefund,
  type PaymentsService,
} from '#server/modules/payments/index.ts';
import type { StoresService } from '#server/modules/stores/index.ts';
import { actorText } from '#server/platform/actors.ts';
import { spanOf as daySpan, requireDays } from '#server/platform/day-span.ts';
import { AppError, notFound, validationError } from '#server/platform/errors.ts';
import type { Permit } from '#server/platform/permits.ts';
import { dayMs, wallClock } from '#server/platform/time-zone.ts';
import { arrivalsOf, findLine, insertArrival } from './bank.repository.ts';
import { createBank, type StatementFound } from './bank.ts';
import type { KeptRow } from './effects.ts';
import { insertNote } from './findings.repository.ts';
import { amountOf, createFindings, partsOf } from './findings.ts';
import {
  type Cursor,
  type ListedRow,
  payoutKey,
  payoutsIn,
  rowsPage,
  type Span,
  sumsOfPayouts,
  waitingIn,
} from './lists.repository.ts';
import { createReader } from './reading.ts';
import { rowsById } from './rows.repository.ts';

const shownPayouts = 200;
const pageSize = 100;
const exportedAtOnce = 500;
/** Days of a range that nobody chose. */
const usualDays = 90;

export interface SettlementsDeps {
  db: Database;
  now: () => number;
  payments: PaymentsService;
  stores: StoresService;
  settings: { all(): Promise<{ currency: string }> };
  /** Called in the transaction in which rows of providers are kept: the books of the shop enter fees and payouts then. */
  onKept: (trx: Trx, kept: readonly KeptRow[]) => Promise<void>;
}

interface RangeQuery {
  from?: string | undefined;
  to?: string | undefined;
  provider?: string | undefined;
}

type Reading = Permit<'books.payouts'>;
type Closing = Permit<'books.close'>;

export type SettlementsService = ReturnType<typeof createSettlementsService>;

export function createSettlementsService(deps: SettlementsDeps) {
  const { db, now, payments, stores, onKept } = deps;
  const timeZone = () => stores.timeZone();
  const urlOf = (provider: string, dashboard: string) =>
    dashboard === '' ? null : dashboardUrl(payments.providers.keys(), provider, dashboard, dashboard);
  const bank = createBank({ ...deps, timeZone });
  const reader = createReader({
    db,
    now,
    payments,
    async onKept(trx, kept) {
      await onKept(trx, kept);
      // The statement may have been there first.
      await bank.matchPayouts(
        trx,
        kept.map(({ row }) => row),
      );
    },
  });
  const findings = createFindings({ db, now, reader, timeZone, urlOf });

  async function spanOf({
    from,
    to,
    provider,
  }: RangeQuery): Promise<Span & { days: { from: string; to: string } }> {
    const zone = await timeZone();
    const last = to ?? wallClock(now(), zone).date;
    requireDays({ to: last });
    const first =
      from ??
      Temporal.PlainDate.from(last)
        .subtract({ days: usualDays - 1 })
        .toString();
    const span = daySpan(first, last, zone, longestSettlementRange);
    return { ...span, provider: provider ?? null, days: { from: first, to: last } };
  }

  async function states(): Promise<SettlementsAnswer['providers']> {
    const readings = await reader.readings();
    return reader.books().map(({ provider, settlements }) => {
      const reading = readings.get(provider);
      return {
        provider,
        readUntil: reading?.readUntil ?? null,
        readAt: reading?.readAt ?? null,
        reading: (reading?.claimedUntil ?? 0) > now(),
        problem: reading?.problem ?? null,
        ...settlements.says,
      };
    });
  }

  const shown = ({ about, orderNumber, ...row }: ListedRow): ShownRow => ({
    provider: row.provider,
    id: row.id,
    kind: row.kind,
    type: row.type,
    state: row.state,
    at: row.at,
    availableAt: row.availableAt,
    currency: row.currency,
    gross: row.gross,
    fee: row.fee,
    net: row.net,
    payout: row.payout,
    order: orderNumber,
    payment: row.paymentId,
    refund: row.refundId,
    dispute: row.disputeId,
    url: urlOf(row.provider, about.dashboard),
  });

  return {
    reader,
    bank,

    /** @throws {AppError} REQUEST_VALIDATION_ERROR for days that are no range */
    async list(_permit: Reading, query: RangeQuery): Promise<SettlementsAnswer> {
      const { days, ...span } = await spanOf(query);
      const rows = await payoutsIn(db.read, span, shownPayouts + 1);
      const some = rows.slice(0, shownPayouts);
      const sums = await sumsOfPayouts(db.read, some);
      const lines = await arrivalsOf(
        db.read,
        some.map(({ provider, payout, id }) => ({ provider, payout: payout ?? id })),
      );
      return {
        ...days,
        providers: await states(),
        unlisted: reader.without(),
        payouts: some.map((row): Payout => {
          const payout = row.payout ?? row.id;
          const line = lines.get(payoutKey(row.provider, payout));
          return {
            provider: row.provider,
            payout,
            state: row.state,
            at: row.at,
            arrives: row.availableAt,
            currency: row.currency,
            amount: amountOf(row),
            complete: row.complete,
            ...(sums.get(payoutKey(row.provider, payout)) ?? { rows: 0, gross: 0, fee: null, net: null }),
            bank: line ? { day: line.day, amount: line.amount, description: line.description } : null,
          };
        }),
        more: rows.length > shownPayouts,
        waiting: await waitingIn(db.read, span),
      };
    },

    /** A page of what is in a payout (`-`: in none), or of a range. */
    async rows(
      _permit: Reading,
      query: RangeQuery & { payout?: string | undefined; after?: string | undefined },
    ) {
      const { days: _, ...span } = await spanOf(query);
      const payout = query.payout === '-' ? null : query.payout;
      const rows = await rowsPage(db.read, {
        ...span,
        payout,
        after: cursorOf(query.after),
        most: pageSize + 1,
      });
      const some = rows.slice(0, pageSize);
      const last = some.at(-1);
      return { rows: some.map(shown), after: rows.length > pageSize && last ? cursorText(last) : null };
    },

    async findings(_permit: Reading, query: RangeQuery) {
      return findings.of(await spanOf(query));
    },

    /** Begins to read all providers, and does not wait for it. */
    async read(_permit: Reading) {
      const reading = reader.readAll();
      // What fails is shown with its provider.
      void reading.catch(() => undefined);
      await Promise.race([reading, new Promise((soon) => setTimeout(soon, 300))]);
      return { providers: await states() };
    },

    /** Asks the provider of a difference's payment, and looks again. Returns whether it is solved. */
    async ask(_permit: Reading, id: string): Promise<{ solved: boolean }> {
      const { kind, provider, subject } = partsOf(id) ?? missing();
      const row = (await rowsById(db.read, provider, [subject])).get(subject);
      const paymentId = row ? row.paymentId : await paymentOf(db, kind, subject);
      const payment = paymentId === null ? null : await findPaymentById(db.read, paymentId);
      if (!payment) throw notFound();
      await payments.check(payment);
      if (row) await reader.rematch(provider, [subject]);
      const at = row?.at ?? payment.createdAt;
      const again = await findings.of({ from: at - 400 * dayMs, to: at + 400 * dayMs, provider });
      return { solved: !again.findings.some((each: Finding) => each.id === id) };
    },

    /** Accepts a difference: it is not listed any more. The first reason stays. */
    async accept({ trx, note, actor }: Change, _permit: Closing, id: string, reason: string): Promise<void> {
      if (!partsOf(id)) throw notFound();
      const isNew = await insertNote(trx, { finding: id, note: reason, actor: actorText(actor), at: now() });
      note('settlement', id, isNew ? [{ field: 'accepted', to: true }] : []);
    },

    /** Says which line of the bank a payout is. @throws {AppError} 404 if there is none, CONFLICT if one of them has another */
    async link(
      { trx, note, actor }: Change,
      _permit: Closing,
      link: { provider: string; payout: string; line: string },
    ): Promise<void> {
      const row = await bank.payout(trx, link.provider, link.payout);
      const line = await findLine(trx, link.line);
      if (!row || !line || row.currency !== line.currency) throw notFound();
      if (!(await insertArrival(trx, link, { actor: actorText(actor), at: now() }))) {
        const known = (await arrivalsOf(trx, [link])).get(payoutKey(link.provider, link.payout));
        if (known?.id === line.id) return note('settlement', link.payout, []);
        throw new AppError('CONFLICT', { errorKey: 'office.payouts.linked' });
      }
      note('settlement', link.payout, [{ field: 'arrived', to: line.day }]);
    },

    /** What a statement of the bank says of payouts. @throws {InputError} for what is no table */
    readStatement(
      _permit: Closing,
      body: Readable,
      chosen: Parameters<typeof bank.read>[1],
    ): Promise<StatementFound> {
      return bank.read(body, chosen);
    },

    /** All rows of a range, the oldest first, in pieces. @throws {AppError} as `list` */
    async *pieces(query: RangeQuery): AsyncGenerator<ShownRow[]> {
      const { days: _, ...span } = await spanOf(query);
      for (let after: Cursor | null = null; ; ) {
        const rows: ListedRow[] = await rowsPage(db.read, {
          ...span,
          payout: undefined,
          after,
          most: exportedAtOnce,
        });
        if (rows.length > 0) yield rows.map(shown);
        after = rows.at(-1) ?? null;
        if (rows.length < exportedAtOnce) return;
      }
    },
    spanOf,
  };
}

function missing(): never {
  throw notFound();
}

async function paymentOf(db: Database, kind: string, subject: string): Promise<string | null> {
  if (kind !== 'refundNotThere') return subject;
  return (await findRefund(db.read, subject))?.paymentId ?? null;
}

const cursorText = ({ at, provider, id }: Cursor) =>
  Buffer.from(JSON.stringify([at, provider, id])).toString('base64url');

/** @throws {AppError} REQUEST_VALIDATION_ERROR for what is none */
function cursorOf(text: string | undefined): Cursor | null {
  if (text === undefined) return null;
  try {
    const [at, provider, id] = JSON.parse(Buffer.from(text, 'base64url').toString()) as unknown[];
    if (typeof at === 'number' && typeof provider === 'string' && typeof id === 'string')
      return { at, provider, id };
  } catch {
    // Refused below.
  }
  throw validationError({ after: 'error.fields' });
}
