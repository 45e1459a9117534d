/** What is written of a page and not published: who sees it, publishing it now and at a time, and what the history leads back to. */
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { draftFolder } from '#contract/limits.ts';
import { renderFromSources } from '#tests/rendered.ts';
import { askStaff, joinDemo, joinStaff } from '#tests/staff.ts';
import { createTestApp, onBothEngines, type Shopper, type TestApp } from '#tests/test-app.ts';

const secret = 'Nobody reads this sentence yet';
const hourMs = 60 * 60_000;

onBothEngines((engine) => {
  let testApp: TestApp;
  let as: Shopper;
  let writer: Shopper;
  let count = 0;
  let id = '';
  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true, app: { web: renderFromSources } });
    as = await joinDemo(testApp, 'demo-mei');
    writer = await joinStaff(testApp, `writer@${engine}.example`, 'writer');
  });
  beforeEach(async () => {
    count += 1;
    id = `draft-${count}`;
    const body = { id, title: { en: `Page ${count}`, zh: `页面 ${count}` }, beginning: 'blank' };
    expect((await askStaff(testApp, 'addPage', { as: writer, body })).status).toBe(200);
    await write(secret);
  });

  const load = async (of = id) => (await askStaff(testApp, 'page', { as, params: { id: of } })).body;
  async function write(words: string, who = writer, of = id) {
    const { revision } = await load(of);
    const block = {
      id: 'words',
      type: 'text',
      title: null,
      items: [],
      paragraphs: [{ en: words, zh: words }],
    };
    const body = { revision, edits: [{ path: ['blocks', 'words'], to: block }] };
    const answer = await askStaff(testApp, 'savePage', { as: who, params: { id: of }, body });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return answer.body;
  }
  const publish = async (at: number | null = null, who = as, of = id) =>
    askStaff(testApp, 'publishPage', {
      as: who,
      params: { id: of },
      body: { seen: (await load(of)).revision, at },
    });
  const unschedule = async (who = as) =>
    askStaff(testApp, 'unschedulePage', { as: who, params: { id }, body: { seen: (await load()).revision } });
  const withdraw = async (who = as, of = id) =>
    askStaff(testApp, 'withdrawPage', {
      as: who,
      params: { id: of },
      body: { seen: (await load(of)).revision },
    });
  const revert = async (of = id) =>
    askStaff(testApp, 'revertPage', {
      as: writer,
      params: { id: of },
      body: { seen: (await load(of)).revision },
    });
  const get = async (url: string) => (await testApp.app.inject({ url })).body;
  const call = async (name = id) => testApp.ask('pageContent', { query: { pageName: name } });
  const shown = async (name = id) => JSON.stringify((await call(name)).body);
  const journal = async () => (await askStaff(testApp, 'journal', { as })).body.entries[0];
  const pass = async (ms: number) => {
    testApp.clock.advance(ms);
    await testApp.container.runMaintenance();
  };

  it('a stranger finds a draft neither by its address, nor by the call, the sitemap, the page of links or an agent', async () => {
    expect((await call()).status).toBe(404);
    for (const url of [`/${id}`, `/zh/${id}`]) {
      const { statusCode, headers, body } = await testApp.app.inject({ url });
      expect([url, statusCode, headers.location]).toEqual([
        url,
        302,
        `${url.startsWith('/zh') ? '/zh' : '/'}#unknown-address`,
      ]);
      expect(body).not.toContain(secret);
    }
    const places = [
      '/',
      '/zh',
      '/sitemap.xml',
      '/sitemap/pages-1.xml',
      '/llms.txt',
      '/search?q=Nobody',
      '/blog/feed.xml',
      '/contact',
    ];
    for (const url of places) {
      const body = await get(url);
      expect(body.includes(secret) || body.includes(`/${id}`), url).toBe(false);
    }
    const { pages } = (await askStaff(testApp, 'pages', { as: writer })).body;
    expect(pages.find((each) => each.id === id)).toMatchObject({
      updatedAt: null,
      publication: { state: 'draft', scheduled: null, failedAt: null, shownFrom: null },
    });
  });

  it('a writer saves drafts and does not publish, and what a manager publishes shows at the next request', async () => {
    const refused = await publish(null, writer);
    expect(refused.status).toBe(403);
    expect((await publish(testApp.clock.now() + hourMs, writer)).status).toBe(403);
    expect((await call()).status).toBe(404);
    const published = await publish();
    expect(published.body.publication).toEqual({
      state: 'live',
      scheduled: null,
      failedAt: null,
      shownFrom: null,
    });
    expect(await get(`/${id}`)).toContain(secret);
    expect(await get('/sitemap.xml')).toContain('sitemap');
    expect(await journal()).toMatchObject({ action: 'pages publish', kind: 'page', id, by: 'Mei Chen' });
    const again = await publish();
    expect(again.body.revision).toBe(published.body.revision);
  });

  it('visitors see the published version while the next one is written, and discarding the draft leads back to it', async () => {
    await publish();
    const { publication } = await write('The second version');
    expect(publication.state).toBe('changed');
    expect(await shown()).toContain(secret);
    expect(await get(`/${id}`)).not.toContain('The second version');
    const { body } = await revert();
    expect(body.publication.state).toBe('live');
    expect(JSON.stringify(body.content)).toContain(secret);
    expect(await testApp.db.read.selectFrom('drafts').select('id').where('id', '=', id).execute()).toEqual(
      [],
    );
    expect((await publish(null, writer)).status).toBe(403);
  });

  it('each version of the history can be led back to across publishing, as a draft', async () => {
    const first = await load();
    await publish();
    await write('The second version');
    await publish();
    await write('The third version');
    await revert();
    const { revisions } = (await askStaff(testApp, 'pageRevisions', { as, params: { id } })).body;
    expect(revisions.every(({ isKept, fields }) => isKept || fields === null)).toBe(true);
    const restore = async (revision: number) =>
      (
        await askStaff(testApp, 'restorePage', {
          as: writer,
          params: { id },
          body: { revision, seen: (await load()).revision },
        })
      ).body;
    const third = revisions.find(
      ({ action, fields }) => action === 'pages change' && JSON.stringify(fields).includes('third'),
    );
    expect(JSON.stringify((await restore(third?.no ?? 0)).content)).toContain('The third version');
    const led = await restore(first.revision);
    expect(led.content).toEqual(first.content);
    expect(led.publication.state).toBe('changed');
    expect(await shown()).toContain('The second version');
  });

  it('a page goes live at its time, once, with what was written when it was scheduled', async () => {
    const at = testApp.clock.now() + hourMs;
    const { body } = await publish(at);
    expect(body.publication).toEqual({
      state: 'draft',
      scheduled: { at, isLatest: true },
      failedAt: null,
      shownFrom: null,
    });
    expect((await write('Written afterwards')).publication.scheduled).toEqual({ at, isLatest: false });
    await pass(hourMs - 1);
    expect((await call()).status).toBe(404);
    testApp.clock.advance(1);
    await Promise.all([testApp.container.runMaintenance(), testApp.container.runMaintenance()]);
    expect(await shown()).toContain(secret);
    expect(await shown()).not.toContain('Written afterwards');
    expect((await load()).publication).toEqual({
      state: 'changed',
      scheduled: null,
      failedAt: null,
      shownFrom: null,
    });
    expect(await journal()).toMatchObject({ action: 'pages due', actor: 'system', id });
    await pass(hourMs);
    const { entries } = (await askStaff(testApp, 'journal', { as, query: { kind: 'page', id } })).body;
    expect(entries.filter(({ action }) => action === 'pages due')).toHaveLength(1);
  });

  it('a schedule is ended by who may publish, and stands when the draft is discarded', async () => {
    await publish();
    await write('The second version');
    const at = testApp.clock.now() + hourMs;
    await publish(at);
    expect((await unschedule(writer)).status).toBe(403);
    const { body } = await revert();
    expect(body.publication).toEqual({
      state: 'live',
      scheduled: { at, isLatest: false },
      failedAt: null,
      shownFrom: null,
    });
    expect((await unschedule()).body.publication).toEqual({
      state: 'live',
      scheduled: null,
      failedAt: null,
      shownFrom: null,
    });
    await pass(2 * hourMs);
    expect(await shown()).toContain(secret);
  });

  it('a page that is taken offline is a draft again, and goes live again as it was written, at its time as well', async () => {
    await publish();
    await write('The second version');
    const at = testApp.clock.now() + hourMs;
    await publish(at);
    await write('The third version');
    expect((await withdraw(writer)).status).toBe(403);
    const { body } = await withdraw();
    const scheduled = { at, isLatest: false };
    expect(body.publication).toEqual({ state: 'draft', scheduled, failedAt: null, shownFrom: null });
    expect(JSON.stringify(body.content)).toContain('The third version');
    expect(await journal()).toMatchObject({ action: 'pages withdraw', kind: 'page', id, by: 'Mei Chen' });
    expect((await call()).status).toBe(404);
    expect((await testApp.app.inject({ url: `/${id}` })).statusCode).toBe(302);
    expect(await get('/sitemap/pages-1.xml')).not.toContain(`/${id}`);
    expect((await withdraw()).status).toBe(404);
    await pass(hourMs);
    expect(await shown()).toContain('The second version');
    await publish();
    expect(await shown()).toContain('The third version');
  });

  it('the home page is not taken offline, nor what somebody changed since it was seen', async () => {
    const refused = await withdraw(as, 'home');
    expect([refused.status, refused.body.errorKey]).toEqual([422, 'office.publish.home']);
    expect((await call('home')).status).toBe(200);
    await publish();
    const { revision: seen } = await load();
    await write('Written meanwhile');
    const late = await askStaff(testApp, 'withdrawPage', { as, params: { id }, body: { seen } });
    expect([late.status, late.body.errorKey]).toEqual([409, 'office.document.changed']);
    expect((await call()).status).toBe(200);
  });

  it('a time that is past or years ahead, and a page that somebody changed since, are refused', async () => {
    const { now } = testApp.clock;
    for (const at of [now(), now() - hourMs, now() + 3 * 366 * 24 * hourMs])
      expect((await publish(at)).body.errors).toHaveProperty('at');
    const { revision: seen } = await load();
    await write('Written meanwhile');
    const late = await askStaff(testApp, 'publishPage', { as, params: { id }, body: { seen, at: null } });
    expect([late.status, late.body.errorKey]).toEqual([409, 'office.document.changed']);
    expect((await call()).status).toBe(404);
  });

  it('a page that can no longer be shown at its time stays a draft, and the office says so', async () => {
    const list = {
      id: 'list',
      type: 'productList',
      title: null,
      uiAttribute: { collectiontype: 'tag', collectionname: 'soon-gone' },
    };
    await testApp.services.editor.upsertTags([
      { id: 'soon-gone', name: { en: 'Soon gone' }, description: { en: '' } },
    ]);
    const { revision } = await load();
    const home = (await load('home')).content.blocks as { type: string; uiAttribute?: object }[];
    const like = home.find(({ type }) => type === 'productList');
    const block = { ...like, ...list, uiAttribute: { ...like?.uiAttribute, ...list.uiAttribute } };
    const saved = await askStaff(testApp, 'savePage', {
      as,
      params: { id },
      body: { revision, edits: [{ path: ['blocks', 'list'], to: block }] },
    });
    expect(saved.status, JSON.stringify(saved.body)).toBe(200);
    const at = testApp.clock.now() + hourMs;
    expect((await publish(at)).status).toBe(200);
    await testApp.services.removal.remove({ kind: 'tag', id: 'soon-gone', to: null, confirmed: true });
    await pass(hourMs);
    expect((await call()).status).toBe(404);
    expect((await load()).publication).toEqual({
      state: 'draft',
      scheduled: null,
      failedAt: at,
      shownFrom: null,
    });
    expect(Object.keys((await publish()).body.errors ?? {})).toEqual([
      `pages.${id}.blocks.list.uiAttribute.collectionname`,
    ]);
  });

  it('a file that changes a page ends its draft, which stands in its history, and one that does not leaves it', async () => {
    await publish();
    await write('The second version');
    const { title, metaDescription, blocks } = (await load()).content;
    const live = (blocks as { id: string }[]).map((block) => ({
      ...block,
      paragraphs: [{ en: secret, zh: secret }],
    }));
    const page = { name: id, title, metaDescription, blocks: live };
    await testApp.services.content.upsertPages([page]);
    expect((await load()).publication.state).toBe('changed');
    await testApp.services.content.upsertPages([{ ...page, title: { en: 'By a file', zh: '文件' } }]);
    expect((await load()).publication.state).toBe('live');
    expect((await call()).body).toMatchObject({ title: 'By a file' });
    const { revisions } = (await askStaff(testApp, 'pageRevisions', { as, params: { id } })).body;
    const drafted = revisions.find(
      ({ action, fields }) => action === 'pages change' && JSON.stringify(fields).includes('second'),
    );
    const led = { revision: drafted?.no ?? 0, seen: (await load()).revision };
    const { body } = await askStaff(testApp, 'restorePage', { as, params: { id }, body: led });
    expect(JSON.stringify(body.content)).toContain('The second version');
  });

  it('each fault that keeps a page from being published is named at its field, and the draft can be saved with it', async () => {
    const about = (await load('about')).content.blocks as { id: string; items: object[] }[];
    const item = about.find((block) => block.id === 'about-1')?.items[0];
    const text = { type: 'text', title: null, items: [] };
    const blocks = [
      { ...text, id: 'words', paragraphs: [{ en: '', zh: '只有中文' }] },
      {
        ...text,
        id: 'heads',
        paragraphs: [],
        html: { en: '<h3>Skips one</h3><p><a href="/nowhere-at-all">Gone</a></p>', zh: '<h2>好</h2>' },
      },
      {
        id: 'picture',
        type: 'imageInfo',
        title: null,
        items: [{ ...item, alt: { en: ' ', zh: '' }, link: '/product/no-such-thing' }],
      },
      {
        id: 'tiles',
        type: 'linkTiles',
        title: null,
        tiles: [{ label: { en: 'Care' }, text: { en: '' }, link: '/care-guide' }],
      },
      { id: 'self', type: 'buttons', buttons: [{ label: { en: 'Here' }, link: `/${id}`, style: 'primary' }] },
    ];
    const edits = [{ path: ['blocks'], to: blocks }];
    const at = (...paths: string[]) => paths.map((path) => `blocks.${path}`).sort();
    const expected = at(
      'words.paragraphs.0.en',
      'heads.html.en',
      'picture.items.0.alt.en',
      'picture.items.0.link',
    );
    const tried = await askStaff(testApp, 'tryPublishPage', { as: writer, params: { id }, body: { edits } });
    expect(Object.keys(tried.body.problems).sort()).toEqual(expected);
    const { revision } = await load();
    const saved = await askStaff(testApp, 'savePage', {
      as: writer,
      params: { id },
      body: { revision, edits },
    });
    expect(saved.status, JSON.stringify(saved.body)).toBe(200);
    const refused = await publish();
    expect(Object.keys(refused.body.errors ?? {}).sort()).toEqual(
      expected.map((path) => `pages.${id}.${path}`),
    );
    expect(Object.keys((await publish(testApp.clock.now() + hourMs)).body.errors ?? {})).toHaveLength(
      expected.length,
    );
    expect((await call()).status).toBe(404);
  });

  it('nothing is in the way of publishing the pages of the demo, and a link to a draft is', async () => {
    const { pages } = (await askStaff(testApp, 'pages', { as })).body;
    const problems = async (of: string, edits: object[] = []) =>
      (await askStaff(testApp, 'tryPublishPage', { as, params: { id: of }, body: { edits } })).body.problems;
    for (const page of pages.filter(({ publication }) => publication.state === 'live'))
      expect([page.id, await problems(page.id)]).toEqual([page.id, {}]);
    const block = {
      id: 'to',
      type: 'buttons',
      buttons: [{ label: { en: 'To' }, link: `/${id}?a=1`, style: 'primary' }],
    };
    const edits = [{ path: ['blocks', 'to'], to: block }];
    expect(Object.keys(await problems('terms', edits))).toEqual(['blocks.to.buttons.0.link']);
    await publish();
    expect(await problems('terms', edits)).toEqual({});
  });

  it('a removed page takes its draft and its schedule with it', async () => {
    const at = testApp.clock.now() + hourMs;
    await publish(at);
    expect((await askStaff(testApp, 'pageUse', { as, params: { id } })).body.refused).toBeNull();
    expect((await askStaff(testApp, 'removePage', { as, params: { id } })).status).toBe(200);
    await pass(hourMs);
    expect((await call()).status).toBe(404);
    expect((await askStaff(testApp, 'page', { as, params: { id } })).status).toBe(404);
  });

  it('a picture that only a draft shows counts as used', async () => {
    const pictures = (await load('about')).content.blocks as { id: string }[];
    const picture = pictures.find((block) => block.id === 'about-1');
    const { revision } = await load();
    const edits = [{ path: ['blocks', 'about-1'], to: picture }];
    expect(
      (await askStaff(testApp, 'savePage', { as, params: { id }, body: { revision, edits } })).status,
    ).toBe(200);
    const [file = ''] = /[\w-]+\.(?:jpg|webp|png|avif)/.exec(JSON.stringify(picture)) ?? [];
    const { body } = await askStaff(testApp, 'mediaUses', { as, params: { file } });
    expect(body.uses).toContainEqual({ kind: 'page', id });
  });

  const share = async () => (await askStaff(testApp, 'sharePage', { as: writer, params: { id } })).body;
  const open = (address: string, language = '') =>
    testApp.app.inject({ url: language + new URL(address).pathname, remoteAddress: `10.0.${count}.1` });

  it('a link that was taken back, a wrong secret and a removed page show nothing, and links are limited', async () => {
    const { address, links } = await share();
    const key = links[0]?.key ?? '';
    const { body } = await askStaff(testApp, 'unsharePage', { as: writer, params: { id }, body: { key } });
    expect(body.links).toEqual([]);
    expect((await open(address)).statusCode).toBe(404);
    expect((await open(`${address.slice(0, -1)}-`)).statusCode).toBe(404);
    const { address: second } = await share();
    expect((await open(second)).statusCode).toBe(200);
    for (let made = 1; made < 10; made++) await share();
    expect((await askStaff(testApp, 'sharePage', { as: writer, params: { id } })).status).toBe(409);
    expect((await askStaff(testApp, 'removePage', { as, params: { id } })).status).toBe(200);
    expect((await open(second)).statusCode).toBe(404);
    expect((await askStaff(testApp, 'sharePage', { as: writer, params: { id } })).status).toBe(404);
  });

  it('a link ends once its maker is blocked or given another role, and those of others stay', async () => {
    const email = `gone-${count}@${engine}.example`;
    const maker = await joinStaff(testApp, email, 'writer');
    const { id: person } = await testApp.db.read
      .selectFrom('staff')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow();
    const shareAs = async (who: Shopper) =>
      (await askStaff(testApp, 'sharePage', { as: who, params: { id } })).body.address ?? '';
    const change = (body: object) => askStaff(testApp, 'changeStaff', { as, params: { id: person }, body });
    const [kept, gone] = [await shareAs(writer), await shareAs(maker)];
    expect([(await open(kept)).statusCode, (await open(gone)).statusCode]).toEqual([200, 200]);
    expect((await change({ role: 'manager' })).status).toBe(200);
    expect([(await open(kept)).statusCode, (await open(gone)).statusCode]).toEqual([200, 404]);
    const second = await shareAs(maker);
    expect((await change({ blocked: true })).status).toBe(200);
    expect([(await open(kept)).statusCode, (await open(second)).statusCode]).toEqual([200, 404]);
  });

  // Moves the clock by a week, which ends sessions.
  it('whoever has a link sees the draft as it is for a week, without a trace in caches and search engines', async () => {
    const { address, links } = await share();
    expect(links).toHaveLength(1);
    const { statusCode, headers, body } = await open(address);
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex, nofollow',
      'referrer-policy': 'no-referrer',
    });
    expect(String(headers['content-security-policy'])).toContain("form-action 'none'");
    expect(headers.etag).toBeUndefined();
    expect(body).toContain(secret);
    expect(body).toContain('A draft, not public.');
    expect(body).not.toMatch(/<script|data-style=/);
    const chinese = await open(address, '/zh');
    expect(chinese.body).toContain('这是未公开的草稿');
    expect(chinese.body).toContain('lang="zh');
    await write('Seen by the link at once');
    expect((await open(address)).body).toContain('Seen by the link at once');
    expect((await call()).status).toBe(404);
    const token = new URL(address).pathname.slice(draftFolder.length);
    const stored = await testApp.db.read.selectFrom('draft_links').selectAll().execute();
    expect(JSON.stringify(stored)).not.toContain(token);
    testApp.clock.advance(7 * 24 * hourMs);
    const ended = await open(address);
    expect([ended.statusCode, ended.headers['x-robots-tag']]).toEqual([404, 'noindex, nofollow']);
    expect(ended.body).not.toContain(secret);
    await testApp.container.runMaintenance();
    expect(
      await testApp.db.read.selectFrom('draft_links').select('id').where('id', '=', id).execute(),
    ).toEqual([]);
  });
});
