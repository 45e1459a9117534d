import { expect, it } from 'vitest';
import { firstSentence } from './table-menu.tsx';

it('the first sentence of a description ends with its own mark, in English and in Chinese', () => {
  expect(firstSentence('Tieguanyin over ice. Unsweetened unless you ask.')).toBe('Tieguanyin over ice.');
  expect(firstSentence('铁观音隔夜冷泡，加冰。默认不加糖。')).toBe('铁观音隔夜冷泡，加冰。');
});

it('a point within a number ends no sentence, and a text without an end is whole', () => {
  expect(firstSentence('A cup of 1.5 dl, hot. With milk.')).toBe('A cup of 1.5 dl, hot.');
  expect(firstSentence('Lotus and egg yolk')).toBe('Lotus and egg yolk');
});
