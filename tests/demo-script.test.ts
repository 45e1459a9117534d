/** What docs/demo-script.md tells a presenter to open, type and pay with is in the demo shop. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { demoPassword } from '#demo/customer.ts';
import { renderedPage, renderFromSources } from './rendered.ts';
import { shopCommand } from './shop-command.ts';
import { createTestApp, type TestApp } from './test-app.ts';

const script = readFileSync(join(import.meta.dirname, '../docs/demo-script.md'), 'utf8');
const payments = readFileSync(join(import.meta.dirname, '../docs/how-to/payments.md'), 'utf8');

let testApp: TestApp;
beforeAll(async () => {
  testApp = await createTestApp({ engine: 'sqlite', demo: true, app: { web: renderFromSources } });
});

describe('the demo script', () => {
  test('every page of the demo script opens', async () => {
    const paths = [...script.matchAll(/\]\(http:\/\/127\.0\.0\.1:3000(\/[^)]*)\)/g)].map(
      ([, path = '']) => path,
    );
    expect(paths.length).toBeGreaterThan(5);
    for (const path of paths)
      expect([path, (await renderedPage(testApp.app, path)).status]).toEqual([path, 200]);
  });

  test('the searches of the demo script find what it says', async () => {
    expect(
      JSON.stringify(await testApp.call('productSuggestions', { params: { nameLike: 'teapto' } })),
    ).toContain('Teapot');
    const { html } = await renderedPage(testApp.app, `/search?key=${encodeURIComponent('茶壶')}`);
    expect(html).toContain('/product/celadon-teapot');
  });

  test('every card number of the demo script is one that the payment guide explains', () => {
    const cards = [...script.matchAll(/`(\d{4} \d{4} \d{4} \d{4})`/g)].map(([, number = '']) => number);
    expect(cards.length).toBe(3);
    expect(cards.filter((number) => !payments.includes(`| ${number} |`))).toEqual([]);
  });

  test('the promo code and the customer of the demo script exist', async () => {
    const [, code = ''] = /promo code `(\w+)`/.exec(script) ?? [];
    expect((await shopCommand(testApp, ['coupon', 'list'])).printed).toContain(code);
    const [, email = '', password = ''] = /Sign in as `(\S+)` with `(\S+)`/.exec(script) ?? [];
    expect(password).toBe(demoPassword);
    expect(await testApp.db.read.selectFrom('customers').select('email').execute()).toContainEqual({ email });
  });

  test('every command of the demo script runs', async () => {
    const commands = [...script.matchAll(/^ *npm run shop -- (.+)$/gm)].map(([, words = '']) => words);
    expect(commands.length).toBe(4);
    for (const words of commands) {
      const parts = [...words.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
      const here = parts.map((part) => part.replace('/tmp/demo-shop', testApp.env.dataDir));
      const { code, printed } = await shopCommand(testApp, here);
      const problems = printed
        .split('\n')
        .filter((line) => /^ *FAIL/.test(line) && !line.includes('chmod 700'));
      expect([words, problems, code === 0 || words === 'doctor']).toEqual([words, [], true]);
    }
  });
});
