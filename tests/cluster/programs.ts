/** Finds the programs of a PostgreSQL cluster, starts them as a user that PostgreSQL accepts, and ends them with the run. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, closeSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';

/** The packages of Debian and Ubuntu that contain them. */
export const packages = 'patroni etcd-server haproxy pgbouncer postgresql';

export interface Programs {
  etcd: string;
  patroni: string;
  haproxy: string;
  pgbouncer: string;
  /** The folder of PostgreSQL's programs. */
  postgres: string;
}

/** Null if one of them is not installed. */
export function findPrograms(): Programs | null {
  const postgres = postgresFolders().at(-1);
  const found = ['etcd', 'patroni', 'haproxy', 'pgbouncer'].map((name) =>
    ['/usr/bin', '/usr/sbin', '/usr/local/bin'].map((folder) => join(folder, name)).find(isProgram),
  );
  const [etcd, patroni, haproxy, pgbouncer] = found;
  return postgres && etcd && patroni && haproxy && pgbouncer
    ? { etcd, patroni, haproxy, pgbouncer, postgres }
    : null;
}

/** Oldest first. */
function postgresFolders(): string[] {
  const root = '/usr/lib/postgresql';
  try {
    return readdirSync(root)
      .sort((a, b) => Number(a) - Number(b))
      .map((version) => join(root, version, 'bin'))
      .filter((folder) => isProgram(join(folder, 'postgres')));
  } catch {
    return [];
  }
}

function isProgram(path: string): boolean {
  try {
    accessSync(path);
    return true;
  } catch {
    return false;
  }
}

/** PostgreSQL, Patroni and PgBouncer refuse to run as root: then they run as Debian's user `postgres`. */
export const user: { uid?: number; gid?: number } = process.getuid?.() === 0 ? postgresUser() : {};

function postgresUser(): { uid: number; gid: number } {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith('postgres:'));
  const [, , uid, gid] = line?.split(':') ?? [];
  if (!uid || !gid) throw new Error('There is no user postgres. Install the package postgresql.');
  return { uid: Number(uid), gid: Number(gid) };
}

const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) kill(child);
});

export interface Started {
  child: ChildProcess;
  /** Kills it with everything that it started in its group, and waits for its end. */
  kill(): Promise<void>;
}

/** Starts a program whose output goes to a file. */
export function start(program: string, args: readonly string[], { log, ...options }: StartOptions): Started {
  const out = openSync(log, 'a');
  // In a group of its own, which is killed together, and out of reach of a Ctrl-C that ends the run first.
  const child = spawn(program, args, { ...options, stdio: ['ignore', out, out], detached: true });
  closeSync(out);
  running.add(child);
  child.once('exit', () => running.delete(child));
  return {
    child,
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      kill(child);
      await ended;
    },
  };
}

interface StartOptions {
  log: string;
  cwd: string;
  uid?: number;
  gid?: number;
  env?: Record<string, string>;
}

function kill({ pid }: ChildProcess): void {
  signal(pid === undefined ? 0 : -pid);
}

/** Sends SIGKILL, to a group if the number is negative; nothing happens if it has ended. */
export function signal(pid: number): void {
  if (pid === 0) return;
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}

/** The processes that a process started. */
export function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((each) => parentOf(each) === pid);
}

function parentOf(pid: number): number {
  try {
    // The name before it is in brackets and may contain spaces.
    return Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/** Free ports of the loopback address, all different. */
export async function freePorts(count: number): Promise<number[]> {
  const probes = await Promise.all(Array.from({ length: count }, probe));
  const ports = probes.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(probes.map((server) => new Promise((closed) => server.close(closed))));
  return ports;
}

function probe(): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => resolve(server));
  });
}

/** Asks until the answer is truthy. @throws {Error} naming `what` after `ms` */
export async function until<T>(
  what: string,
  ms: number,
  ask: () => Promise<T | null | false | undefined>,
): Promise<T> {
  const end = performance.now() + ms;
  for (;;) {
    const answer = await ask().catch(() => null);
    if (answer) return answer;
    if (performance.now() > end) throw new Error(`Timed out after ${ms / 1000} s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
