/** What `npm test` leaves to `npm run test:all` is chosen in the test files; nothing is lost between the two. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const partOf = (file: string) => /^(?:server\/modules\/\w+|[\w-]+\/[\w-]+)/.exec(file)?.[0] ?? '';
const filesOf = (pattern: string) => globSync(`{db,server,payment-providers}/**/${pattern}`, { cwd: root });

test('every part of the shop with SQL of its own has tests that run on PostgreSQL in every run', () => {
  const asked = filesOf('*.test.ts').filter((file) =>
    /\bonBothEngines\(/.test(readFileSync(join(root, file), 'utf8')),
  );
  const tested = new Set(asked.map(partOf));
  const parts = new Set(filesOf('*.repository.ts').map(partOf));
  expect(parts.size).toBeGreaterThan(15);
  expect([...parts].filter((part) => !tested.has(part))).toEqual([]);
});

test('a test of which npm test does a part is found by what it imports', () => {
  const files = globSync(
    '{bench,cli,contract,db,demo,office,scripts,server,tests,ui,web}/**/*.{test,spec}.{ts,tsx}',
    {
      cwd: root,
    },
  );
  const reading = files.filter((file) =>
    /\bprocess\.env\.LONG_/.test(readFileSync(join(root, file), 'utf8')),
  );
  expect(reading).toEqual([]);
});
