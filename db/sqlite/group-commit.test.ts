import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase } from '../database.ts';
import { sqliteQueries } from '../engines/sqlite.ts';
import { migrate } from '../migrate.ts';
import { GroupCommit } from './group-commit.ts';
import { sqliteFileName, WalSync } from './open.ts';

let folder: string;
let file: DatabaseSync;
/** Waits for the disk that have begun, in order. */
let waits: PromiseWithResolvers<void>[];
let commits: GroupCommit;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'shopwright-commit-'));
  file = new DatabaseSync(join(folder, sqliteFileName));
  file.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; create table numbers (n integer)');
  waits = [];
  commits = new GroupCommit(file, {
    durable() {
      const wait = Promise.withResolvers<void>();
      waits.push(wait);
      return wait.promise;
    },
  });
});
afterEach(() => {
  file.close();
  rmSync(folder, { recursive: true, force: true });
});

const insert = (n: number) =>
  commits.run(async () => {
    file.exec(`insert into numbers values (${n})`);
    return n;
  });
const turns = async () => {
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

test('a transaction resolves only when its commit is on disk, and others run meanwhile', async () => {
  const resolved: number[] = [];
  const first = insert(1).then((n) => resolved.push(n));
  await turns();
  const second = insert(2).then((n) => resolved.push(n));
  await turns();
  expect(waits).toHaveLength(2);
  expect(resolved).toEqual([]);
  waits[0]?.resolve();
  await first;
  expect(resolved).toEqual([1]);
  const closing = commits.close();
  waits[1]?.resolve();
  await Promise.all([second, closing]);
  expect(resolved).toEqual([1, 2]);
});

test('a commit that may not have reached the disk fails, and no transaction follows it', async () => {
  const error = Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO', syscall: 'fdatasync' });
  const failing = insert(1);
  const failed = expect(failing).rejects.toBe(error);
  await turns();
  waits[0]?.reject(error);
  await failed;
  await expect(insert(2)).rejects.toBe(error);
  expect(file.prepare('select n from numbers').all()).toEqual([{ n: 1 }]);
  expect(sqliteQueries.outageCause(error)).toBe('the disk cannot be read or written');
});

test('a transaction that fails loses nothing of those that share its commit, wherever in the group it is', async () => {
  const fail = (n: number) =>
    commits.run(async () => {
      file.exec(`insert into numbers values (${n})`);
      throw new Error('refused');
    });
  const outcomes = Promise.allSettled([fail(1), insert(2), fail(3), insert(4), fail(5)]);
  for (let turn = 0; turn < 3; turn += 1) {
    await turns();
    for (const wait of waits) wait.resolve();
  }
  expect((await outcomes).map(({ status }) => status)).toEqual([
    'rejected',
    'fulfilled',
    'rejected',
    'fulfilled',
    'rejected',
  ]);
  expect(file.prepare('select n from numbers order by n').all()).toEqual([{ n: 2 }, { n: 4 }]);
  expect(file.isTransaction).toBe(false);
});

test('a transaction that is alone in its group needs no savepoint', async () => {
  const texts: string[] = [];
  const exec = file.exec.bind(file);
  file.exec = (text) => {
    texts.push(text);
    exec(text);
  };
  const alone = insert(1);
  await turns();
  for (const wait of waits) wait.resolve();
  await alone;
  expect(texts).toEqual(['BEGIN IMMEDIATE', 'insert into numbers values (1)', 'COMMIT']);
});

test('commits that arrive while the disk writes share one further wait', async () => {
  const begun: PromiseWithResolvers<void>[] = [];
  const log = new WalSync(join(folder, `${sqliteFileName}-wal`), () => {
    const wait = Promise.withResolvers<void>();
    begun.push(wait);
    return wait.promise;
  });
  const first = log.wait();
  await expect.poll(() => begun.length).toBe(1);
  const later = [log.wait(), log.wait(), log.wait()];
  begun[0]?.resolve();
  await first;
  await expect.poll(() => begun.length).toBe(2);
  begun[1]?.resolve();
  await Promise.all(later);
  expect(begun).toHaveLength(2);
  await log.close();
});

test('a durable database waits for its log before it acknowledges a transaction', async () => {
  const dataDir = join(folder, 'shop');
  const db = await openDatabase({ dataDir });
  await migrate(db);
  const { promise, resolve } = Promise.withResolvers<void>();
  const original = WalSync.prototype.wait;
  WalSync.prototype.wait = () => promise;
  let acknowledged = false;
  const writing = db.transaction((trx) =>
    trx.insertInto('settings').values({ key: 'k', value: '' }).execute(),
  );
  void writing.then(() => {
    acknowledged = true;
  });
  await turns();
  expect(await db.read.selectFrom('settings').select('key').execute()).toEqual([{ key: 'k' }]);
  expect(acknowledged).toBe(false);
  resolve();
  await writing;
  WalSync.prototype.wait = original;
  await db.close();
});
