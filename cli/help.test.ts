import { expect, test } from 'vitest';
import { staffTranslate } from '#contract/staff/messages.ts';
import type { ShopCommand } from './command.ts';
import { openShop } from './command.ts';
import { run, shopProgram } from './run.ts';

const terminal = {
  env(): never {
    throw new Error('Help reads no configuration');
  },
  open: openShop,
  print() {},
  exitCode: 0,
  locale: 'en' as const,
  command: '',
  asked: null,
  t: staffTranslate('en'),
  timeZone: 'UTC',
};

/** The words that name each command and each of its actions. */
function allCommands(command: ShopCommand, words: readonly string[] = []): (readonly string[])[] {
  const inside = (command.commands as ShopCommand[]).flatMap((each) =>
    allCommands(each, [...words, each.name()]),
  );
  return [words, ...inside];
}

const named = allCommands(shopProgram(terminal));

async function printed(...words: string[]): Promise<{ code: number; text: string }> {
  const lines: string[] = [];
  const code = await run(words, {}, (line) => lines.push(line));
  return { code, text: lines.join('\n') };
}

test('every command and every action is found by the tests of the help', () => {
  expect(named.length).toBeGreaterThan(45);
});

test.each(named.map((words) => [words.join(' '), words]))(
  'the help of "%s" says its usage in 80 columns',
  async (name, words) => {
    for (const asked of [[...words, '--help'], ['help', ...words].slice(0, 2), [...words, '-h']]) {
      const { code, text } = await printed(...asked);
      expect(code).toBe(0);
      expect(text).toMatch(/^Usage: npm run shop -- /);
      for (const line of text.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80);
    }
    expect((await printed(...words, '--help')).text).toContain(`Usage: npm run shop -- ${name}`);
  },
);

test('an unknown action of a command with a default action is named', async () => {
  const { code, text } = await printed('orders', 'eat', 'MC-2026-000204');
  expect(code).toBe(1);
  expect(text).toContain("Unknown command 'eat'.");
  expect(text).toContain('revoke-links');
});
