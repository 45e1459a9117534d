/** Starts a PostgreSQL primary with a streaming replica of its own, for tests of lag and fail-over. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, chown, cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { inject } from 'vitest';
import {
  freePort,
  guard,
  type Installation,
  initialise,
  install,
  nobody,
  password,
  run,
} from './postgres.ts';

export interface PostgresServer {
  /** Host and port. */
  host: string;
  process: ChildProcess;
  /** Stops all its processes where they are, and returns what lets them run on. */
  freeze(): Promise<() => void>;
  /** Runs a statement as the administrator, in the database `shop`. */
  query<R extends pg.QueryResultRow>(text: string): Promise<R[]>;
}

export interface PostgresPair {
  primary: PostgresServer;
  replica: PostgresServer;
  /** The URL of the database `shop` on these hosts. */
  url(...hosts: string[]): string;
  end(): Promise<void>;
}

export async function startPostgresPair(): Promise<PostgresPair> {
  const folder = await mkdtemp(join(inject('runDir'), 'pair-'));
  const installation = await install(folder);
  if (installation.user.uid !== undefined) await chown(folder, nobody, nobody);
  const url = (...hosts: string[]) => `postgres://postgres:${password}@${hosts.join(',')}/shop`;
  const serve = async (dataDir: string, port: number): Promise<PostgresServer> => {
    const child = await run(installation, dataDir, port);
    guard(child, dataDir);
    const host = `127.0.0.1:${port}`;
    return {
      host,
      process: child,
      freeze: () => freeze(child, url(host)),
      query: (text) => query(url(host), text),
    };
  };
  const dataDir = await initialise(installation, folder);
  const [primaryPort, replicaPort] = [await freePort(), await freePort()];
  const primary = await serve(dataDir, primaryPort);
  await query(url(primary.host).replace(/shop$/, 'postgres'), 'create database shop');
  const copy = await copyData(installation, {
    from: dataDir,
    to: join(folder, 'replica'),
    primary,
    port: primaryPort,
  });
  const replica = await serve(copy, replicaPort);
  return {
    primary,
    replica,
    url,
    async end() {
      await Promise.all([primary, replica].map(stop));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function query<R extends pg.QueryResultRow>(url: string, text: string): Promise<R[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<R>(text)).rows;
  } finally {
    await client.end();
  }
}

/** The server's processes, each of which serves on while only the first is stopped. */
async function freeze(server: ChildProcess, url: string): Promise<() => void> {
  const children = await query<{ pid: number }>(
    url,
    'select pid from pg_stat_activity where pid <> pg_backend_pid()',
  );
  const pids = [server.pid ?? 0, ...children.map(({ pid }) => pid)];
  const signal = (name: NodeJS.Signals) => {
    for (const pid of pids) {
      try {
        process.kill(pid, name);
      } catch {
        // It has ended meanwhile.
      }
    }
  };
  signal('SIGSTOP');
  return () => signal('SIGCONT');
}

interface Copy {
  from: string;
  to: string;
  primary: PostgresServer;
  port: number;
}

/** What pg_basebackup does, which the packages do not contain. */
async function copyData({ user }: Installation, { from, to, primary, port }: Copy): Promise<string> {
  const client = new pg.Client({
    connectionString: `postgres://postgres:${password}@${primary.host}/postgres`,
  });
  await client.connect();
  await client.query(`select pg_backup_start('copy', true)`);
  await cp(from, to, { recursive: true, filter: (path) => !path.endsWith('postmaster.pid') });
  const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
  await client.end();
  await writeFile(join(to, 'backup_label'), rows[0]?.labelfile ?? '');
  await writeFile(join(to, 'standby.signal'), '');
  const source = `host=127.0.0.1 port=${port} user=postgres password=${password}`;
  await appendFile(join(to, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`);
  if (user.uid !== undefined) await own(to);
  return to;
}

async function own(folder: string): Promise<void> {
  await chown(folder, nobody, nobody);
  for (const entry of await readdir(folder, { recursive: true }))
    await chown(join(folder, entry), nobody, nobody);
}

async function stop({ process: child }: PostgresServer): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGQUIT');
  await ended;
}
