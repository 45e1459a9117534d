import { expect, test } from 'vitest';
import { picturesIn, untranslatedIn, videosIn } from './diagnostics.service.ts';

const product = {
  name: '{"en":"Mug","zh":"马克杯"}',
  description: '{"en":["Thrown by hand."],"zh":[]}',
  images: '["mug.jpg","mug--blue.jpg"]',
  options: JSON.stringify([
    { name: { en: 'Glaze' }, values: [{ name: { en: 'Sand', zh: '沙' }, image: 'mug--sand.jpg' }] },
  ]),
  details: '{broken',
};

test('every image reference in a product is found', () => {
  expect(picturesIn(product)).toEqual(['mug.jpg', 'mug--blue.jpg', 'mug--sand.jpg']);
});

test('a text without a translation is named by its path', () => {
  expect(untranslatedIn(product, ['en', 'zh'])).toEqual([
    { path: 'description', locale: 'zh' },
    { path: 'options.0.name', locale: 'zh' },
  ]);
});

test('an empty text needs no translation', () => {
  expect(untranslatedIn({ story: '{"en":"","zh":""}', image: null }, ['en', 'zh'])).toEqual([]);
});

test('a text in the other language only is reported as missing in the default one', () => {
  expect(untranslatedIn({ title: '{"en":" ","zh":"马克杯"}' }, ['en', 'zh'])).toEqual([
    { path: 'title', locale: 'en' },
  ]);
});

const film = (captions: unknown) => ({
  blocks: JSON.stringify([
    { id: 'shelf', type: 'video', provider: 'file', src: 'shelf.mp4', poster: 'shelf.jpg', captions },
  ]),
});

test('video files and their subtitles are found, and are not taken for images', () => {
  const page = film([{ language: 'en', label: 'English', src: 'shelf.en.vtt' }]);
  expect(videosIn(page)).toEqual(['shelf.mp4', 'shelf.en.vtt']);
  expect(picturesIn(page)).toEqual(['shelf.jpg']);
});

test('subtitles in one language are required in all; a video without any may be silent', () => {
  expect(
    untranslatedIn(film([{ language: 'zh-CN', label: '中文', src: 'shelf.zh.vtt' }]), ['en', 'zh']),
  ).toEqual([{ path: 'blocks.shelf.captions', locale: 'en' }]);
  expect(untranslatedIn(film([]), ['en', 'zh'])).toEqual([]);
});
