/** Cash in the drawers of stores: put in, taken to the bank, spent, counted. Each is an event of the books, taken back by another. */
import { randomUUID } from 'node:crypto';
import type { CashInput, CashKind, CashMove, CashSheet } from '#contract/staff/cash.ts';
import type { Database } from '#db/database.ts';
import type { Change } from '#server/modules/changes/index.ts';
import { closedUntil, type Entry, type Ledger, plainEntry } from '#server/modules/ledger/index.ts';
import type { SettingsService } from '#server/modules/settings/index.ts';
import { actorText } from '#server/platform/actors.ts';
import { requireDays, spanOf } from '#server/platform/day-span.ts';
import { notFound, validationError } from '#server/platform/errors.ts';
import type { Permit } from '#server/platform/permits.ts';
import { wallClock } from '#server/platform/time-zone.ts';
import { type BookkeepingDeps, nameOf } from '../closing/periods.ts';
import { type CashRow, cashBefore, cashIn, insertMove, moveOf, movesIn } from './cash.repository.ts';

export interface CashDeps extends BookkeepingDeps {
  db: Database;
  ledger: Ledger;
  settings: SettingsService;
}

/** Where the money of a drawer comes from, or goes to. */
const otherSide = {
  float: 'bank',
  bank: 'bank',
  spent: 'spent',
  count: 'overShort',
} as const satisfies Record<CashKind, Entry['account']>;

/** The entries of a drawer that has `amount` more. */
export const cashEntries = (kind: CashKind, amount: number): Entry[] =>
  amount === 0 ? [] : [plainEntry('money', amount, 'cash'), plainEntry(otherSide[kind], -amount)];

interface Recorded {
  store: string;
  currency: string;
  kind: CashKind;
  amount: number;
  counted: number | null;
  note: string;
  at: number;
  corrects: string | null;
}

export type CashService = ReturnType<typeof createCash>;

export function createCash({ db, now, stores, staff, ledger, settings }: CashDeps) {
  /** @throws {AppError} for a day that does not exist */
  async function spanOfDay(day: string): Promise<{ from: number; to: number }> {
    requireDays({ day });
    return spanOf(day, day, await stores.timeZone());
  }

  const today = async () => wallClock(now(), await stores.timeZone()).date;

  async function requireStore(permit: Permit, store: string): Promise<void> {
    const known = (await stores.all()).some(({ id }) => id === store);
    if (!known || !permit.reaches(store)) throw notFound();
  }

  /** Writes a move and what it is in the books. */
  async function record({ trx, actor, note }: Change, move: Recorded): Promise<string> {
    const id = randomUUID();
    const { store, currency, kind, amount, counted, at, corrects } = move;
    await insertMove(trx, {
      id,
      at,
      store_id: store,
      currency,
      kind,
      amount_cents: amount,
      counted_cents: counted,
      note: move.note,
      actor: actorText(actor),
      entered_at: now(),
      corrects,
    });
    const entries = cashEntries(kind, amount);
    const event = {
      kind: amount > 0 ? ('cashIn' as const) : ('cashOut' as const),
      source: `cash ${corrects ?? id}`,
      order: null,
    };
    if (entries.length > 0)
      await ledger.record(trx, [
        {
          ...event,
          store,
          currency,
          at,
          actor: actorText(actor),
          entries,
          note: move.note === '' ? null : move.note,
        },
      ]);
    note('cash', `${store} ${id}`, [
      { field: 'cashKind', to: kind },
      { field: 'cents', to: amount },
      ...(corrects === null ? [] : [{ field: 'takenBack', to: corrects }]),
    ]);
    return id;
  }

  return {
    /** @throws {AppError} 404 for a store that is not there or not theirs; for a day that does not exist */
    async sheet(permit: Permit, store: string, day?: string): Promise<CashSheet> {
      await requireStore(permit, store);
      const shown = day ?? (await today());
      const span = await spanOfDay(shown);
      const { currency } = await settings.all();
      const drawer = { store, currency };
      const [opening, sums, moves, names] = [
        await cashBefore(db.read, drawer, span.from),
        await cashIn(db.read, drawer, span),
        await movesIn(db.read, drawer, span),
        await staff.names(),
      ];
      const sum = (kinds: readonly string[]) =>
        sums.reduce((total, { kind, amount }) => (kinds.includes(kind) ? total + amount : total), 0);
      const received = sum(['payment', 'paymentUndone']);
      const moved = sum(['cashIn', 'cashOut']);
      const all = sum(sums.map(({ kind }) => kind));
      return {
        day: shown,
        store,
        currency,
        opening,
        received,
        refunded: received + moved - all,
        moved,
        closing: opening + all,
        moves: moves.map((row) => toMove(row, names)),
      };
    },

    /** @throws {AppError} 404 for a store that is not there or not theirs; for an amount that cannot be */
    async move(change: Change, permit: Permit<'books.cash'>, input: CashInput): Promise<void> {
      const { store, kind, amount, day } = input;
      await requireStore(permit, store);
      const note = (input.note ?? '').trim();
      if (kind !== 'count' && amount === 0) throw validationError({ amount: 'office.cash.noAmount' });
      if (kind === 'spent' && note === '') throw validationError({ note: 'office.cash.noNote' });
      if (day !== undefined && day > (await today())) throw validationError({ day: 'office.cash.future' });
      const at = day === undefined || day === (await today()) ? now() : (await spanOfDay(day)).to - 1;
      if ((await closedUntil(change.trx)) > at) throw validationError({ day: 'office.cash.closed' });
      const { currency } = await settings.read(change.trx);
      const drawer = { store, currency };
      // Two who count at once: the second one finds what the first has booked.
      await db.queries.lock(change.trx, `cash of ${store}`);
      const expected = kind === 'count' ? await cashBefore(change.trx, drawer, at + 1) : 0;
      const added = { float: amount, bank: -amount, spent: -amount, count: amount - expected }[kind];
      const counted = kind === 'count' ? amount : null;
      await record(change, { ...drawer, kind, amount: added, counted, note, at, corrects: null });
    },

    /** Takes a move back, once. Returns its store. @throws {AppError} 404; for what takes another back itself */
    async takeBack(change: Change, permit: Permit<'books.cash'>, id: string): Promise<string> {
      const known = await moveOf(change.trx, id);
      if (!known || !permit.reaches(known.store_id)) throw notFound();
      const { store_id: store, currency } = known;
      if (known.corrects !== null) throw validationError({ move: 'office.cash.isTakenBack' });
      await db.queries.lock(change.trx, `cash of ${store}`);
      const row = await moveOf(change.trx, id);
      if (!row || row.taken_back_by !== null) {
        change.note('cash', `${store} ${id}`, []);
        return store;
      }
      // Written from `CashKind`.
      const kind = row.kind as CashKind;
      const amount = 0 - Number(row.amount_cents);
      await record(change, {
        store,
        currency,
        kind,
        amount,
        counted: null,
        note: row.note,
        at: now(),
        corrects: id,
      });
      return store;
    },
  };
}

function toMove(row: CashRow, names: ReadonlyMap<string, string>): CashMove {
  return {
    id: row.id,
    at: Number(row.at),
    kind: row.kind as CashKind,
    amount: Number(row.amount_cents),
    counted: row.counted_cents === null ? null : Number(row.counted_cents),
    note: row.note,
    by: nameOf(row.actor, names),
    corrects: row.corrects,
    isTakenBack: row.taken_back_by !== null,
  };
}
