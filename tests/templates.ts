/**
 * Where the templates of databases are kept from run to run, beside the builds in `dist/`, and what they are made from: a template
 * whose sources have changed has another name, and is made again.
 */
import { createHash } from 'node:crypto';
import { globSync, readFileSync, statSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';

const root = join(import.meta.dirname, '..');
/** So many states of the sources are remembered: going back to a branch makes nothing again. */
const kept = 4;

/** `empty`: migrated. `demo`: with the demo shop loaded. */
export type TemplateName = 'empty' | 'demo';

export interface Templates {
  folder: string;
  /** What each is called, with a hash of what it is made from. */
  names: Record<TemplateName, string>;
}

export function readTemplates(folder = join(root, 'dist/.templates')): Templates {
  const migrated = hashOf([
    'db/**/*.ts',
    'tests/{databases,postgres,templates}.ts',
    'tests/packages/package.json',
  ]);
  const loaded = hashOf([
    '{contract,demo,server,payment-providers}/**/*.ts',
    'contract/**/*.json',
    'demo/data/*.json',
    'demo/brand/**/*.json',
  ]);
  const pictures = hashText(
    globSync('demo/{photos,films}/*', { cwd: root }).map((file) => `${file} ${size(file)}`),
  );
  return {
    folder,
    names: { empty: `empty-${migrated}`, demo: `demo-${hashText([migrated, loaded, pictures])}` },
  };
}

function hashOf(patterns: readonly string[]): string {
  const files = globSync(patterns, { cwd: root, exclude: ['**/*.test.ts'] }).sort();
  return hashText(files.flatMap((file) => [file, readFileSync(join(root, file), 'utf8')]));
}

function hashText(parts: readonly string[]): string {
  return createHash('sha256').update(parts.join('\0')).digest('hex').slice(0, 12);
}

function size(file: string): number {
  return statSync(join(root, file)).size;
}

/** Runs `work` while no other process does so with this folder. The end of a process, however it comes, frees its lock. */
export async function withLock<T>(folder: string, work: () => Promise<T>): Promise<T> {
  await mkdir(folder, { recursive: true });
  const lock = new DatabaseSync(join(folder, 'lock.db'));
  try {
    while (!tryLock(lock)) await sleep(50);
    return await work();
  } finally {
    lock.close();
  }
}

function tryLock(lock: DatabaseSync): boolean {
  try {
    lock.exec('begin exclusive');
    return true;
  } catch (error) {
    if ((error as { errcode?: number }).errcode === 5) return false;
    throw error;
  }
}

/** Removes what is kept under names with this prefix, except for the newest. */
export async function removeOld(folder: string, prefix: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.startsWith(prefix));
  const ages = names.map((name) => ({
    path: join(folder, name),
    madeAt: statSync(join(folder, name)).mtimeMs,
  }));
  const old = ages.sort((a, b) => b.madeAt - a.madeAt).slice(kept);
  await Promise.all(old.map(({ path }) => rm(path, { recursive: true, force: true })));
}
