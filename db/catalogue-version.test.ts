import { describe, expect, test } from 'vitest';
import { copyTemplate, type TestDatabase } from '#tests/databases.ts';
import { onBothEngines } from '#tests/test-app.ts';
import { ChangeTracker, everything, recordCatalogueChange } from './catalogue-version.ts';
import { openDatabase } from './database.ts';

const change = (version: number, ...topics: string[]) => ({ version, topics: JSON.stringify(topics) });

describe('a change tracker', () => {
  test('a change outdates what shows its topics, and nothing else', () => {
    const tracker = new ChangeTracker();
    tracker.advance(5, []);
    const { moment } = tracker;
    tracker.advance(6, [change(6, 'product:1', 'search')]);
    expect(tracker.changedSince(moment, ['product:1'])).toBe(true);
    expect(tracker.changedSince(moment, ['product:2', 'search'])).toBe(true);
    expect(tracker.changedSince(moment, ['product:2'])).toBe(false);
    expect(tracker.changedSince(tracker.moment, ['product:1'])).toBe(false);
  });

  test.each([
    ['touches everything', (tracker: ChangeTracker) => tracker.advance(6, [change(6, everything)])],
    ['is missing from the log', (tracker: ChangeTracker) => tracker.advance(7, [change(7, 'settings')])],
    ['goes back to an older database', (tracker: ChangeTracker) => tracker.advance(3, [])],
    [
      'goes back to an older database and on to the same version',
      (tracker: ChangeTracker) => {
        tracker.advance(4, []);
        tracker.advance(5, [change(5, 'settings')]);
      },
    ],
    [
      'is one of very many',
      (tracker: ChangeTracker) =>
        tracker.advance(6, [change(6, ...Array.from({ length: 20_001 }, (_, n) => `image:${n}`))]),
    ],
  ])('everything counts as changed when a change %s', (_what, advance) => {
    const tracker = new ChangeTracker();
    tracker.advance(5, []);
    const { moment } = tracker;
    advance(tracker);
    expect(tracker.changedSince(moment, ['product:1'])).toBe(true);
    expect(tracker.changedSince(tracker.moment, ['product:1'])).toBe(false);
  });

  test('an answer that shows everything, or does not say what it shows, is outdated by any change', () => {
    const tracker = new ChangeTracker();
    tracker.advance(5, []);
    const { moment } = tracker;
    expect(tracker.changedSince(moment, [everything])).toBe(false);
    tracker.advance(6, [change(6, 'settings')]);
    expect(tracker.changedSince(moment, [everything])).toBe(true);
    expect(tracker.changedSince(moment, [])).toBe(true);
  });
});

onBothEngines((engine) => {
  describe('the change log', () => {
    const open = async () => {
      const mine: TestDatabase = await copyTemplate(engine, 'empty', async () => {});
      const theirs = await openDatabase({
        dataDir: mine.dataDir,
        databaseUrl: mine.databaseUrl,
        durable: false,
      });
      return { mine: mine.db, theirs, drop: () => theirs.close().then(() => mine.drop()) };
    };
    const record = (db: TestDatabase['db'], ...topics: string[]) =>
      db.transaction((trx) => recordCatalogueChange(trx, topics));

    test('a change of another process is known after a refresh, with what it touched', async () => {
      const { mine, theirs, drop } = await open();
      await theirs.changes.refresh();
      const before = theirs.changes.moment;
      await record(mine, 'settings');
      await record(mine, 'stores');
      await new Promise((resolve) => setImmediate(resolve));
      await theirs.changes.refresh();
      expect(theirs.changes.changedSince(before, ['settings'])).toBe(true);
      expect(theirs.changes.changedSince(before, ['stores'])).toBe(true);
      expect(theirs.changes.changedSince(before, ['blogs'])).toBe(false);
      await drop();
    });

    test('a change that nobody can see is not recorded', async () => {
      const { mine, drop } = await open();
      const version = await mine.catalogueVersion();
      await record(mine);
      await mine.changes.refresh();
      expect(await mine.catalogueVersion()).toBe(version);
      await drop();
    });

    test('the log keeps about the last thousand changes, and a process further behind drops everything', async () => {
      const { mine, theirs, drop } = await open();
      await theirs.changes.refresh();
      const before = theirs.changes.moment;
      await mine.transaction(async (trx) => {
        const rows = Array.from({ length: 1198 }, (_, n) => ({ version: n + 2, topics: '["settings"]' }));
        for (const part of [rows.slice(0, 600), rows.slice(600)])
          await trx.insertInto('catalogue_changes').values(part).execute();
        await trx.updateTable('catalogue_version').set({ version: 1199 }).execute();
        await recordCatalogueChange(trx, ['settings']);
      });
      const rows = await mine.read.selectFrom('catalogue_changes').select('version').execute();
      expect(rows.length).toBeLessThanOrEqual(1100);
      await new Promise((resolve) => setImmediate(resolve));
      await theirs.changes.refresh();
      expect(theirs.changes.changedSince(before, ['blogs'])).toBe(true);
      await drop();
    });

    test('changes made at the same time are all in the log, without a gap', async () => {
      const { mine, theirs, drop } = await open();
      await theirs.changes.refresh();
      const before = theirs.changes.moment;
      await Promise.all(Array.from({ length: 20 }, (_, n) => record(n % 2 ? mine : theirs, `product:${n}`)));
      await new Promise((resolve) => setImmediate(resolve));
      await theirs.changes.refresh();
      for (let n = 0; n < 20; n++) expect(theirs.changes.changedSince(before, [`product:${n}`])).toBe(true);
      expect(theirs.changes.changedSince(before, ['product:20'])).toBe(false);
      await drop();
    });
  });
});
