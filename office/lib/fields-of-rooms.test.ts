import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { fieldsOfRooms } from './fields-of-rooms.ts';

/** Fields that the code draws with a path and a label of their own. */
function fieldsDrawnBy(file: string): string[] {
  const code = readFileSync(new URL(`../rooms/settings/${file}`, import.meta.url), 'utf8');
  const fields = code.matchAll(/path=\{\[((?:'\w+'(?:, )?)+)\]\}\s+label=\{t\('([\w.]+)'\)\}/g);
  return [...fields].map(([, path = '', label]) => `${path.replaceAll(/[', ]+/g, ' ').trim()}: ${label}`);
}

test.each([
  ['/shop', ['shop.tsx']],
  ['/money', ['money.tsx', 'shipping.tsx']],
])('the palette finds each field that the room %s draws by its label', (room, files) => {
  const found = fieldsOfRooms[room]?.map(({ path, label }) => `${path.join(' ')}: ${label}`);
  const drawn = files.flatMap(fieldsDrawnBy);
  expect(drawn.length).toBeGreaterThan(10);
  expect(drawn.filter((field) => !found?.includes(field))).toEqual([]);
});
