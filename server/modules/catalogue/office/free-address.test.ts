/** Addresses that the office suggests for names in any script. */
import { beforeAll, expect, it } from 'vitest';
import { askStaff, joinDemo, joinStaff } from '#tests/staff.ts';
import { createTestApp, type Shopper, type TestApp } from '#tests/test-app.ts';

let testApp: TestApp;
let as: Shopper;
beforeAll(async () => {
  testApp = await createTestApp({ engine: 'sqlite', demo: true });
  as = await joinDemo(testApp, 'demo-mei');
});

const free = async (kind: string, name: string) =>
  (await askStaff(testApp, 'freeAddress', { as, params: { kind }, query: { name } })).body.id;

it.each([
  ['brand', '白毫银针', 'bai-hao-yin-zhen'],
  ['tag', 'Smørrebrød', 'smorrebrod'],
  ['category', 'C#', 'c-sharp'],
  ['modifierGroup', '！？', 'group'],
])('a new %s named %s is offered its name in Latin letters', async (kind, name, id) => {
  expect(await free(kind, name)).toBe(id);
});

it('a taken address is offered with the next free number, by the rows of its own kind', async () => {
  expect(await free('product', 'Moon jar')).toBe('moon-jar-2');
  expect(await free('tag', 'Moon jar')).toBe('moon-jar');
});

it('a person who may not add goods is refused', async () => {
  const packer = await joinStaff(testApp, 'packer@free.example', 'assistant', ['toronto-queen-west']);
  const { status } = await askStaff(testApp, 'freeAddress', {
    as: packer,
    params: { kind: 'tag' },
    query: { name: 'Tea' },
  });
  expect(status).toBe(403);
});
