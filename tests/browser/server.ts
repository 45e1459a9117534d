/** Starts the shop as `npm start` does, on a free port, with a data folder of its own. */
import { spawn } from 'node:child_process';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sqliteFileName } from '#db/sqlite/open.ts';

const root = join(import.meta.dirname, '../..');
/** Generous, as the limits of playwright.config.ts: on a busy machine a start of two seconds has taken two minutes. */
export const startWithinMs = 300_000;

export interface RunningShop {
  /** Like `http://127.0.0.1:41234`. */
  address: string;
  /** Its data folder; mails lie there in `outbox`. */
  dataDir: string;
  /** What it has printed, such as the link of its first owner. */
  printed(): string;
  /** What the server logged so far, a JSON object a line. */
  log(): string[];
  /** Stops it as a supervisor would, and takes its data away. */
  stop(): Promise<void>;
}

/**
 * A demo shop of a test's own, as the run's began (global-setup.ts): loading the demo takes twice as long as all else of a start. `env`
 * may not concern what is loaded.
 */
export const startDemoShop = (env: Record<string, string> = {}) => startShop(env, process.env.SHOP_BEGINNING);

/** @param env what differs from the defaults; `DATA_DIR` is always a new temporary folder @param database a file that it begins with */
export async function startShop(env: Record<string, string> = {}, database?: string): Promise<RunningShop> {
  const dataDir = await mkdtemp(join(tmpdir(), 'shopwright-shop-'));
  if (database) await copyFile(database, join(dataDir, sqliteFileName));
  const child = spawn(process.execPath, ['server/main.mjs'], {
    cwd: root,
    env: { ...withoutShop(process.env), LOG_LEVEL: 'warn', PORT: '0', ...env, DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  let rest = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    const parts = (rest + chunk).split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts.filter(Boolean));
  });
  const ended = new Promise<void>((done) => child.once('close', () => done()));
  const die = () => child.kill('SIGKILL');
  process.once('exit', die);

  let printed = '';
  const address = await new Promise<string>((found, failed) => {
    const giveUp = setTimeout(() => {
      die();
      failed(new Error(`The shop did not start within ${startWithinMs} ms:\n${lines.join('\n')}`));
    }, startWithinMs);
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      printed += chunk;
      const match = /https?:\/\/\S+/.exec(printed);
      if (!match) return;
      clearTimeout(giveUp);
      found(match[0]);
    });
    child.once('close', (code) => {
      clearTimeout(giveUp);
      failed(new Error(`The shop stopped at once (${code}):\n${[...lines, rest].join('\n')}`));
    });
  });

  return {
    address,
    dataDir,
    printed: () => printed,
    log: () => [...lines],
    async stop() {
      process.off('exit', die);
      child.kill('SIGTERM');
      await ended;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** The environment without what would point the test's shop at somebody's real one. */
function withoutShop(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const names = [
    'HOST',
    'DATABASE_URL',
    'DATABASE_REPLICA_URLS',
    'PUBLIC_URL',
    'SMTP_URL',
    'DEMO',
    'WORKERS',
    'NODE_ENV',
  ];
  const providers = /^(STRIPE|PAYPAL|BRAINTREE)_/;
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !names.includes(name) && !providers.test(name)),
  );
}
