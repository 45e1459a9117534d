/** The guide to a month's end: its commands print what it shows, with the figures of the demo shop. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { shopCommand } from '#tests/shop-command.ts';
import { createTestApp } from '#tests/test-app.ts';

const page = readFileSync(join(import.meta.dirname, '../docs/how-to/close-a-month.md'), 'utf8');
/** The demo shop's first month follows the day on which it was filled. */
const shown = { first: '2026-09-01', last: '2026-09-30' };

it('the guide to closing a month prints the figures of the demo shop', async () => {
  const testApp = await createTestApp({ engine: 'sqlite', demo: true, now: Date.now() });
  const { next } = await testApp.container.periods.all();
  const first = next?.from ?? '';
  const last = next?.to ?? '';
  const { settings, changes, handover } = testApp.container;
  const bookAccounts = (await handover.lines('en')).map(({ key }, index) => ({
    id: `sage ${key}`,
    code: String(4000 + index),
    taxRate: '',
  }));
  await changes.run({ kind: 'terminal' }, 'books accounts', (change) =>
    settings.update(change, { bookAccounts }),
  );
  const dayAfter = new Date(Date.parse(last) + 24 * 3_600_000).toISOString().slice(0, 10);
  const own = (text: string) =>
    text
      .replaceAll(shown.first, first)
      .replaceAll(shown.last, last)
      .replaceAll('2026-10-01', dayAfter)
      .replaceAll(/2026-09(?!-)/g, first.slice(0, 7))
      .replaceAll(/september\.(\w+)/g, (name) => join(testApp.dataDir, name));
  const blocks = [...page.matchAll(/```sh\nnpm run shop -- (.*)\n```\n\n```text\n([\s\S]*?)\n```/g)];
  expect(blocks.length).toBe(5);
  for (const [, command = '', output = ''] of blocks) {
    const { code, printed } = await shopCommand(testApp, own(command).split(' '));
    expect([command, code, printed]).toEqual([command, 0, expect.stringMatching(patternOf(own(output)))]);
  }
});

/** `…` stands for what differs each time. */
const patternOf = (text: string) =>
  new RegExp(`^${text.replaceAll(/[.*+?^$()[\]{}|\\/]/g, '\\$&').replaceAll('…', '\\S+')}$`);
