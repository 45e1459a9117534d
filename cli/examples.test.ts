/** The examples that come with the program are complete shops. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { renderedPage, renderFromSources } from '#tests/rendered.ts';
import { shopCommand } from '#tests/shop-command.ts';
import { createTestApp, forEachEngine } from '#tests/test-app.ts';

const example = join(import.meta.dirname, '../examples/river-cups');

forEachEngine((engine) => {
  test('River Cups fills an empty shop with its commands as printed, and doctor only misses what takes money and sends mail', {
    timeout: 120_000,
  }, async () => {
    const testApp = await createTestApp({ engine, app: { web: renderFromSources } });
    const readme = readFileSync(join(example, 'README.md'), 'utf8');
    const commands = [...readme.matchAll(/^npm run shop -- (.*)$/gm)].map(([, words = '']) => words);
    expect(commands).toHaveLength(2);
    for (const words of commands) {
      const { code, printed } = await shopCommand(
        testApp,
        words.replaceAll('examples/river-cups', example).split(' '),
      );
      expect([code, printed]).toEqual([0, expect.stringMatching(/Imported|Published/)]);
    }
    // Other users may enter the system's temporary folder during a test.
    const { printed } = await shopCommand(testApp, ['doctor']);
    const found = printed
      .split('\n')
      .filter((line) => /^ *(FAIL|WARN)/.test(line) && !line.includes('chmod 700'));
    expect(found).toEqual([
      expect.stringMatching(/card payments are simulated/),
      expect.stringMatching(/only written to files/),
    ]);
    for (const path of [
      '/',
      '/zh',
      '/zh/product/river-mug',
      '/products/mugs',
      '/care',
      '/zh/blog/post/testing-a-green',
    ]) {
      expect([path, (await renderedPage(testApp.app, path)).status]).toEqual([path, 200]);
    }
  });
});

test('River Cups uses every image of its folder, and no other', () => {
  const files = ['shop.json', 'posts.json'].map((file) => readFileSync(join(example, file), 'utf8')).join('');
  const named = new Set([...files.matchAll(/"([\w-]+\.jpg)"/g)].map(([, name]) => name));
  expect([...named].sort()).toEqual(
    readdirSync(example)
      .filter((name) => name.endsWith('.jpg'))
      .sort(),
  );
});
