import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { csvText, samples, shopifyTable } from '#tests/sheets.ts';
import { shopCommand } from '#tests/shop-command.ts';
import { createTestApp, forEachEngine, type TestApp } from '#tests/test-app.ts';

forEachEngine((engine) => {
  let testApp: TestApp;
  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true, now: Date.now() });
  });

  it('a file is judged, imported but for its problems, and taken back by command', async () => {
    const path = join(testApp.dataDir, 'goods.csv');
    const table = shopifyTable('2021', samples);
    const [header = []] = table;
    const sencha = table.findIndex((row) => row[0] === 'spring-sencha');
    await writeFile(
      path,
      csvText(table.with(sencha, (table[sencha] ?? []).with(header.indexOf('Variant Price'), 'free'))),
    );
    const command = (...words: string[]) => shopCommand(testApp, words);
    const ids = samples.map(({ handle }) => handle);
    const there = async () => [
      ...(await testApp.container.catalogueExport.productsOf(ids, new Set(['warehouse']))).keys(),
    ];

    const judged = await command('import', path, '--dry-run');
    expect(judged.printed).toMatch(/^New: 2$/m);
    expect(judged.printed).toMatch(
      new RegExp(`^spring-sencha: row ${sencha + 1}, Variant Price: .*free`, 'm'),
    );
    expect(await there()).toEqual([]);

    const applied = await command('import', path, '--apply', '--place', 'none');
    expect(applied.code).toBe(1);
    const [, id = ''] = /import-undo (\S+)/.exec(applied.printed) ?? [];
    expect((await there()).toSorted()).toEqual(['harbour-teapot', 'old-whisk']);
    const again = await command('import', path, '--apply');
    expect(again.printed).toMatch(/^Unchanged: \d$/m);

    expect((await command('import-undo', id)).code).toBe(0);
    expect(await there()).toEqual([]);
    const nothing = await command('import', join(testApp.dataDir, 'none.csv'));
    expect(nothing).toMatchObject({ code: 1, printed: expect.stringContaining('none.csv') });
    expect((await command('import', path, '--apply', '--dry-run')).code).not.toBe(0);
    const unknown = await command('import', path, '--as', 'magento');
    expect(unknown.code).not.toBe(0);
  });
});
