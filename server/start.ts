/** Starting and stopping. With WORKERS above 1 a first process prepares the database and keeps the others. */
import cluster from 'node:cluster';
import type { FastifyInstance } from 'fastify';
import { type Database, openDatabase } from '#db/database.ts';
import { migrate, NewerDatabaseError } from '#db/migrate.ts';
import { demoCustomerId } from '#demo/customer-id.ts';
import { buildApp, type OpenRenderer } from './app.ts';
import { ConfigurationError, type Env, readEnv } from './env.ts';
import { releaseStartMemory } from './memory.ts';
import type { MailReport } from './modules/mail/mailer.ts';
import { whenOrphaned } from './orphaned.ts';
import type { ProviderProblem } from './payments/reporting.ts';
import { createServices } from './services.ts';
import { keepWorkers } from './workers.ts';

/** In-flight requests get this long to finish once the process is told to stop. */
const graceMs = 10_000;
/** Signals that come closer together are one. */
const sameWishMs = 1000;
/** Expired sessions, holds and the like are cleared away this often. */
const sweepEveryMs = 60_000;
/** Mails wait this long at most for somebody to look whether there are any. */
const mailEveryMs = 2000;
/** How often somebody looks whether a feed is due to be read again. */
const readEveryMs = 60_000;

/**
 * Runs the shop by `process.env` until the process is told to stop (SIGTERM, SIGINT). Prints one line
 * with the address when it is ready; what prevents that is said on the error output, with exit code 1.
 */
export async function runShop({ web }: { web: OpenRenderer | null }): Promise<void> {
  try {
    const env = readEnv(process.env);
    // A worker finds the database prepared.
    if (cluster.isPrimary) await prepare(env);
    if (env.workers > 1 && cluster.isPrimary) return await keepWorkers(env.workers, announce);
    const address = await serveShop(env, web);
    if (cluster.isWorker) process.send?.({ address });
    else announce(address);
    await releaseStartMemory();
  } catch (error) {
    // What an operator can mend in a sentence, the unforeseen with its stack.
    const known = error instanceof ConfigurationError || error instanceof NewerDatabaseError;
    console.error(known ? error.message : error);
    process.exit(1);
  }
}

/** The one line on standard output. */
function announce(address: string): void {
  console.log(`The shop is open at ${address}`);
}

function open(env: Env): Promise<Database> {
  return openDatabase({ dataDir: env.dataDir, databaseUrl: env.databaseUrl, replicaUrls: env.databaseReplicaUrls });
}

/** Migrates the database, fills it with the demo shop if that is wanted and it is empty, else withdraws the demo's customer. */
async function prepare(env: Env): Promise<void> {
  const db = await open(env);
  try {
    await migrate(db);
    const services = createServices({ db, env, now: Date.now });
    await services.editor.rewriteIfLanguagesChanged();
    if (env.demo && (await isEmpty(db))) {
      const { loadDemo } = await import('#demo/load.ts');
      // On the error output: the other one has but the address.
      await loadDemo(services, (problem) => console.error(`demo shop: ${problem}`));
    }
    // A shop that was tried out as the demo first still has the customer whose password is published.
    if (!env.demo && (await services.accounts.profile.withdraw(demoCustomerId)))
      console.error('The demo customer was deleted: this shop is not the demo.');
  } finally {
    await db.close();
  }
}

async function isEmpty(db: Database): Promise<boolean> {
  return (await db.read.selectFrom('products').select('id').limit(1).executeTakeFirst()) === undefined;
}

/** Serves until the process is told to stop. Returns the address it listens at. */
async function serveShop(env: Env, web: OpenRenderer | null): Promise<string> {
  const db = await open(env);
  let app: FastifyInstance | null = null;
  const onMailProblem = ({ level, ...report }: MailReport) => app?.log[level](report, 'mail not sent');
  const onPaymentProblem = (problem: ProviderProblem) => app?.log.warn(problem, 'payment provider not asked');
  const services = createServices({
    db,
    env,
    now: Date.now,
    onMailProblem,
    onPaymentProblem,
    onAttemptGivenUp: (attempt) => app?.log.error(attempt, 'payment attempt given up'),
    onBadBlocks: (report) => app?.log.warn(report, 'page blocks left out'),
    onSourceProblem: (problem) => app?.log.warn(problem, 'source not read'),
  });
  app = await buildApp({ env, db, services, ...(web ? { web } : {}) });
  const { log } = app;
  const address = await app.listen({ host: env.host, port: env.port });

  let sweepUnderWay = false;
  const sweep = async () => {
    // With slow payment providers one may take longer than the time between two.
    if (sweepUnderWay) return;
    sweepUnderWay = true;
    await services.sweep().catch((error: unknown) => log.error({ err: error }, 'sweep failed'));
    sweepUnderWay = false;
  };
  // At once too: a process that was killed may have left payments whose outcome it never heard.
  void sweep();
  const sweeping = setInterval(sweep, sweepEveryMs);
  const mailing = setInterval(() => {
    services.mailer.run().catch((error: unknown) => log.error({ err: error }, 'mailer failed'));
  }, mailEveryMs);
  const read = () => void services.readOutside().catch((error: unknown) => log.error({ err: error }, 'reading sources failed'));
  read();
  const reading = setInterval(read, readEveryMs);
  log.info({ to: services.mailer.destination }, env.smtpUrl ? 'mails are sent' : 'mails are written to files');

  let stoppingSince = 0;
  const stop = async (signal: string) => {
    if (stoppingSince > 0) {
      // A second signal does not wait; one wish may arrive twice, from a terminal and through npm or the first process.
      if (cluster.isPrimary && Date.now() - stoppingSince > sameWishMs) process.exit(1);
      return;
    }
    stoppingSince = Date.now();
    clearInterval(sweeping);
    clearInterval(mailing);
    clearInterval(reading);
    setTimeout(() => process.exit(1), graceMs).unref();
    log.info({ signal }, 'stopping');
    await app.close();
    await services.mailer.stop();
    await db.close();
    process.exit(0);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  if (cluster.isPrimary) whenOrphaned(() => void stop('npm ended'));
  return address;
}
