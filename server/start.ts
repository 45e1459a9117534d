import cluster from 'node:cluster';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Worker } from 'node:worker_threads';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { isLocale } from '#contract/locales.ts';
import { staffTranslate } from '#contract/staff/messages.ts';
import { clearMark, isMarked, setMark } from '#db/counters.ts';
import { type Database, openDatabase } from '#db/database.ts';
import { migrate, pendingMigrations } from '#db/migrate.ts';
import { migrations as shipped } from '#db/migrations/index.ts';
import { demoCustomerId } from '#demo/customer-id.ts';
import { endPast, isPastWanted, wantPast } from '#demo/past/progress.ts';
import type { Change } from '#server/modules/changes/index.ts';
import { keyModeProblems } from '#server/modules/payments/index.ts';
import { invitationLink } from '#server/modules/staff/index.ts';
import { onParentExit, runCluster, type WorkerReport } from '#server/platform/cluster.ts';
import { localeOf, translate } from '#server/platform/i18n.ts';
import {
  type Background,
  type Job,
  type ServerModule,
  startBackground,
} from '#server/platform/server-module.ts';
import type { MetricsAddress } from '#server/platform/telemetry/metric.ts';
import { openTelemetry } from '#server/platform/telemetry/telemetry.ts';
import { dayMs } from '#server/platform/time-zone.ts';
import { onUnreadableRow } from '#server/platform/unreadable-rows.ts';
import { buildApp, type OpenRenderer } from './app.ts';
import { createContainer, type ServiceDeps, type Services } from './container.ts';
import { type Env, readEnv } from './env.ts';
import { cacheMetrics, RequestMetrics } from './http/request-metrics.ts';
import { startupErrorMessage } from './startup-errors.ts';

/** Seconds. */
const retryAfterSeconds = 5;

/** Of requests under way, after the process is told to stop. */
const graceMs = 10_000;
/** After the process is told to stop, with the port open. */
const settleMs = 250;
/** Signals closer together than this count as one. */
const sameWishMs = 1000;
/** Waiting to be accepted. Of more, clients repeat the attempt after one, three, seven seconds. */
const backlog = 4096;
/** In the database while the demo is being loaded, so that the next start completes an interrupted load. */
const demoUnfinished = 'demoUnfinished';
const maintenanceEveryMs = 60_000;

/** `past`: a demo that is loaded now gets one, unless the environment says otherwise. */
export async function runShop({
  web,
  past: isPastMade = false,
}: {
  web: OpenRenderer | null;
  past?: boolean;
}): Promise<void> {
  let env: Env | null = null;
  try {
    const read = readEnv(process.env);
    env = read;
    // In a worker the database is already prepared.
    const prepared = cluster.isPrimary ? await prepare(env, env.demoPast ?? isPastMade) : null;
    const held = prepared?.held ?? null;
    const past = createPast();
    const announce = (address: string) => announceShop(address, read, prepared?.firstOwner ?? null);
    if (env.workers > 1 && cluster.isPrimary) {
      await held?.release();
      if (env.metrics) await serveWorkersMetrics(env.metrics, env);
      const begin = (address: string) => {
        announce(address);
        if (prepared?.lacksPast) past.start();
      };
      await runCluster(env.workers, begin, reportWorker(env));
      return await past.stop();
    }
    const address = await serveShop(env, { web, held, beforeEnd: past.stop });
    if (cluster.isWorker) process.send?.({ address });
    else announce(address);
    if (prepared?.lacksPast) past.start();
    await releaseStartupMemory();
  } catch (error) {
    console.error(startupErrorMessage(error, env) ?? error);
    process.exit(1);
  }
}

function announceShop(address: string, { officeUrl, publicUrl }: Env, firstOwner: string | null): void {
  const origin = officeUrl ?? publicUrl ?? address;
  const join = firstOwner
    ? `\nIts first owner joins within 72 hours at ${invitationLink(origin, firstOwner)}`
    : '';
  console.log(`Listening on ${address}\nThe office is at ${origin}/office${join}`);
}

/** One port cannot be opened by each of the workers. */
async function serveWorkersMetrics(address: MetricsAddress, env: Env): Promise<void> {
  const prometheus = await import('#server/platform/telemetry/prometheus.ts');
  await prometheus.serveWorkersMetrics(address, (error) =>
    logPrimary(env, { err: String(error) }, 'metrics not read'),
  );
}

function reportWorker(env: Env): WorkerReport {
  return (ended) => logPrimary(env, ended, 'worker ended');
}

function logPrimary({ logLevel }: Env, fields: object, msg: string): void {
  if (logLevel === 'silent' || logLevel === 'fatal') return;
  console.error(JSON.stringify({ level: 50, time: Date.now(), pid: process.pid, ...fields, msg }));
}

function open(env: Env): Promise<Database> {
  return openDatabase({
    dataDir: env.dataDir,
    databaseUrl: env.databaseUrl,
  });
}

/** The port first: a shop that cannot serve changes nothing. */
async function prepare(env: Env, past: boolean): Promise<Prepared & { held: HeldPort }> {
  for (const problem of keyModeProblems(env)) console.error(`payment keys: ${problem}`);
  const held = await holdPort(env);
  return { held, ...(await prepareDatabase(env, past)) };
}

interface Prepared {
  /** The first owner's invitation where there is nobody and none is open, unless it is the demo. */
  firstOwner: string | null;
  /** Whether some of the demo's past is still to be made. */
  lacksPast: boolean;
}

/** What makes the demo's past, beside the server, which answers meanwhile. What is lacking when the process ends, the next one makes. */
function createPast() {
  let ended: Promise<unknown> | null = null;
  let thread: Worker | null = null;
  return {
    start(): void {
      // Without the flags of the server: what is loaded for npm is loaded once.
      thread = new Worker(new URL('../demo/past/thread.mjs', import.meta.url), { execArgv: [] });
      ended = new Promise((resolve) => thread?.once('exit', resolve));
      thread.once('error', (error) => console.error('demo shop: its past is not whole:', error));
    },
    async stop(): Promise<void> {
      thread?.postMessage('stop');
      await ended;
    },
  };
}

/**
 * Fills a new database with the demo if configured; otherwise removes the demo's customer. An existing one stays as it is, even
 * without products. `past`: the demo gets one.
 */
async function prepareDatabase(env: Env, past: boolean): Promise<Prepared> {
  const db = await open(env);
  try {
    const isNew = (await pendingMigrations(db)).pending.length === shipped.length;
    await migrate(db);
    const services = createContainer({ db, env, now: Date.now });
    await services.editor.rebuildIfOutdated();
    for (const { key, values } of await services.connections.problems())
      console.error(staffTranslate('en')(`doctor.${key}`, values));
    if (env.demo && isNew) await db.transaction((trx) => setMark(trx, demoUnfinished));
    if (env.demo && (await isMarked(db.read, demoUnfinished))) {
      const { loadDemo } = await import('#demo/load.ts');
      const { pastDays } = await import('#demo/past/plan.ts');
      const begin = Date.now() - (pastDays + 1) * dayMs;
      const stocking =
        past && env.simulatedPayments ? createContainer({ db, env, now: () => begin }) : services;
      // On stderr: stdout carries only the address.
      await loadDemo(services, (problem) => console.error(`demo shop: ${problem}`), stocking);
      await db.transaction(async (trx) => {
        await clearMark(trx, demoUnfinished);
        if (past && env.simulatedPayments) await wantPast(trx, Date.now());
      });
    }
    // Keys that owners entered in the office end the demo, as those of the environment do.
    const { demo, simulatedPayments } = await services.connections.current();
    const isPastOpen = await isPastWanted(db);
    if (isPastOpen && !(demo && simulatedPayments)) await db.transaction(endPast);
    const lacksPast = isPastOpen && demo && simulatedPayments;
    // A shop that was first tried as the demo still has the customer whose password is published.
    if (!demo && (await services.accounts.profile.withdraw(demoCustomerId)))
      console.error('The demo customer was deleted: this shop is not the demo.');
    if (!(env.demoStaff && demo) && (await services.demoStaff.withdraw()) && !isNew)
      console.error(
        "The demo's people were deleted from the office: this shop is not a demo on this machine.",
      );
    if (demo || !(await services.staff.isUnowned())) return { firstOwner: null, lacksPast };
    const invite = (change: Change) => services.staff.inviteFirstOwner(change);
    return { firstOwner: await services.changes.run({ kind: 'system' }, 'start', invite), lacksPast };
  } finally {
    await db.close();
  }
}

/** A failure is logged and does not keep the process from stopping. */
async function stopModules(modules: readonly ServerModule[], log: FastifyBaseLogger): Promise<void> {
  const ends = await Promise.allSettled(modules.map(async (module) => module.stop?.()));
  for (const end of ends)
    if (end.status === 'rejected') log.error({ err: end.reason }, 'stopping a module failed');
}

function problemLog(log: () => FastifyBaseLogger | undefined) {
  return {
    onMailProblem: ({ level, ...report }) => log()?.[level](report, 'mail not sent'),
    onPaymentProblem: (problem) => log()?.warn(problem, 'payment provider not asked'),
    onAttemptGivenUp: (attempt) => log()?.error(attempt, 'payment attempt given up'),
    onMerchantAlert: ({ kind, values }) => log()?.error({ alert: kind, ...values }, 'merchant alert'),
    onWebhookProblem: ({ level, ...report }) => log()?.[level](report, 'webhook not delivered'),
    onBadBlocks: (report) => log()?.warn(report, 'page blocks left out'),
    onSourceProblem: (problem) => log()?.warn(problem, 'source not read'),
  } satisfies Partial<ServiceDeps>;
}

function jobsOf({ modules, runMaintenance }: Services): Job[] {
  return [
    // At startup too: a process that was killed may have left payments with an unknown outcome.
    { name: 'sweep', everyMs: maintenanceEveryMs, atStart: true, run: () => runMaintenance() },
    ...modules.flatMap(({ jobs = [] }) => jobs),
  ];
}

interface Serving {
  web: OpenRenderer | null;
  held: HeldPort | null;
  /** Awaited while the process ends. */
  beforeEnd: () => Promise<unknown>;
}

/** Returns the address it listens on. */
async function serveShop(env: Env, { web, held, beforeEnd }: Serving): Promise<string> {
  let app: FastifyInstance | null = null;
  const telemetry = await openTelemetry(env, (err) => app?.log.warn({ err }, 'traces not sent'));
  const db = telemetry.watch(await open(env));
  const services = createContainer({
    db,
    env,
    now: Date.now,
    ...problemLog(() => app?.log),
    tracer: telemetry.tracer,
  });
  const requestMetrics = telemetry.metrics ? new RequestMetrics() : null;
  app = await buildApp({
    env,
    db,
    services,
    requestMetrics,
    tracer: telemetry.requests,
    ...(web ? { web } : {}),
  });
  const { log } = app;
  const metricSources = [
    ...(requestMetrics ? [requestMetrics.source] : []),
    cacheMetrics(app.contract.cache),
    ...services.modules.flatMap(({ metrics = [] }) => metrics),
  ];
  const metricsUrl = await telemetry.serve(metricSources, (err) => log.error({ err }, 'metrics not read'));
  if (metricsUrl) log.info({ url: metricsUrl }, 'metrics are served');
  onUnreadableRow((row) => log.error(row, 'row left out: its data cannot be read'));
  let background: Background | null = null;

  let stoppingSince = 0;
  const stop = async (signal: string) => {
    if (stoppingSince > 0) {
      // A second signal stops at once. One request to stop may arrive twice, from a terminal and through npm or the primary
      // process.
      if (cluster.isPrimary && Date.now() - stoppingSince > sameWishMs) process.exit(1);
      return;
    }
    stoppingSince = Date.now();
    setTimeout(() => process.exit(1), graceMs).unref();
    log.info({ signal }, 'stopping');
    // Requests on connections that are already open are accepted first.
    await pause(settleMs);
    await acceptWaiting(app.server);
    await Promise.all([app.close(), background?.stop(), services.deliveries.stop(), beforeEnd()]);
    await stopModules(services.modules, log);
    await telemetry.close();
    await db.close();
    process.exit(0);
  };
  // Before it listens: from then on requests may arrive.
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  if (cluster.isPrimary) onParentExit(() => void stop('npm ended'));
  await held?.release();
  const address = await app.listen({ host: env.host, port: env.port, backlog });
  if (stoppingSince === 0) {
    background = startBackground(jobsOf(services), (error, name) => {
      if (db.outage.note(error) === null) log.error({ err: error }, `${name} failed`);
    });
  }
  const { to, sends } = await services.mailDestination();
  log.info({ to }, sends ? 'mails are sent' : 'mails are written to files');
  return address;
}

/** Those that connected while this thread was busy are accepted after its timers, some in each turn of its loop; others would be reset. */
async function acceptWaiting(server: Server): Promise<void> {
  let isDone = false;
  server.on('connection', () => {
    isDone = false;
  });
  for (let turns = 0; !isDone && turns < backlog; turns += 1) {
    isDone = true;
    await new Promise(setImmediate);
  }
}

type Collect = (options: { type: 'major'; execution: 'async'; flavor: 'last-resort' }) => Promise<void>;

/** A quarter of the process. V8 would retain it, because it sees no shortage, and would size its heap by it. */
async function releaseStartupMemory(): Promise<void> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as Collect;
  await collect({ type: 'major', execution: 'async', flavor: 'last-resort' });
}

type HeldPort = Awaited<ReturnType<typeof holdPort>>;

/**
 * While the database is prepared, so that a shop which cannot serve does not migrate anything.
 * Until it is released, `/healthz` is answered with 200, since the process lives, and everything else with 503 and `Retry-After`.
 * Port 0 is not held. @throws {Error} with the system's code, such as EADDRINUSE
 */
async function holdPort({ host, port }: Pick<Env, 'host' | 'port'>) {
  if (port === 0) return { release: async () => {} };
  const server = createServer(answerWhileStarting).listen({ host, port });
  // Rejects if the server emits an error instead.
  await once(server, 'listening');
  return {
    /** So that the shop can listen there. */
    async release(): Promise<void> {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function answerWhileStarting({ url = '/', headers }: IncomingMessage, response: ServerResponse): void {
  const { pathname, searchParams } = new URL(`http://shop${url.startsWith('/') ? url : '/'}`);
  response.setHeader('cache-control', 'no-store');
  response.setHeader('connection', 'close');
  response.setHeader('x-content-type-options', 'nosniff');
  if (pathname === '/healthz') {
    sendJson(response, 200, { status: 'ok' });
    return;
  }
  response.setHeader('retry-after', retryAfterSeconds);
  if (pathname === '/readyz') {
    sendJson(response, 503, { status: 'starting' });
    return;
  }
  const [, prefix] = pathname.split('/');
  const locale = isLocale(prefix) ? prefix : localeOf(Object.fromEntries(searchParams));
  const message = translate(locale)('error.unavailable');
  if (headers.accept?.includes('text/html'))
    response.writeHead(503, { 'content-type': 'text/plain; charset=utf-8' }).end(message);
  else sendJson(response, 503, { errorType: 'SYSTEM_ERROR', errorKey: 'error.unavailable', message });
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
}
