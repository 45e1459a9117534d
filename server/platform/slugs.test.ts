import { expect, it, test } from 'vitest';
import { freeId, slugOf } from './slugs.ts';

it.each([
  ['Smørrebrød', 'smorrebrod'],
  ['Đà Nẵng', 'da-nang'],
  ['Łódź', 'lodz'],
  ['Straße & Æther', 'strasse-aether'],
  ['İzmir', 'izmir'],
  ['L’été', 'l-ete'],
  ['白毫银针', 'bai-hao-yin-zhen'],
  ['台灣烏龍 2024', 'tai-wan-wu-long-2024'],
  ['Кофе чёрный', 'kofe-chyornyy'],
  ['Ελληνικά', 'ellinika'],
  ['한글 차', 'hangeul-ca'],
  ['ｆｕｌｌ　ｗｉｄｔｈ', 'full-width'],
  ['C#', 'c-sharp'],
  ['C++', 'c-plus-plus'],
  ['🍵 Tea', 'tea'],
  ['🍵', ''],
  ['---', ''],
])('the name %j gives the address %j', (name, slug) => {
  expect(slugOf(name)).toBe(slug);
});

test('an address of any name is ASCII, and no longer than asked', () => {
  for (const name of ['عربى قهوة', 'กาแฟ', 'हिन्दी', 'שלום', '茶'.repeat(90)])
    expect(slugOf(name, 40)).toMatch(/^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/);
});

test('a name whose address is taken gets a number', async () => {
  const taken = new Set(['c', 'c-2']);
  expect(await freeId('C!', 'item', (id) => taken.has(id))).toBe('c-3');
  expect(await freeId('🍵', 'item', () => false)).toBe('item');
});
