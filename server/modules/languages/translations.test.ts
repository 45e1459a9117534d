/** The texts of the shop in its languages beside the first: listed, written, and sent out and back as files. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { StaffResponse } from '#contract/staff/endpoints.ts';
import type { ShownState, Translation } from '#contract/staff/languages.ts';
import type { Kind } from '#contract/staff/messages.ts';
import { askStaff, askStaffOnceCounted, joinDemo, joinStaff } from '#tests/staff.ts';
import { createTestApp, forEachEngine, type Shopper, type TestApp } from '#tests/test-app.ts';

const category = 'teapots';

forEachEngine((engine) => {
  let testApp: TestApp;
  let as: Shopper;
  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true });
    as = await joinDemo(testApp, 'demo-mei');
  });

  interface Wanted {
    kind?: Kind;
    state?: ShownState;
    by?: Shopper;
  }
  async function all({ kind, state = 'all', by = as }: Wanted = {}): Promise<Translation[]> {
    const texts: Translation[] = [];
    for (let after: string | null = ''; after !== null; ) {
      const query: Record<string, string> = {
        language: 'zh',
        state,
        ...(kind && { kind }),
        ...(after && { after }),
      };
      const { status, body }: { status: number; body: StaffResponse<'translations'> } =
        await askStaffOnceCounted(testApp, 'translations', {
          as: by,
          query,
        });
      expect([status, body.looking]).toEqual([200, false]);
      texts.push(...body.texts);
      after = body.next;
    }
    return texts;
  }
  const textAt = async (kind: Kind, id: string, field: string) =>
    (await all({ kind })).find((each) => each.id === id && each.path.join('.') === field) as Translation;
  const save = ({ kind, id, path, source, translation }: Translation, text: string) =>
    askStaff(testApp, 'saveTranslation', {
      as,
      body: { kind, id, path, language: 'zh', text, seen: { source, translation } },
    });
  const rename = async (id: string, en: string) => {
    const { body } = await askStaff(testApp, 'category', { as, params: { id } });
    const edits = [{ path: ['name', 'en'], to: en }];
    const { status } = await askStaff(testApp, 'saveCategory', {
      as,
      params: { id },
      body: { revision: body.revision, edits },
    });
    expect(status).toBe(200);
  };

  it('a page of the list follows another until each text was listed once', async () => {
    const texts = await all();
    const { body: tags } = await askStaffOnceCounted(testApp, 'translations', {
      as,
      query: { language: 'zh', state: 'all', kind: 'tag' },
    });
    expect([tags.texts.length > 0, tags.next]).toEqual([true, null]);
    const names = texts.map(({ kind, id, path }) => JSON.stringify([kind, id, path]));
    expect(new Set(names).size).toBe(names.length);
    const { body } = await askStaffOnceCounted(testApp, 'translationCounts', {
      as,
      query: { language: 'zh' },
    });
    const counted = body.kinds.reduce((sum, { missing, stale, done }) => sum + missing + stale + done, 0);
    expect(counted).toBe(names.length);
    const kinds = [...new Set(texts.map(({ kind }) => kind))].sort();
    expect(kinds).toEqual(
      expect.arrayContaining([
        'brand',
        'category',
        'navigation',
        'page',
        'post',
        'product',
        'setting',
        'store',
        'tag',
      ]),
    );
  });

  it('a translation is stale from a change of the first language until it is written again', async () => {
    const before = await textAt('category', category, 'name');
    expect(before.state).toBe('done');
    await rename(category, 'Pots');
    const stale = await textAt('category', category, 'name');
    expect(stale).toMatchObject({ state: 'stale', source: 'Pots', before: before.source });
    const { status, body } = await save(stale, '壶');
    expect([status, body.state, body.translation]).toEqual([200, 'done', '壶']);
    expect((await textAt('category', category, 'name')).state).toBe('done');
  });

  it('a translation whose text is again what it was is stale no longer', async () => {
    const { source } = await textAt('category', category, 'name');
    await rename(category, 'Others');
    expect((await textAt('category', category, 'name')).state).toBe('stale');
    await rename(category, source);
    expect((await textAt('category', category, 'name')).state).toBe('done');
  });

  it('a translation that is said to be still right is stale no longer, and its document goes back over that', async () => {
    const { source, translation } = await textAt('category', category, 'name');
    await rename(category, 'Jars');
    const stale = await textAt('category', category, 'name');
    const { status, body } = await save(stale, translation);
    expect([status, body.state]).toEqual([200, 'done']);
    expect((await textAt('category', category, 'name')).state).toBe('done');
    const { body: history } = await askStaff(testApp, 'categoryRevisions', { as, params: { id: category } });
    const [confirmed, renamed, earlier] = history.revisions;
    expect(confirmed).toMatchObject({ action: 'languages confirm', isKept: true });
    const restored = await askStaff(testApp, 'restoreCategory', {
      as,
      params: { id: category },
      body: { revision: earlier?.no, seen: confirmed?.no },
    });
    expect([restored.status, restored.body.content?.name]).toEqual([200, { en: source, zh: translation }]);
    expect(renamed?.action).toBe('taxonomy change');
  });

  it('the text of a picture, whose name has a dot, is stale and said to be still right as others are', async () => {
    const text = (await all({ kind: 'product' })).find(({ path }) => path.includes('imageTexts'));
    if (!text) throw new Error('The demo has texts of pictures');
    const { id: product, path } = text;
    const stateNow = async () => (await textAt('product', product, path.join('.'))).state;
    const { body } = await askStaff(testApp, 'product', { as, params: { product } });
    const edits = [{ path: [...path, 'en'], to: 'Another picture' }];
    const patch = { revision: body.revision, edits };
    expect((await askStaff(testApp, 'saveProduct', { as, params: { product }, body: patch })).status).toBe(
      200,
    );
    expect(await stateNow()).toBe('stale');
    expect((await save(await textAt('product', product, path.join('.')), text.translation)).status).toBe(200);
    expect(await stateNow()).toBe('done');
  });

  it('a text that somebody has changed since it was shown is a conflict, and stays', async () => {
    const seen = await textAt('category', category, 'name');
    await rename(category, 'Kettles');
    const { status, body } = await save(seen, '新的');
    expect([status, body.errorKey]).toEqual([409, 'office.languages.changed']);
    expect((await textAt('category', category, 'name')).translation).toBe(seen.translation);
    await rename(category, seen.source);
  });

  it('a translation of a page is saved in its draft', async () => {
    const [text] = await all({ kind: 'page' });
    if (!text) throw new Error('The demo has pages');
    const { status } = await save(text, '译文');
    expect(status).toBe(200);
    const { body } = await askStaff(testApp, 'page', { as, params: { id: text.id } });
    expect(body.publication.state).toBe('changed');
    const { body: reverted } = await askStaff(testApp, 'revertPage', {
      as,
      params: { id: text.id },
      body: { seen: body.revision },
    });
    expect(reverted.publication.state).toBe('live');
  });

  it('the values of options, which have no names of their own, are translated by their places', async () => {
    const text = (await all({ kind: 'product' })).find(
      ({ path }) => path[0] === 'options' && path.includes('values'),
    );
    if (!text) throw new Error('The demo has options');
    const { status, body } = await save(text, '另一个');
    expect([status, body.translation]).toEqual([200, '另一个']);
    const { body: product } = await askStaff(testApp, 'product', { as, params: { product: text.id } });
    expect(JSON.stringify(product.content.options)).toContain('另一个');
    expect((await save(body, text.translation)).status).toBe(200);
  });

  it('a person finds the texts of what they may change, and of nothing else', async () => {
    const writer = await joinStaff(testApp, `writer-${engine}@languages.example`, 'writer');
    const kinds = new Set((await all({ by: writer })).map(({ kind }) => kind));
    expect([...kinds].sort()).toEqual(['blog', 'navigation', 'page', 'post']);
    const text = await textAt('category', category, 'name');
    const { kind, id, path, source, translation } = text;
    const body = { kind, id, path, language: 'zh', text: '别的', seen: { source, translation } };
    expect((await askStaff(testApp, 'saveTranslation', { as: writer, body })).status).toBe(404);
  });

  describe('a shop of one language', () => {
    it('the list has nothing, and no kinds', async () => {
      const one = await createTestApp({ engine, demo: true });
      const owner = await joinDemo(one, 'demo-mei');
      await one.container.changes.run({ kind: 'terminal' }, 'settings set', (change) =>
        one.container.settings.update(change, { languages: ['en'] }),
      );
      const { body } = await askStaffOnceCounted(one, 'translationCounts', {
        as: owner,
        query: { language: 'zh' },
      });
      expect(body).toEqual({ looking: false, kinds: [] });
    });
  });
});
