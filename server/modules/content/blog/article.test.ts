import { describe, expect, it } from 'vitest';
import { readingByLocale, readingMinutes } from './article.ts';

const words = (count: number) => Array.from({ length: count }, () => 'oolong').join(' ');

describe('reading time', () => {
  it('reading time counts words in languages with spaces, and characters in others', () => {
    expect(readingMinutes(words(230 * 4))).toBe(4);
    expect(readingMinutes('茶'.repeat(400 * 3))).toBe(3);
    expect(readingMinutes(`${'茶'.repeat(400)} ${words(230)}`)).toBe(2);
  });

  it('reading time counts a contraction as one word and punctuation as none', () => {
    expect(readingMinutes(Array.from({ length: 230 }, () => "don't,").join(' — '))).toBe(1);
    expect(readingMinutes('，。！'.repeat(5000))).toBe(1);
  });

  it('reading time is a minute at least, and longer with images', () => {
    expect(readingMinutes('')).toBe(1);
    expect(readingMinutes(words(230), 15)).toBe(3);
  });

  it('reading time is that of each language, and an untranslated post is read in the original', () => {
    const paragraph = { type: 'paragraph' as const, text: { en: words(230 * 5), zh: '茶'.repeat(800) } };
    expect(readingByLocale([paragraph])).toEqual({ en: 5, zh: 2 });
    expect(readingByLocale([{ type: 'paragraph', text: { en: words(230 * 5) } }])).toEqual({ en: 5, zh: 5 });
  });
});
