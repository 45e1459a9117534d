/** The file for a translator: saved, translated, judged, imported and taken back. */
import { parse } from 'csv-parse/sync';
import { beforeAll, expect, it } from 'vitest';
import { csvText } from '#contract/csv.ts';
import { localeCodes } from '#contract/locales.ts';
import { editAt, edited } from '#contract/rules/patch.ts';
import { xlsxOf } from '#server/platform/xlsx.ts';
import { importer, importing, textOf } from '#tests/importing.ts';
import { askStaff, joinDemo, joinStaff } from '#tests/staff.ts';
import { createTestApp, forEachEngine, type Shopper, type TestApp } from '#tests/test-app.ts';

type Row = Record<'Kind' | 'Id' | 'Field' | 'Name' | 'Language' | 'Text' | 'Translation' | 'State', string>;

forEachEngine((engine) => {
  let testApp: TestApp;
  let as: Shopper;
  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true });
    as = await joinDemo(testApp, 'demo-mei');
  });
  const { send, go } = importing(() => testApp, 'translations.csv');
  const may = () => true;
  async function saved(kind?: 'category' | 'page' | 'product' | 'tag'): Promise<Row[]> {
    const wanted = {
      table: 'translations',
      language: 'zh',
      state: 'all',
      format: 'csv',
      ...(kind && { kind }),
    } as const;
    const text = await textOf(testApp.container.exports.translations(wanted, may, 'en'));
    return parse(text, { columns: true, bom: true });
  }
  const fileOf = (rows: readonly Row[]) =>
    csvText([Object.keys(rows[0] ?? {}), ...rows.map((row) => Object.values(row))]);
  const problemsOf = async (id: string) => {
    const { rows } = await testApp.container.importRuns.rows(id, { outcome: 'problem' }, 'en');
    return rows.flatMap(({ problems }) => problems.map(({ text }) => text));
  };
  const category = async (id: string) => (await askStaff(testApp, 'category', { as, params: { id } })).body;

  it('a file that was not touched changes nothing, in any language of the office', async () => {
    for (const locale of localeCodes) {
      const wanted = { table: 'translations', language: 'zh', state: 'all', format: 'csv' } as const;
      const judged = await send(await textOf(testApp.container.exports.translations(wanted, may, locale)));
      expect(judged).toMatchObject({ kind: 'translations', counts: { new: 0, changed: 0, problem: 0 } });
      expect(judged.counts.unchanged).toBeGreaterThan(500);
    }
  });

  it('translations are imported into their documents, and taken back to what they were', async () => {
    const [first, second] = await saved('category');
    if (!first || !second) throw new Error('The demo has categories');
    const before = await category(first.Id);
    const judged = await send(fileOf([{ ...first, Translation: '新译文' }, second]));
    expect(judged).toMatchObject({
      state: 'judged',
      counts: { new: 0, changed: 1, unchanged: 1, problem: 0 },
    });
    expect((await category(first.Id)).content).toEqual(before.content);
    expect(await go(judged.id)).toMatchObject({ state: 'done', counts: { changed: 1 } });
    expect(
      (await saved('category')).find(({ Id, Field }) => Id === first.Id && Field === first.Field)
        ?.Translation,
    ).toBe('新译文');
    expect(await go(judged.id, 'takeBack')).toMatchObject({ state: 'takenBack' });
    expect((await category(first.Id)).content).toEqual(before.content);
  });

  it('a translation that somebody has changed since its import stays when that is taken back', async () => {
    const [first] = await saved('tag');
    if (!first) throw new Error('The demo has tags');
    const { id } = await send(fileOf([{ ...first, Translation: '一' }]));
    await go(id);
    const { body } = await askStaff(testApp, 'tag', { as, params: { id: first.Id } });
    const edits = [editAt(body.content, [...first.Field.split('/'), 'zh'], '二')];
    await askStaff(testApp, 'saveTag', {
      as,
      params: { id: first.Id },
      body: { revision: body.revision, edits },
    });
    await go(id, 'takeBack');
    const { body: after } = await askStaff(testApp, 'tag', { as, params: { id: first.Id } });
    expect(after.content).toEqual(edited(body.content, edits));
    expect(await problemsOf(id)).toEqual([]);
  });

  it('each row that does not fit is named with its number and the reason, and the others are imported', async () => {
    const [first, second, third] = await saved('category');
    if (!first || !second || !third) throw new Error('The demo has categories');
    const rows = [
      { ...first, Text: 'What it said before', Translation: '甲' },
      { ...second, Id: 'gone', Translation: '乙' },
      { ...third, Field: 'nothing', Translation: '丙' },
      { ...third, Language: 'fr', Translation: '丁' },
      { ...third, Translation: '戊' },
      { ...third, Translation: '己' },
    ];
    const judged = await send(fileOf(rows));
    expect(judged.counts).toMatchObject({ changed: 1, problem: 5 });
    const problems = (await problemsOf(judged.id)).join('\n');
    expect(problems).toMatch(/row 2.*has changed since the file was saved/i);
    expect(problems).toMatch(/row 3.*no text of this shop/i);
    expect(problems).toMatch(/row 4.*no text of this shop/i);
    expect(problems).toMatch(/row 5.*must be a language/i);
    expect(problems).toMatch(/row 7.*also in row 6/i);
  });

  it('a translation that its field cannot hold is a problem of its row', async () => {
    const [row] = (await saved('product')).filter(({ Field }) => /^options\/0\/name$/.test(Field));
    if (!row) throw new Error('The demo has options');
    const judged = await send(fileOf([{ ...row, Translation: 'a#b:c' }]));
    expect(judged.counts).toMatchObject({ problem: 1 });
    const long = await send(fileOf([{ ...row, Translation: 'x'.repeat(300) }]));
    expect(long.counts).toMatchObject({ problem: 1 });
  });

  it('a text that begins as a formula leaves as text and comes back as it was', async () => {
    const [row] = await saved('tag');
    if (!row) throw new Error('The demo has tags');
    await go((await send(fileOf([{ ...row, Translation: '=1+1' }]))).id);
    const wanted = {
      table: 'translations',
      language: 'zh',
      state: 'all',
      kind: 'tag',
      format: 'csv',
    } as const;
    const text = await textOf(testApp.container.exports.translations(wanted, may, 'en'));
    expect(text).toContain("'=1+1");
    expect((await send(text)).counts).toMatchObject({ new: 0, changed: 0, problem: 0 });
  });

  it('a workbook is read as the CSV file is', async () => {
    const rows = await saved('tag');
    const cells = rows.map((row) => Object.values({ ...row, Translation: `${row.Translation}。` }));
    const pieces = (async function* () {
      yield cells;
    })();
    const book = await xlsxOf('Languages', Object.keys(rows[0] ?? {}), pieces, testApp.clock.now());
    const { importRuns } = testApp.container;
    const { id } = await importRuns.upload(importer, 'translations.xlsx', book, 'en');
    await importRuns.work();
    expect((await importRuns.read(id, 'en')).counts).toMatchObject({ changed: rows.length, problem: 0 });
  });

  it('a person imports texts of what they may change, and of nothing else', async () => {
    const [row] = await saved('tag');
    if (!row) throw new Error('The demo has tags');
    const role = await askStaff(testApp, 'addRole', {
      as,
      body: { name: 'Translator', permissions: ['goods.import', 'content.write'] },
    });
    expect(role.status).toBe(200);
    const id = role.body.roles.find(({ name }) => name === 'Translator')?.id ?? '';
    const translator = await joinStaff(testApp, `translator-${engine}@languages.example`, id);
    const file = fileOf([{ ...row, Translation: '不可以' }]);
    const sent = await askStaff(testApp, 'upload', { as: translator, query: { name: 'texts.csv' }, file });
    expect(sent.status).toBe(200);
    await testApp.container.importRuns.work();
    expect((await testApp.container.importRuns.read(sent.body.id, 'en')).counts).toMatchObject({
      problem: 1,
      changed: 0,
    });

    // Nor what somebody else has sent, who may.
    const theirs = await askStaff(testApp, 'upload', { as, query: { name: 'texts.csv' }, file });
    await testApp.container.importRuns.work();
    const params = { import: theirs.body.id };
    const { version: seen } = (await askStaff(testApp, 'import', { as, params })).body;
    expect((await askStaff(testApp, 'applyImport', { as: translator, params, body: { seen } })).status).toBe(
      404,
    );
    expect((await testApp.container.importRuns.read(theirs.body.id, 'en')).state).toBe('judged');
  });
});
