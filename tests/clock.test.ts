import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

test('every time on a page is of the 24-hour clock, in each language', () => {
  const other = globSync('{blocks,office,ui,web}/**/*.{ts,tsx}').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/dateFormat\([^)]*(?:timeStyle|hour:)[^)]*\)/g)]
      .filter(([call]) => !call.includes('hourCycle'))
      .map(([call]) => `${file}: ${call}`),
  );
  expect(other).toEqual([]);
});
