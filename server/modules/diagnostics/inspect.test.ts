import { expect, test } from 'vitest';
import { picturesIn, untranslatedIn, videosIn } from './inspect.ts';

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

test('a text in the other language only lacks the default one', () => {
  expect(untranslatedIn({ title: '{"en":" ","zh":"马克杯"}' }, ['en', 'zh'])).toEqual([{ path: 'title', locale: 'en' }]);
});

const film = (captions: unknown) => ({
  blocks: JSON.stringify([{ id: 'shelf', type: 'video', provider: 'file', src: 'shelf.mp4', poster: 'shelf.jpg', captions }]),
});

test('films and their subtitles are found, and are no pictures', () => {
  const page = film([{ language: 'en', label: 'English', src: 'shelf.en.vtt' }]);
  expect(videosIn(page)).toEqual(['shelf.mp4', 'shelf.en.vtt']);
  expect(picturesIn(page)).toEqual(['shelf.jpg']);
});

test('subtitles in one language are wanted in all; a film without any may be silent', () => {
  expect(untranslatedIn(film([{ language: 'zh-CN', label: '中文', src: 'shelf.zh.vtt' }]), ['en', 'zh'])).toEqual([
    { path: 'blocks.shelf.captions', locale: 'en' },
  ]);
  expect(untranslatedIn(film([]), ['en', 'zh'])).toEqual([]);
});
