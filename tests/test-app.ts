/**
 * A whole shop for a test: its own database, the services, the server, and shoppers who call it in process.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { PerformanceObserver } from 'node:perf_hooks';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { describe } from 'vitest';
import { refusalStatuses } from '#contract/endpoint.ts';
import { clientToken, clientTokenHeader } from '#contract/limits.ts';
import { defaultLocale, type Locale } from '#contract/locales.ts';
import type { ErrorBody } from '#contract/schemas/common.ts';
import { endpoints, type Response } from '#contract/shop/endpoints.ts';
import type { EndpointName } from '#contract/shop/paths.ts';
import { requestOf } from '#contract/transport.ts';
import type { Database, EngineName } from '#db/database.ts';
import { type AppDeps, buildApp } from '#server/app.ts';
import { createContainer, type ServiceDeps, type Services } from '#server/container.ts';
import { type Env, readEnv } from '#server/env.ts';
import { createPasswords } from '#server/modules/customers/index.ts';
import type { Providers } from '#server/modules/payments/providers/registry.ts';
import { asMerchant, type MerchantServices } from './as-merchant.ts';
import { copyTemplate, type Fill, type TestDatabase } from './databases.ts';
import { closeAtEnd } from './resources.ts';

const engines: readonly EngineName[] = ['sqlite', 'postgres'];

/**
 * How long a call of the staff may hold the writer, ms, where `slowness` sorts within `quickSortMs`, without the collections of garbage that
 * fall within it. The first one of its kind in a process may twice: its code is compiled then.
 */
const longestStaffHold = 100;
const quickSortMs = 11;
const compiledCalls = new Set<string>();

/** Collections of garbage in this process, by when they began and for how long, ms. They are known a moment later. */
const collections: { startTime: number; duration: number }[] = [];
new PerformanceObserver((list) => collections.push(...list.getEntries())).observe({ entryTypes: ['gc'] });

async function collectedSince(start: number): Promise<number> {
  await new Promise((resolve) => setImmediate(resolve));
  return collections.reduce((sum, { startTime, duration }) => (startTime >= start ? sum + duration : sum), 0);
}

/** A real hash takes longer than all else that most tests do. Those that are about its cost leave this out. */
const quickPasswords = () => createPasswords(undefined, { memory: 256, passes: 1, parallelism: 1 });

/** A Saturday, 10:00 in Toronto. */
export const testNow = Date.UTC(2026, 4, 16, 14, 0, 0);

/** TEST_ENGINE, as `npm test -- one` sets it: only the tests on this engine run. TEST_SCOPE: see vitest.config.ts. */
const { TEST_ENGINE: onlyEngine, TEST_SCOPE: scope } = process.env;

function defineOn(wanted: readonly EngineName[], define: (engine: EngineName) => void): void {
  for (const engine of engines) {
    const runs = wanted.includes(engine) && (!onlyEngine || engine === onlyEngine);
    describe.runIf(runs)(`on ${engine}`, () => define(engine));
  }
}

/** Runs the tests that `define` declares on each engine; on PostgreSQL only in `npm run test:all`. */
export function forEachEngine(define: (engine: EngineName) => void): void {
  defineOn(scope === 'quick' ? ['sqlite'] : scope === 'postgres' ? ['postgres'] : engines, define);
}

/** Runs them on each engine in `npm test` as well: they ask PostgreSQL something that no other test asks. */
export function onBothEngines(define: (engine: EngineName) => void): void {
  defineOn(scope === 'postgres' ? [] : engines, define);
}

/** Runs the tests that `define` declares on SQLite: all that they ask a database, other tests ask PostgreSQL as well. */
export function onOneEngine(define: (engine: EngineName) => void): void {
  defineOn(scope === 'postgres' ? [] : ['sqlite'], define);
}

export interface TestAppOptions {
  engine: EngineName;
  /** With PostgreSQL, at most; for tests of races, who meet in more ways the more there are. */
  connections?: number;
  /** With the demo shop loaded. */
  demo?: boolean;
  /** The initial time, epoch ms. */
  now?: number;
  /** Environment variables besides the defaults. */
  env?: Record<string, string>;
  /** Creates the services, for tests that replace some of their dependencies. */
  services?: (deps: Pick<ServiceDeps, 'db' | 'env' | 'now' | 'passwords'>) => Services;
  /** Further parts of the app: a logger, a page renderer. */
  app?: Partial<AppDeps>;
  /** Payment providers that replace the real ones. */
  providers?: Partial<Providers>;
}

export interface Clock {
  now(): number;
  /** Moves the clock, ms. */
  advance(ms: number): void;
  set(at: number): void;
}

export interface CallInput {
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
  lang?: Locale;
  headers?: Record<string, string>;
  /** The shopper who calls; by default the test app’s own shopper. */
  session?: Shopper;
}

export interface Answer<B> {
  status: number;
  body: B;
  headers: Record<string, string | string[] | number | undefined>;
}

/** A browser that keeps its cookies from call to call. */
export class Shopper {
  readonly cookies = new Map<string, string>();
  /** Its IP address. */
  readonly address: string;

  constructor(address = '127.0.0.1') {
    this.address = address;
  }

  get header(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  keep(setCookie: string | string[] | number | undefined): void {
    for (const line of [setCookie ?? []].flat()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(String(line)) ?? [];
      if (name !== undefined && value !== undefined) this.cookies.set(name, value);
    }
  }
}

export interface TestApp {
  engine: EngineName;
  db: Database;
  env: Env;
  services: MerchantServices;
  /** The services as the container makes them. */
  container: Services;
  app: FastifyInstance;
  clock: Clock;
  dataDir: string;
  /** Calls an endpoint; throws unless it succeeds. */
  call<N extends EndpointName>(name: N, input?: CallInput): Promise<Response<N>>;
  /** Calls an endpoint and returns its whole answer, whatever the status. */
  ask<N extends EndpointName>(name: N, input?: CallInput): Promise<Answer<Response<N> & ErrorBody>>;
  /** A new shopper. `address` is their IP address; by default that of this machine, which such shoppers share. */
  shopper(address?: string): Shopper;
  close(): Promise<void>;
}

/** Creates a test app. It is closed and deleted at the end of the test file at the latest. */
export async function createTestApp(options: TestAppOptions): Promise<TestApp> {
  const database = await copyTemplate(
    options.engine,
    options.demo ? 'demo' : 'empty',
    fillWithDemo,
    options.connections,
  );
  try {
    return await furnish(database, options);
  } catch (error) {
    await database.drop();
    throw error;
  }
}

async function furnish(
  { db, dataDir, databaseUrl, drop }: TestDatabase,
  options: TestAppOptions,
): Promise<TestApp> {
  const env = testEnv({
    DATA_DIR: dataDir,
    ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
    ...options.env,
  });
  const clock = createClock(options.now ?? testNow);
  const services = (options.services ?? createContainer)({
    db,
    env,
    now: clock.now,
    passwords: quickPasswords(),
    ...(options.providers ? { providers: options.providers } : {}),
  });
  const app = await buildApp({ env, db, services, now: clock.now, ...options.app });
  if (options.engine === 'sqlite') watchStaffTransactions(app, db);
  const own = new Shopper();

  const ask: TestApp['ask'] = async (name, input = {}) => {
    const shopper = input.session ?? own;
    const { method, url } = requestOf(name, input, input.lang ?? defaultLocale);
    const answer = await app.inject({
      method,
      url,
      remoteAddress: shopper.address,
      headers: {
        [clientTokenHeader]: clientToken,
        ...(shopper.cookies.size > 0 ? { cookie: shopper.header } : {}),
        ...input.headers,
      },
      ...(input.body === undefined ? {} : { payload: input.body as object }),
    });
    shopper.keep(answer.headers['set-cookie']);
    expectDeclared(name, answer.statusCode);
    return { status: answer.statusCode, body: answer.json(), headers: answer.headers };
  };

  let closing: Promise<void> | undefined;
  const close = async () => {
    closed();
    await app.close();
    await drop();
  };
  const testApp: TestApp = {
    engine: options.engine,
    db,
    env,
    services: asMerchant(services),
    container: services,
    app,
    clock,
    dataDir,
    ask,
    async call(name, input) {
      const { status, body } = await ask(name, input);
      if (status >= 400) throw new Error(`${name} answered ${status}: ${JSON.stringify(body)}`);
      return body;
    },
    shopper: (address) => new Shopper(address),
    close: () => (closing ??= close()),
  };
  const closed = closeAtEnd(testApp.close);
  return testApp;
}

/**
 * Fails a call of the staff whose transaction holds the one writer of SQLite for longer than `longestStaffHold`: nobody can buy
 * meanwhile. Counted in time of the processor, because the machine of the tests has other work as well.
 */
function watchStaffTransactions(app: FastifyInstance, db: Database): void {
  const calls = new AsyncLocalStorage<string>();
  const { inject } = app;
  // It begins only when it is awaited.
  app.inject = ((options: InjectOptions) =>
    calls.run(String(options.url), async () => await inject(options))) as typeof inject;
  const { transaction } = db;
  db.transaction = (work) => {
    const url = calls.getStore();
    if (!url?.startsWith('/api/staff/')) return transaction(work);
    return transaction(async (trx) => {
      const [start, before] = [performance.now(), process.threadCpuUsage()];
      const result = await work(trx);
      const { user, system } = process.threadCpuUsage(before);
      const ms = (user + system) / 1000;
      const [, , , kind = ''] = url.split(/[/?]/);
      const isFirst = !compiledCalls.has(kind);
      compiledCalls.add(kind);
      const allowed = longestStaffHold * (isFirst ? 2 : 1);
      if (ms > allowed && ms - (await collectedSince(start)) > allowed * slowness())
        throw new Error(`${url} held the writer for ${Math.round(ms)} ms`);
      return result;
    });
  };
}

/** At least 1: how much longer this machine takes for the same work now. */
function slowness(): number {
  const before = process.threadCpuUsage();
  Array.from({ length: 50_000 }, (_, at) => (at * 7919) % 50_021).sort((a, b) => a - b);
  const { user, system } = process.threadCpuUsage(before);
  return Math.max(1, (user + system) / 1000 / quickSortMs);
}

/** @throws {Error} if OpenAPI does not declare the status for the call */
export function expectDeclared(name: EndpointName, status: number): void {
  if (status !== 200 && !refusalStatuses(name, endpoints[name]).includes(status))
    throw new Error(`${name} answered ${status}, which contract/endpoint.ts does not declare`);
}

/** The configuration of a test app, independent of the machine’s environment. */
export function testEnv(variables: Record<string, string> = {}): Env {
  return readEnv({ NODE_ENV: 'test', PORT: '0', LOG_LEVEL: 'silent', DEMO: '1', ...variables });
}

function createClock(start: number): Clock {
  let at = start;
  return {
    now: () => at,
    advance(ms) {
      at += ms;
    },
    set(next) {
      at = next;
    },
  };
}

const fillWithDemo: Fill = async (db, dataDir) => {
  const { loadDemo } = await import('#demo/load.ts');
  const env = testEnv({ DATA_DIR: dataDir });
  await loadDemo(createContainer({ db, env, now: () => testNow, passwords: quickPasswords() }));
};
