/** Starts and stops the servers that a benchmark compares, each in its own process. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export interface Server {
  url: string;
  pid: number;
  /** Milliseconds from spawning until it was ready. */
  startMs: number;
  stop(): Promise<void>;
}

export function temporaryFolder(): { folder: string; remove(): void } {
  const folder = mkdtempSync(path.join(tmpdir(), 'shopwright-bench-'));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Spawns `script` and resolves when it prints its address. Rejects with its output if it ends first. */
export function startServer(
  script: string,
  env: Record<string, string>,
  flags: readonly string[] = [],
): Promise<Server> {
  const begun = performance.now();
  const child: ChildProcess = spawn(process.execPath, [...flags, script], {
    env: { ...process.env, NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return new Promise((resolve, reject) => {
    let printed = '';
    const read = (chunk: Buffer) => {
      printed += chunk.toString();
      const found = /https?:\/\/[\d.]+:\d+/.exec(printed);
      if (!found) return;
      const ended = new Promise<void>((done) => child.once('exit', () => done()));
      resolve({
        url: found[0],
        pid: child.pid ?? 0,
        startMs: performance.now() - begun,
        stop: () => {
          child.kill('SIGTERM');
          return ended;
        },
      });
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
    });
    child.once('exit', (code) => reject(new Error(`${script} ended with ${code}:\n${printed}`)));
  });
}

/** Runs a script to its end; rejects on a non-zero exit code. `output` says whether what it prints is shown. */
export function runScript(
  script: string,
  args: string[],
  env: Record<string, string>,
  output: 'ignore' | 'inherit' = 'ignore',
): Promise<void> {
  const child = spawn(process.execPath, [script, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', output, 'inherit'],
  });
  return new Promise((resolve, reject) => {
    child.once('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`${script} ended with ${code}`)),
    );
  });
}
