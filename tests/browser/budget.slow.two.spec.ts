/** The transfer size of a first visit: at most 120 KB of scripts, 37 of fonts, 15 of styles, 15 of page; the first to ask for a page gets 18. */
import { expect, once, test } from './fixtures.ts';
import { enterAs } from './office.ts';

const kB = 1000;

/** The scripts that a page requests before it can answer to clicks. */
function scriptsOf(page: string): string[] {
  return / data-scripts="([^"]+)"/.exec(page)?.[1]?.split(' ') ?? [];
}

/** A file as a browser gets it that takes Brotli: its size on the way, and what it says. */
async function fetched(url: string): Promise<{ size: number; text: string }> {
  const answer = await fetch(url, { headers: { 'accept-encoding': 'br' } });
  expect(answer.status, url).toBe(200);
  return { size: Number(answer.headers.get('content-length')), text: await answer.text() };
}

for (const path of [
  '/',
  '/products/teaware',
  '/search?keyword=teapot',
  '/product/speckled-mug',
  '/blog',
  '/page/about',
]) {
  test(`the page ${path} stays within its budget`, async ({ shop, baseURL }) => {
    const address = new URL(shop.url(path), baseURL).href;
    const page = await fetched(address);
    const named = (pattern: RegExp) => [
      ...new Set([...page.text.matchAll(pattern)].map(([, file]) => new URL(file ?? '', baseURL).href)),
    ];
    const total = async (files: string[]) => {
      expect(files.length).toBeGreaterThan(0);
      const sizes = await Promise.all(files.map(async (file) => (await fetched(file)).size));
      return sizes.reduce((sum, size) => sum + size, 0);
    };
    expect(page.size).toBeGreaterThan(0);
    expect(page.size).toBeLessThanOrEqual(18 * kB);
    // The second request has the page compressed thoroughly, in the background.
    await expect.poll(async () => (await fetched(address)).size).toBeLessThanOrEqual(15 * kB);
    expect(await total(named(/<link rel="stylesheet" href="([^"]+)"/g))).toBeLessThanOrEqual(15 * kB);
    expect(await total(named(/<link rel="preload" as="font"[^>]* href="([^"]+)"/g))).toBeLessThanOrEqual(
      37 * kB,
    );
    expect(await total(scriptsOf(page.text).map((file) => new URL(file, baseURL).href))).toBeLessThanOrEqual(
      120 * kB,
    );
  });
}

for (const [path, most] of [
  ['/cart', 16],
  ['/checkout', 23],
] as const) {
  test(`the page ${path} needs no more than ${most} scripts`, { tag: once }, async ({ shop, baseURL }) => {
    const { text } = await fetched(new URL(shop.url(path), baseURL).href);
    expect(scriptsOf(text).length).toBeGreaterThan(2);
    expect(scriptsOf(text).length).toBeLessThanOrEqual(most);
  });
}

test('the desk of the office needs at most 220 KB of scripts, and each further room 80 KB', {
  tag: once,
}, async ({ page, watch }) => {
  const scripts = new Set<string>();
  page.on('request', (request) => request.resourceType() === 'script' && scripts.add(request.url()));
  /** What has been asked for since the last call, bytes. */
  const known = new Map<string, number>();
  const more = async () => {
    await page.waitForLoadState('networkidle');
    const fresh = [...scripts].filter((url) => !known.has(url));
    for (const url of fresh) known.set(url, (await fetched(url)).size);
    return fresh.reduce((sum, url) => sum + (known.get(url) ?? 0), 0);
  };
  await enterAs({ page, watch }, 'Mei Chen', 'desk');
  expect(await more()).toBeLessThanOrEqual(220 * kB);
  const rooms = page.getByRole('navigation').getByRole('link');
  for (const [index, room] of (await rooms.all()).entries()) {
    await room.click();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    expect(await more(), `room ${index + 1}`).toBeLessThanOrEqual(80 * kB);
  }
});
