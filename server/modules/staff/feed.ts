/**
 * The live feed: hints about what changed, by Server-Sent Events. Each process reads the new rows of the table `feed` while anybody
 * listens to it, so that it does not matter which process, command or machine wrote them.
 */
import { PassThrough, type Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { FeedHint } from '#contract/staff/desk.ts';
import { type Kind, kinds } from '#contract/staff/messages.ts';
import type { Permission } from '#contract/staff/permissions.ts';
import type { Database } from '#db/database.ts';
import { type FeedRow, feedSince, trimFeed } from '#db/feed.ts';
import { type SignedIn, serveStaff } from '#server/http/staff-endpoint.ts';
import { AppError } from '#server/platform/errors.ts';
import { dayMs } from '#server/platform/time-zone.ts';
import type { StaffSessions } from './sign-in.ts';
import type { StaffDeps } from './staff.service.ts';

/** How often new rows are read, and how often a stream says that it is alive and its session is looked at, ms. */
const readEveryMs = 200;
const heartbeatMs = 5000;
/** Rows of this long ago may still become visible: transactions end in another order, and clocks of machines differ, ms. */
const lateMs = 15_000;
const keptMs = dayMs;
/** Of more rows at once, a stream only learns that everything may have changed. */
const mostRows = 500;
const mostStreams = 500;
const mostOfAPerson = 12;
/** Bytes that may wait for a reader. */
const mostWaiting = 64 * 1024;

interface Hearing {
  needs: Permission;
  /** Who is limited to stores hears of what is of these (`own`), or of all, because it says nothing of another store (`any`). */
  stores: 'own' | 'any';
}

/** Who hears of a change of each kind: null for nobody, because no room shows it. A new kind does not compile until it says so. */
const hearings: Readonly<Record<Kind, Hearing | 'everybody' | null>> = {
  order: { needs: 'orders.read', stores: 'own' },
  refund: { needs: 'orders.read', stores: 'own' },
  orderView: { needs: 'orders.read', stores: 'any' },
  customer: { needs: 'customers.read', stores: 'own' },
  guest: { needs: 'customers.read', stores: 'own' },
  message: { needs: 'messages.read', stores: 'own' },
  soldOut: { needs: 'stock.soldOut', stores: 'own' },
  stock: { needs: 'stock.count', stores: 'any' },
  stockTake: { needs: 'stock.count', stores: 'own' },
  product: { needs: 'goods.read', stores: 'own' },
  brand: { needs: 'goods.read', stores: 'own' },
  category: { needs: 'goods.read', stores: 'own' },
  tag: { needs: 'goods.read', stores: 'own' },
  modifierGroup: { needs: 'goods.read', stores: 'own' },
  redirect: { needs: 'goods.read', stores: 'own' },
  image: { needs: 'media.write', stores: 'own' },
  page: { needs: 'content.write', stores: 'own' },
  navigation: { needs: 'content.write', stores: 'own' },
  settings: { needs: 'settings.shop', stores: 'own' },
  look: { needs: 'settings.shop', stores: 'own' },
  email: { needs: 'settings.shop', stores: 'own' },
  period: { needs: 'books.read', stores: 'own' },
  cash: { needs: 'books.read', stores: 'own' },
  handover: { needs: 'books.export', stores: 'own' },
  connection: { needs: 'connections.manage', stores: 'own' },
  coupon: { needs: 'coupons.write', stores: 'own' },
  agent: { needs: 'agents.manage', stores: 'own' },
  settlement: { needs: 'books.payouts', stores: 'own' },
  staff: { needs: 'staff.manage', stores: 'own' },
  role: { needs: 'staff.manage', stores: 'own' },
  // Their names are on every screen, and in the shop.
  setting: 'everybody',
  store: 'everybody',
  tableCards: null,
  export: null,
  webhook: { needs: 'connections.manage', stores: 'own' },
  webhookDelivery: null,
  blog: { needs: 'content.write', stores: 'own' },
  post: { needs: 'content.write', stores: 'own' },
  gallery: null,
};
const everything: FeedHint = { topic: '*', subject: '', store: null };

interface Listener {
  stream: PassThrough;
  who: SignedIn;
}

export type StaffFeed = ReturnType<typeof createFeed>;

export function createFeed({
  db,
  now,
  sessions,
}: Pick<StaffDeps, 'db' | 'now'> & { sessions: StaffSessions }) {
  const listeners = new Set<Listener>();
  const newRows = createNewRows(db, now);
  let reading: NodeJS.Timeout | undefined;
  let beatenAt = performance.now();

  async function tick(): Promise<void> {
    try {
      const rows = await newRows();
      for (const listener of listeners) tell(listener, rows);
      if (performance.now() - beatenAt >= heartbeatMs) await beat();
    } catch {
      // Without heartbeats, readers learn that they are not told.
    }
    reading = listeners.size > 0 ? setTimeout(() => void tick(), readEveryMs).unref() : undefined;
  }

  async function beat(): Promise<void> {
    beatenAt = performance.now();
    for (const listener of listeners) {
      const who = await sessions.check(listener.who.session);
      if (who === null) listener.stream.end();
      // A comment would reach no script.
      else write(Object.assign(listener, { who }).stream, 'event: alive\ndata: 1\n\n');
    }
  }

  return {
    /** What somebody is told from `since` on, epoch ms; without it, from now on. */
    page: async (who: SignedIn, since: number | undefined): Promise<{ at: number; hints: FeedHint[] }> => ({
      at: now(),
      hints: since === undefined ? [] : await missed(db, since, who, now()),
    }),

    /** @throws {AppError} RATE_LIMITED with too many streams */
    async open(who: SignedIn, since: number | undefined): Promise<Readable> {
      if (
        listeners.size >= mostStreams ||
        [...listeners].filter((each) => each.who.id === who.id).length >= mostOfAPerson
      )
        throw new AppError('RATE_LIMITED', { errorKey: 'error.rateLimited', values: { seconds: 60 } });
      const listener = { stream: new PassThrough(), who };
      const { stream } = listener;
      stream.once('close', () => listeners.delete(listener));
      listeners.add(listener);
      if (reading === undefined) {
        await newRows();
        reading ??= setTimeout(() => void tick(), readEveryMs).unref();
      }
      // A stream that begins tells so: what its reader has seen before may be old.
      const hints = since === undefined ? [everything] : await missed(db, since, who, now());
      write(stream, `retry: 1000\n\n${hints.map((hint) => eventOf(now(), hint)).join('')}: alive\n\n`);
      return stream;
    },

    stop(): void {
      clearTimeout(reading);
      for (const { stream } of listeners) stream.end();
    },
    trim: (): Promise<void> => db.transaction((trx) => trimFeed(trx, now() - keptMs)),
  };
}

/** Returns a reader of the rows that no earlier call returned, oldest first. */
function createNewRows(db: Database, now: () => number): () => Promise<FeedRow[]> {
  const seen = new Map<string, number>();
  return async () => {
    const low = now() - lateMs;
    const rows = (await feedSince(db.read, low, mostRows)).filter(({ id }) => !seen.has(id));
    for (const [id, at] of seen) if (at < low) seen.delete(id);
    for (const { id, at } of rows) seen.set(id, at);
    return rows;
  };
}

/** What somebody has missed since a time. */
async function missed(db: Database, since: number, who: SignedIn, now: number): Promise<FeedHint[]> {
  if (since < now - keptMs) return [everything];
  const rows = await feedSince(db.read, since - lateMs, mostRows);
  return rows.length === mostRows ? [everything] : rows.filter((row) => mayHear(who, row)).map(hintOf);
}

function tell({ stream, who }: Listener, rows: readonly FeedRow[]): void {
  const heard = rows.filter((row) => mayHear(who, row));
  const hints = rows.length === mostRows ? [everything] : heard.map(hintOf);
  const at = rows.at(-1)?.at ?? 0;
  if (hints.length > 0) write(stream, hints.map((hint) => eventOf(at, hint)).join(''));
}

const isKind = (topic: string): topic is Kind => (kinds as readonly string[]).includes(topic);

function mayHear({ may, stores }: SignedIn, { topic, store_id: store }: FeedRow): boolean {
  const hearing = isKind(topic) ? hearings[topic] : null;
  if (hearing === 'everybody') return true;
  if (hearing === null || !may.has(hearing.needs)) return false;
  return stores === null || hearing.stores === 'any' || (store !== null && stores.includes(store));
}

const hintOf = ({ topic, subject, store_id: store }: FeedRow): FeedHint => ({ topic, subject, store });
const eventOf = (at: number, hint: FeedHint) => `id: ${at}\ndata: ${JSON.stringify(hint)}\n\n`;

/** Ends a stream whose reader does not read: the browser opens it again and learns what it missed. */
function write(stream: PassThrough, text: string): void {
  if (stream.readableLength > mostWaiting) stream.destroy();
  else stream.write(text);
}

export function registerFeed(app: FastifyInstance, feed: StaffFeed): void {
  app.addHook('preClose', async () => feed.stop());
  serveStaff(app, 'feed', async ({ caller, query, request }) => {
    const last = Number(request.headers['last-event-id'] ?? query.since);
    const since = Number.isFinite(last) ? last : undefined;
    return request.headers.accept === 'text/event-stream'
      ? feed.open(caller(), since)
      : feed.page(caller(), since);
  });
}
