/** `blog` with valid files, and with files of which nothing is published. */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { shopCommand } from '#tests/shop-command.ts';
import { createTestApp, forEachEngine, type TestApp } from '#tests/test-app.ts';

const folder = mkdtempSync(join(tmpdir(), 'shopwright-posts-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
for (const [from, to] of [
  ['mooncake.jpg', 'cakes.jpg'],
  ['speckled-mug.jpg', 'mug.jpg'],
] as const)
  cpSync(join(import.meta.dirname, '../demo/photos', from), join(folder, to));
writeFileSync(join(folder, 'broken.jpg'), 'no image');

const blog = {
  id: 'notes',
  name: { en: 'Notes' },
  description: { en: '' },
  enableUserLike: true,
  enableGuestLike: false,
  categories: [],
  tags: [],
};
const hello = { type: 'paragraph', text: { en: 'Hello.' } };
const post = {
  blogId: 'notes',
  link: 'first',
  title: { en: 'First', zh: '第一篇' },
  excerpt: { en: 'A beginning.' },
  author: null,
  image: 'cakes.jpg',
  category: null,
  tags: [] as string[],
  publishedAt: '2026-01-02T09:00-05:00',
  parts: [hello, { type: 'html', html: { en: '<p><img src="mug.jpg" alt="A mug"></p>' } }] as unknown[],
};

async function importPosts(
  testApp: TestApp,
  content: unknown,
  ...flags: string[]
): Promise<{ code: number; printed: string }> {
  const file = join(folder, 'posts.json');
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return shopCommand(testApp, ['blog', ...flags, file]);
}

const stored = async ({ db }: TestApp) => ({
  blogs: await db.read.selectFrom('blogs').selectAll().execute(),
  posts: await db.read.selectFrom('blog_posts').selectAll().execute(),
  media: (await db.read.selectFrom('media').select('file').orderBy('file').execute()).map(({ file }) => file),
});

/** What the command does not print the same everywhere. */
const withoutFolder = (printed: string) => printed.replaceAll(folder, 'FOLDER');

const anyTime =
  'ISO 8601 with a zone (2026-12-01T09:00-05:00), or without one in the local time of the main store (2026-12-01T09:00)';
const badDates = ['01/12/2026', '2026-02-30', '2026-12-01T25:00', '2026-12-01 09:00', 'soon', '20261201'];

const refused: [name: string, change: object, problems: string[]][] = [
  ...badDates.map((date): [string, object, string[]] => [
    `the date ${date}`,
    { publishedAt: date },
    [`post first: /publishedAt must be a time in ${anyTime}, found "${date}"`],
  ]),
  [
    'a date as a number',
    { publishedAt: 20_261_201 },
    ['post first: /publishedAt must be text, found 20261201'],
  ],
  [
    'a missing image',
    { image: 'lost.jpg' },
    ['post first names image lost.jpg, which is neither in FOLDER nor in the shop'],
  ],
  [
    'a missing image in its parts',
    {
      parts: [
        hello,
        { type: 'image', image: 'gone.jpg', alt: { en: '' }, caption: { en: '' } },
        { type: 'html', html: { en: '<p><img src="away.jpg" alt=""></p>' } },
      ],
    },
    [
      'post first names image gone.jpg, which is neither in FOLDER nor in the shop',
      'post first names image away.jpg, which is neither in FOLDER nor in the shop',
    ],
  ],
  [
    'an unknown part, a wrong level and an unknown field',
    {
      parts: [{ type: 'song' }, { type: 'heading', level: 4, text: { en: 'Deep' } }],
      subtitle: { en: 'More' },
      tags: ['none'],
    },
    [
      'post first: /subtitle is an unknown field, allowed: blogId, link, title, excerpt, author, image, category, tags, publishedAt, parts, likesBefore',
    ],
  ],
  [
    'an unknown part, a wrong level and an unknown tag',
    { parts: [{ type: 'song' }, { type: 'heading', level: 4, text: { en: 'Deep' } }], tags: ['none'] },
    [
      'post first: /parts/0/type must be one of "paragraph", "heading", "image", "list", "quote", "html", "product", found "song"',
      'post first: /parts/1/level must be at most 3, found 4',
      'post first: /tags must be the id of an existing tag, found "none"',
    ],
  ],
];

forEachEngine((engine) => {
  describe('importing posts', () => {
    test('the blog command writes posts from a file with the images beside it, and can be repeated', async () => {
      const testApp = await createTestApp({ engine });
      expect(await importPosts(testApp, { $schema: './posts.schema.json', blog, posts: [post] })).toEqual({
        code: 0,
        printed: 'Published first.',
      });
      expect(await importPosts(testApp, { posts: [post] })).toEqual({ code: 0, printed: 'Published first.' });
      const { posts, media } = await stored(testApp);
      expect(posts).toMatchObject([{ link: 'first', released: 1, published_at: Date.UTC(2026, 0, 2, 14) }]);
      expect(media).toEqual(['cakes.jpg', 'mug.jpg']);
      expect(await importPosts(testApp, '{')).toMatchObject({
        code: 1,
        printed: expect.stringContaining('Could not read'),
      });
    });

    test('an import of posts with any problem publishes nothing and names every problem', async () => {
      const testApp = await createTestApp({ engine });
      const before = await stored(testApp);
      for (const [name, change, problems] of refused) {
        const posts = [
          { ...post, ...change },
          { ...post, link: 'second', image: null, parts: [hello] },
        ];
        const { code, printed } = await importPosts(testApp, { blog, posts });
        expect([name, code, withoutFolder(printed).split('\n  ')]).toEqual([
          name,
          1,
          ['Nothing was imported:', ...problems],
        ]);
        expect([name, await stored(testApp)]).toEqual([name, before]);
      }
      const broken = await importPosts(testApp, { blog, posts: [{ ...post, image: 'broken.jpg' }] });
      expect(broken).toMatchObject({
        code: 1,
        printed: expect.stringContaining('post first names broken.jpg, which is not a valid image'),
      });
      expect(await stored(testApp)).toEqual(before);
    });

    test('posts without a zone are published in the local time of the main store', async () => {
      const testApp = await createTestApp({ engine, demo: true });
      const [store] = await testApp.services.stores.all();
      if (!store) throw new Error('The demo shop has changed');
      await testApp.services.stores.upsert([{ ...store, timeZone: 'Pacific/Auckland' }]);
      const at = (link: string, publishedAt: string) => ({ ...post, link, publishedAt });
      const posts = [
        at('zone', '2030-07-01T09:00+02:00'),
        at('local', '2030-07-01T09:00'),
        at('day', '2030-07-01'),
      ];
      expect((await importPosts(testApp, { blog, posts })).printed.split('\n')).toEqual([
        'Scheduled zone for 2030-07-01T19:00+12:00.',
        'Scheduled local for 2030-07-01T09:00+12:00.',
        'Scheduled day for 2030-07-01T00:00+12:00.',
      ]);
    });
  });
});

test('blog --check checks posts and publishes nothing', async () => {
  const testApp = await createTestApp({ engine: 'sqlite' });
  const before = await stored(testApp);
  const { code, printed } = await importPosts(testApp, { blog, posts: [post] }, '--check');
  expect([code, withoutFolder(printed)]).toEqual([0, 'FOLDER/posts.json is valid. Nothing was imported.']);
  expect(await stored(testApp)).toEqual(before);
  expect((await importPosts(testApp, { blog, posts: [{ ...post, tags: ['none'] }] }, '--check')).code).toBe(
    1,
  );
});
