/** Starts the shop as a process and waits for its output. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export interface ShopProcess {
  child: ChildProcess;
  /** The address it listens on. */
  url: string;
  /** Everything it has printed so far. */
  stdout(): string;
  stderr(): string;
  /** Sends a signal if given and waits for the end. Returns the exit code, null after a kill. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
}

const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/**
 * Starts the shop (API only) with the given environment variables and no others. Resolves when it is ready.
 * `ownGroup`: a signal can reach it and its workers together.
 */
export async function startShop(env: Record<string, string>, ownGroup = false): Promise<ShopProcess> {
  const shop = spawnShop(env, ownGroup);
  await new Promise<void>((resolve, reject) => {
    shop.child.stdout?.on('data', () => shop.stdout().includes('\n') && resolve());
    shop.child.once('exit', (code) => reject(new Error(`The shop ended with ${code}: ${shop.stderr()}`)));
  });
  shop.url = /http:\/\/\S+/.exec(shop.stdout())?.[0] ?? '';
  return shop;
}

/** Like `startShop`, for a shop that is not expected to get ready. */
export function spawnShop(env: Record<string, string>, ownGroup = false): ShopProcess {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'api-process.ts')], {
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'test',
      // Half of what starting costs is compiling.
      NODE_COMPILE_CACHE: join(import.meta.dirname, '../node_modules/.cache/compiled'),
      PORT: '0',
      LOG_LEVEL: 'warn',
      DEMO: '0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ignore'],
    detached: ownGroup,
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  return {
    child,
    url: '',
    stdout: () => stdout,
    stderr: () => stderr,
    async end(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      const ended = once(child, 'close');
      if (signal) child.kill(signal);
      await ended;
      return child.exitCode;
    },
  };
}
