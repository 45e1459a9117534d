/** What does not agree between the books of providers, those of the shop, and the bank. */
import type { Finding, FindingKind } from '#contract/staff/settlements.ts';
import type { Database, Reader } from '#db/database.ts';
import { dayMs, wallClock } from '#server/platform/time-zone.ts';
import { arrivalsOf, type BankLine, coveredSince, freeLines } from './bank.repository.ts';
import {
  acceptedAmong,
  type FoundRow,
  type MissingThere,
  otherAmounts,
  paymentsNotThere,
  refundsNotThere,
  unknownRows,
} from './findings.repository.ts';
import { payoutKey, payoutsIn, type Span, sumsOfPayouts } from './lists.repository.ts';
import type { SettlementReader } from './reading.ts';
import type { SettlementRow } from './rows.repository.ts';

/** Differences of a kind that are looked for. */
const mostOfKind = 200;
/** A payment may reach the books of its provider so much later: a settlement takes days. */
export const lateMs = 5 * dayMs;
/** A payout may reach the bank so many days after its provider expects it, and one before. */
const lateDays = 5;
/** Payouts beside a span whose lines may lie in it: how far away, and how many at most. */
const nearMs = 2 * lateDays * dayMs;
const mostBeside = 100;

export interface FindingsDeps {
  db: Database;
  now: () => number;
  reader: Pick<SettlementReader, 'books' | 'readings'>;
  timeZone: () => Promise<string>;
  /** In the provider's dashboard; null: it has none. */
  urlOf: (provider: string, dashboard: string) => string | null;
}

export type Findings = ReturnType<typeof createFindings>;

export const findingId = (kind: FindingKind, provider: string, subject: string) =>
  `${kind}:${provider}:${subject}`;

/** @returns null for what is no id of a difference */
export function partsOf(id: string): { kind: string; provider: string; subject: string } | null {
  const [, kind, provider, subject] = /^(\w+):([^:]+):(.+)$/s.exec(id) ?? [];
  return kind && provider && subject ? { kind, provider, subject } : null;
}

export function createFindings(deps: FindingsDeps) {
  return {
    /** The latest first. `accepted`: how many somebody accepted; `more`: there are more than were looked for. */
    async of(span: Span): Promise<{ findings: Finding[]; accepted: number; more: boolean }> {
      const [rows, missing, payouts] = [
        await rowFindings(deps, span),
        await missingFindings(deps, span),
        await payoutFindings(deps, span),
      ];
      const all = [...rows, ...missing, ...payouts].sort((one, other) => other.at - one.at);
      const accepted = await acceptedAmong(
        deps.db.read,
        all.map(({ id }) => id),
      );
      const counts = Map.groupBy(all, ({ kind }) => kind);
      return {
        findings: all.filter(({ id }) => !accepted.has(id)),
        accepted: accepted.size,
        more: [...counts.values()].some(({ length }) => length >= mostOfKind),
      };
    },
  };
}

async function rowFindings({ db, urlOf }: FindingsDeps, span: Span): Promise<Finding[]> {
  const said =
    (kind: FindingKind) =>
    (row: FoundRow): Finding => ({
      id: findingId(kind, row.provider, row.id),
      kind,
      provider: row.provider,
      at: row.at,
      currency: (kind === 'amount' ? row.charged?.currency : null) ?? row.currency,
      there: (kind === 'amount' ? row.charged?.amount : null) ?? row.gross,
      here: row.here,
      order: row.orderNumber,
      subject: row.id,
      payout: row.payout,
      line: null,
      url: urlOf(row.provider, row.about.dashboard),
      canAsk: row.paymentId !== null && kind !== 'amount',
    });
  return [
    ...(await unknownRows(db.read, span, 'payment', mostOfKind)).map(said('noOrder')),
    ...(await unknownRows(db.read, span, 'refund', mostOfKind)).map(said('unknownRefund')),
    ...(await unknownRows(db.read, span, 'dispute', mostOfKind)).map(said('unknownDispute')),
    ...(await otherAmounts(db.read, span, mostOfKind)).map(said('amount')),
  ];
}

async function missingFindings({ db, reader, urlOf }: FindingsDeps, span: Span): Promise<Finding[]> {
  const readings = await reader.readings();
  const found: Finding[] = [];
  const say = (kind: FindingKind) => (row: MissingThere) =>
    found.push({
      id: findingId(kind, row.provider, row.id),
      kind,
      provider: row.provider,
      at: row.at,
      currency: row.currency,
      there: null,
      here: row.here,
      order: row.orderNumber,
      subject: row.id,
      payout: null,
      line: null,
      url: urlOf(row.provider, row.dashboard),
      canAsk: true,
    });
  for (const { provider } of reader.books()) {
    const until = readings.get(provider)?.readUntil ?? null;
    // Only what had time to be listed, and was read.
    if (until === null || (span.provider !== null && span.provider !== provider)) continue;
    const within = { ...span, to: Math.min(span.to, until - lateMs) };
    (await paymentsNotThere(db.read, provider, within, mostOfKind)).forEach(say('notThere'));
    (await refundsNotThere(db.read, provider, within, mostOfKind)).forEach(say('refundNotThere'));
  }
  return found;
}

async function payoutFindings(deps: FindingsDeps, span: Span): Promise<Finding[]> {
  const { db, timeZone, urlOf } = deps;
  const payouts = await payoutsIn(db.read, span, mostOfKind);
  const sums = await sumsOfPayouts(db.read, payouts);
  // A line near the ends of the span may be a payout beside it.
  const around = { ...span, from: span.from - nearMs, to: span.to + nearMs };
  const near = await payoutsIn(db.read, around, mostOfKind + mostBeside);
  const banked = await bankOf(db.read, near, await timeZone());
  return payouts.flatMap((row) => {
    const payout = row.payout ?? row.id;
    const sent = amountOf(row);
    const said = (kind: FindingKind, here: number | null, line: BankLine | null = null): Finding => ({
      id: findingId(kind, row.provider, payout),
      kind,
      provider: row.provider,
      at: row.at,
      currency: row.currency,
      there: sent,
      here,
      order: null,
      subject: payout,
      payout,
      line: line?.id ?? null,
      url: urlOf(row.provider, row.about.dashboard),
      canAsk: false,
    });
    const inside = sums.get(payoutKey(row.provider, payout));
    const sum = inside === undefined ? 0 : (inside.net ?? inside.gross);
    const findings = row.complete && sum !== sent ? [said('payoutSum', sum)] : [];
    if (row.state === 'failed') return [...findings, said('payoutFailed', null)];
    const bank = banked(row);
    if (bank === 'unknown' || bank === 'arrived') return findings;
    return [...findings, bank === null ? said('notArrived', null) : said('otherAmount', bank.amount, bank)];
  });
}

/** What is sent to the bank. */
export const amountOf = ({ gross }: Pick<SettlementRow, 'gross'>) => -gross;

const keyOf = ({ provider, payout, id }: Pick<SettlementRow, 'provider' | 'payout' | 'id'>) =>
  payoutKey(provider, payout ?? id);

/** The days within which the bank should have a payout. */
export function bankDays({ at, availableAt }: Pick<SettlementRow, 'at' | 'availableAt'>, timeZone: string) {
  const expected = Temporal.PlainDate.from(wallClock(availableAt ?? at, timeZone).date);
  return {
    from: expected.subtract({ days: 1 }).toString(),
    expected: expected.toString(),
    to: expected.add({ days: lateDays }).toString(),
  };
}

/** Whether the words of the bank name a provider. */
export const names = (description: string, provider: string) => {
  const plain = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  return plain(description).includes(plain(provider));
};

/** Of a payout: arrived, `unknown` if no statement covers its days, a line of another amount that it may be, or null for none. */
async function bankOf(
  db: Reader,
  payouts: readonly SettlementRow[],
  timeZone: string,
): Promise<(row: SettlementRow) => 'arrived' | 'unknown' | BankLine | null> {
  const days = payouts.map((row) => bankDays(row, timeZone));
  const first = days.map(({ from }) => from).sort()[0];
  const last = days
    .map(({ to }) => to)
    .sort()
    .at(-1);
  if (first === undefined || last === undefined) return () => 'unknown';
  const arrived = await arrivalsOf(
    db,
    payouts.map(({ provider, payout, id }) => ({ provider, payout: payout ?? id })),
  );
  const covered = await coveredSince(db, first);
  const otherLine = (row: SettlementRow) => findingId('otherAmount', row.provider, row.payout ?? row.id);
  const open = payouts.filter((row) => row.state !== 'failed' && !arrived.has(keyOf(row)));
  const accepted = await acceptedAmong(db, open.map(otherLine));
  const likely = likelyLines(
    // Of an accepted difference somebody has said what it is: its line may be another payout's.
    open.filter((row) => !accepted.has(otherLine(row))),
    await freeLines(db, first, last),
    timeZone,
  );
  return (row) => {
    if (arrived.has(keyOf(row))) return 'arrived';
    const { to, expected } = bankDays(row, timeZone);
    const isCovered = covered.some(
      ({ currency, firstDay, lastDay }) => currency === row.currency && firstDay <= expected && lastDay >= to,
    );
    return likely.get(keyOf(row)) ?? (isCovered ? null : 'unknown');
  };
}

/** The lines that name the provider near a payout's day, by the key of the payout. A line is one payout's: the one whose amount is nearest, then its day. */
function likelyLines(
  payouts: readonly SettlementRow[],
  lines: readonly BankLine[],
  timeZone: string,
): ReadonlyMap<string, BankLine> {
  const pairs = payouts.flatMap((row) => {
    const { from, to, expected } = bankDays(row, timeZone);
    const fits = (line: BankLine) =>
      line.currency === row.currency &&
      line.day >= from &&
      line.day <= to &&
      Math.sign(line.amount) === Math.sign(amountOf(row)) &&
      names(line.description, row.provider);
    return lines.filter(fits).map((line) => ({
      row,
      line,
      cents: Math.abs(line.amount - amountOf(row)),
      days: Math.abs(Temporal.PlainDate.from(line.day).since(expected).days),
    }));
  });
  pairs.sort(
    (one, other) =>
      one.cents - other.cents || one.days - other.days || keyOf(one.row).localeCompare(keyOf(other.row)),
  );
  const likely = new Map<string, BankLine>();
  const taken = new Set<BankLine>();
  for (const { row, line } of pairs) {
    if (likely.has(keyOf(row)) || taken.has(line)) continue;
    likely.set(keyOf(row), line);
    taken.add(line);
  }
  return likely;
}
