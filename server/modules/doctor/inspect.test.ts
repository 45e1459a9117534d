import { expect, test } from 'vitest';
import { picturesIn, untranslatedIn } from './inspect.ts';

const product = {
  name: '{"en":"Mug","zh":"马克杯"}',
  description: '{"en":["Thrown by hand."],"zh":[]}',
  images: '["mug.jpg","mug--blue.jpg"]',
  options: JSON.stringify([{ name: { en: 'Glaze' }, values: [{ name: { en: 'Sand', zh: '沙' }, image: 'mug--sand.jpg' }] }]),
  details: '{broken',
};

test('pictures are found wherever they stand', () => {
  expect(picturesIn(product)).toEqual(['mug.jpg', 'mug--blue.jpg', 'mug--sand.jpg']);
});

test('a text without a translation is named by where it stands', () => {
  expect(untranslatedIn(product, ['en', 'zh'])).toEqual([
    { path: 'description', locale: 'zh' },
    { path: 'options.0.name', locale: 'zh' },
  ]);
});

test('a text that nobody wrote needs no translation', () => {
  expect(untranslatedIn({ story: '{"en":"","zh":""}', image: null }, ['en', 'zh'])).toEqual([]);
});
