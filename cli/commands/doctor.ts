/** `doctor`: checks the shop and says how to fix each problem, one line for many that differ only in their place. Changes nothing. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { formatMerchantMoney } from '#contract/formatters.ts';
import type { Database } from '#db/database.ts';
import { pendingMigrations } from '#db/migrate.ts';
import { sqliteFileName } from '#db/sqlite/open.ts';
import { type Env, readConnected } from '#server/env.ts';
import { booksFindings } from '#server/modules/bookkeeping/index.ts';
import { createConnections } from '#server/modules/connections/index.ts';
import {
  createDiagnosticsService,
  type Finding,
  findingLines,
  type Subject,
  subjectOf,
} from '#server/modules/diagnostics/index.ts';
import { stockDifferences } from '#server/modules/inventory/index.ts';
import { wrongOrders } from '#server/modules/ledger/index.ts';
import {
  closedPickups,
  type NewOrderEmailFindings,
  newOrderEmailFindings,
  type OrderHead,
  stockQuestions,
} from '#server/modules/orders/index.ts';
import {
  attemptsGivenUp,
  createPaymentRegistry,
  createRefundRetries,
  keyModeProblems,
  keyModes,
  openDisputes,
  type Payment,
  type PaymentProvider,
  RightMissing,
} from '#server/modules/payments/index.ts';
import { createSettingsService } from '#server/modules/settings/index.ts';
import { mainStoreIn, shopTimeZone, storesIn } from '#server/modules/stores/index.ts';
import { type WebhookProblem, webhookProblems } from '#server/modules/webhooks/index.ts';
import { isoTime } from '#server/platform/time-zone.ts';
import { startupErrorMessage } from '#server/startup-errors.ts';
import { type CommandSetup, printable, type Terminal } from '../command.ts';
import { dataFolderProblems } from '../data-owner.ts';
import { closedPickupLine, disputeLine, refundLine, stockQuestion } from './payments.ts';

export const doctor: CommandSetup = (program, terminal) => {
  const command = program.command('doctor');
  command.description('Checks the shop and suggests fixes. Changes nothing.');
  command.reads(async () => {
    const report = new Report(terminal);
    const env = terminal.env();
    report.good('Configuration', describe(env));
    if (env.production && !env.publicUrl) {
      report.bad('PUBLIC_URL', [
        "is not set: cookies are not marked Secure, and links in emails and feeds lack the shop's address. Set PUBLIC_URL to the address of the shop",
      ]);
    }
    const modes = keyModes(env).map(({ provider, mode }) => `${provider}: ${mode} keys`);
    report.verdict('Payment keys', modes.join(', ') || 'none', keyModeProblems(env));
    if (!env.databaseUrl && !existsSync(join(env.dataDir, sqliteFileName))) {
      report.bad('Database', [`there is none in ${env.dataDir} yet. Run "npm start" to create it`]);
      return;
    }
    const db = await open(env, report, terminal);
    if (!db) return;
    try {
      const problems = await db.queries.integrityProblems(db.read);
      report.verdict('Integrity', 'all pages and references are valid', problems);
      if (problems.length === 0) await examine(db, env, report, terminal.t);
    } catch (error) {
      const cause = db.outage.note(error);
      if (cause === null) throw error;
      report.bad('Integrity', [`${cause}. Restore a backup`]);
    } finally {
      await db.close();
    }
  });
};

function describe(env: Env): string {
  const where = env.databaseUrl ? 'PostgreSQL' : `SQLite in ${env.dataDir}`;
  return `${where}, http://${env.host}:${env.port}, ${env.workers} ${env.workers === 1 ? 'process' : 'processes'}`;
}

async function open(env: Env, report: Report, terminal: Terminal): Promise<Database | null> {
  try {
    const db = await terminal.open(env);
    await db.ping();
    report.good('Database', db.host ? `connected to ${db.host() || 'this machine'}` : 'connected');
    return db;
  } catch (error) {
    report.bad('Database', [
      startupErrorMessage(error, env) ??
        `cannot be reached: ${error instanceof Error ? error.message : error}`,
    ]);
    return null;
  }
}

async function examine(db: Database, env: Env, report: Report, t: Terminal['t']): Promise<void> {
  const { pending, newer } = await pendingMigrations(db);
  if (newer)
    report.bad('Migrations', [
      'the database was migrated by a newer version. Run that version, or restore an older backup',
    ]);
  else if (pending.length > 0)
    report.bad('Migrations', [
      ...pending.map((name) => `${name} is pending`),
      'run "npm run shop -- migrate", or start the shop',
    ]);
  else report.good('Migrations', 'all applied');
  if (newer || pending.length > 0) return;

  report.verdict(
    'Data folder',
    'writable by its owner, and closed to other users',
    dataFolderProblems(env.dataDir),
  );

  const connections = createConnections({ db, env, now: Date.now, readConnected });
  const { findings, checked } = await createDiagnosticsService({ db, env, connections }).run();
  report.findings('data', t('doctor.good.data'), findings);
  const open = env.publicUrl !== null && !env.demo;
  report.findings('payment', t(open ? 'doctor.good.open.payment' : 'doctor.good.notPublic'), findings);
  const inUse = { ...env, ...(await connections.current()) };
  await reportRights(createPaymentRegistry({ db, env: inUse, now: Date.now }).all(), report);
  report.findings('office', t('doctor.good.office'), findings);
  report.findings('connections', t('doctor.good.connections'), findings);
  report.findings('email', t(open ? 'doctor.good.open.email' : 'doctor.good.notPublic'), findings);
  report.findings('images', t('doctor.good.images', { count: checked }), findings);
  report.findings('translations', t('doctor.good.translations'), findings);
  const stores = await storesIn(db.read);
  const timeZone = shopTimeZone(stores);
  reportMainStore(await mainStoreIn(db.read), report);
  reportNewOrderEmails(newOrderEmailFindings(await createSettingsService({ db }).all(), stores), report);
  report.findings('taxes', t('doctor.good.taxes'), findings);
  report.findings('rules', t('doctor.good.rules'), findings);
  report.findings('content', t('doctor.good.content'), findings);
  report.verdict(
    'Payment attempts',
    'none abandoned in the last 30 days',
    (await attemptsGivenUp(db, Date.now())).map((attempt) => givenUpLine(attempt, timeZone)),
  );
  reportClosedPickups(await closedPickups(db.read, stores, Date.now()), timeZone, report);
  const refunds = createRefundRetries({ db, now: Date.now });
  const owed = [...(await refunds.refused()), ...(await refunds.delayed())];
  report.verdict(
    'Refunds',
    'none refused, none more than a day late',
    owed.map((problem) => refundLine(problem, timeZone)),
  );
  const disputes = await openDisputes(db.read);
  report.verdict(
    'Disputes',
    'none open',
    disputes.map((dispute) => `order ${dispute.orderNumber}: ${disputeLine(dispute, timeZone)}`),
  );
  report.verdict('Stock', 'each level is the sum of its movements', await wrongLevels(db));
  report.verdict(
    'Books',
    'each event sums to zero, each order to what it is, each closed period to what was filed',
    await wrongBooks(db),
  );
  report.verdict(
    'Stock of refunded orders',
    'nothing to decide',
    (await stockQuestions(db.read)).map(stockQuestion),
  );
  report.verdict(
    'Webhooks',
    'no endpoint failing',
    (await webhookProblems(db, Date.now())).map((problem) => webhookLine(problem, timeZone)),
  );
}

/** Tries each right that the shop needs at a provider, without an effect. The first one without an answer ends its checks. */
async function reportRights(providers: readonly PaymentProvider[], report: Report): Promise<void> {
  const tried: string[] = [];
  const missing: string[] = [];
  for (const provider of providers)
    for (const { right, attempt } of (await provider.rights?.()) ?? []) {
      const problem = await attempt().then(
        () => null,
        (error: Error) => error,
      );
      if (problem === null) tried.push(`${provider.name}: ${right}`);
      else if (problem instanceof RightMissing) missing.push(printable(problem.message));
      else {
        report.warn(
          'Payment rights',
          printable(`${provider.name} did not say whether the shop may ${right}: ${problem.message}`),
        );
        break;
      }
    }
  report.verdict('Payment rights', tried.join(', ') || 'none to check', missing);
}

function reportClosedPickups(closed: readonly OrderHead[], timeZone: string, report: Report): void {
  const how = 'Open the store then, or agree on another time with the customer';
  const lines = closed.map((order) => `${closedPickupLine(order, timeZone)}. ${how}`);
  report.verdict('Pickups', 'all at times at which their stores are open', lines);
}

function reportMainStore(main: Awaited<ReturnType<typeof mainStoreIn>>, report: Report): void {
  if (!main) {
    report.good('Main store', 'none; the shop has no stores and uses the time zone UTC');
    return;
  }
  const { id, timeZone } = main.store;
  if (main.marked) report.good('Main store', `${id}; time zone ${timeZone}`);
  else
    report.warn(
      'Main store',
      `no store has mainStore set, so the shop uses the first one, ${id}; time zone ${timeZone}`,
    );
}

function reportNewOrderEmails({ told, untold, off }: NewOrderEmailFindings, report: Report): void {
  const subject = 'New order emails';
  if (untold.length > 0) report.bad(subject, untold);
  for (const each of off) report.warn(subject, each);
  if (untold.length + off.length === 0)
    report.good(subject, told.join('; ') || 'the shop takes no orders yet');
}

/** Such as "<provider> 5O190127TN364715T of $49.72, order MC-2026-000204, …". */
function givenUpLine(
  { provider, providerId, reference, orderNumber, orderId, amount, currency, createdAt }: Payment,
  timeZone: string,
): string {
  const payment = `${provider} ${providerId ?? reference} of ${formatMerchantMoney(amount, currency)}, order ${orderNumber ?? orderId}`;
  const startedAt = isoTime(createdAt, timeZone);
  return `${payment}, started ${startedAt}: the provider has no record of it, or is no longer set up. If its dashboard shows a charge, refund it there`;
}

/** One line such as "we_… (https://…) has failed since …, 3 deliveries given up. Check the receiver, then run …". */
function webhookLine({ id, url, state, failingSince, failed }: WebhookProblem, timeZone: string): string {
  const command = (action: string) => `"npm run shop -- webhooks ${action} ${id}"`;
  const receiver = `${id} (${new URL(url).host})`;
  if (state === 'gone')
    return `${receiver} answered 410 Gone and is disabled. Run ${command('remove')}, or ${command('resume')} if the receiver is back`;
  const since = isoTime(failingSince ?? 0, timeZone);
  const givenUp = failed === 1 ? '1 delivery' : `${failed} deliveries`;
  return `${receiver} has failed since ${since}, ${givenUp} given up. Check the receiver, then run ${command('test')}`;
}

async function wrongLevels(db: Database): Promise<string[]> {
  return (await stockDifferences(db.read)).map(
    ({ sku, location_id, quantity }) =>
      `${sku} at ${location_id} is off by ${quantity}: something other than the shop has written to the database`,
  );
}

async function wrongBooks(db: Database): Promise<string[]> {
  const { periods, unreadable, events } = await booksFindings(db.read);
  const changed =
    'something other than the shop has written to the database. Restore a backup, or ask its developers';
  return [
    ...periods.map((days) => `the closed period ${days} no longer sums to what was filed: ${changed}`),
    ...unreadable.map((days) => `what was filed for the closed period ${days} cannot be read: ${changed}`),
    ...events.map((id) => `the entries of event ${id} do not sum to zero: ${changed}`),
    ...(await wrongOrders(db)).map(
      (id) => `order ${id} is not what its entries sum to. Start the shop, which books what is missing`,
    ),
  ];
}

const shown = 20;

class Report {
  readonly #terminal: Terminal;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  good(subject: string, what: string): void {
    this.#terminal.print(`OK    ${subject}: ${what}`);
  }

  /** A finding that needs no action: it does not change the exit code. */
  warn(subject: string, what: string): void {
    this.#terminal.print(`WARN  ${subject}: ${what}`);
  }

  bad(subject: string, problems: readonly string[]): void {
    if (problems.length > 0) this.#terminal.exitCode = 1;
    this.#list('FAIL', subject, problems);
  }

  verdict(subject: string, whenGood: string, problems: readonly string[]): void {
    if (problems.length > 0) this.bad(subject, problems);
    else this.good(subject, whenGood);
  }

  findings(name: Subject, whenGood: string, all: readonly Finding[]): void {
    const found = all.filter((finding) => subjectOf(finding) === name);
    const subject = this.#terminal.t(`doctor.subject.${name}`);
    this.bad(subject, this.#lines(found.filter(({ level }) => level === 'fail')));
    this.#list('WARN', subject, this.#lines(found.filter(({ level }) => level === 'warn')));
    if (found.length === 0) this.good(subject, whenGood);
  }

  #list(verdict: string, subject: string, problems: readonly string[]): void {
    for (const problem of problems.slice(0, shown))
      this.#terminal.print(`${verdict}  ${subject}: ${problem}`);
    if (problems.length > shown) this.#terminal.print(`      ${this.#more(problems.length)}`);
  }

  #lines(findings: readonly Finding[]): string[] {
    return findingLines(findings, this.#terminal.t).map(({ text, places }) => {
      if (places.length === 0) return printable(text);
      const more = places.length > shown ? [this.#more(places.length)] : [];
      const below = [...places.slice(0, shown), ...more].map((place) => `\n        ${place}`);
      return `${text}:${below.join('')}`;
    });
  }

  #more(count: number): string {
    return this.#terminal.t('doctor.more', { count: count - shown });
  }
}
