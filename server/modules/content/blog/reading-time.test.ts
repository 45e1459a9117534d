import { describe, expect, it } from 'vitest';
import { readingByLocale, readingMinutes } from './reading-time.ts';

const words = (count: number) => Array.from({ length: count }, () => 'oolong').join(' ');

describe('reading time', () => {
  it('counts words where they have spaces, and characters where not', () => {
    expect(readingMinutes(words(230 * 4))).toBe(4);
    expect(readingMinutes('茶'.repeat(400 * 3))).toBe(3);
    expect(readingMinutes(`${'茶'.repeat(400)} ${words(230)}`)).toBe(2);
  });

  it('takes a contraction for one word and punctuation for none', () => {
    expect(readingMinutes(Array.from({ length: 230 }, () => "don't,").join(' — '))).toBe(1);
    expect(readingMinutes('，。！'.repeat(5000))).toBe(1);
  });

  it('is a minute at least, and longer with pictures', () => {
    expect(readingMinutes('')).toBe(1);
    expect(readingMinutes(words(230), 15)).toBe(3);
  });

  it('is each language’s own; what is not translated is read in the original', () => {
    const paragraph = { type: 'paragraph' as const, text: { en: words(230 * 5), zh: '茶'.repeat(800) } };
    expect(readingByLocale([paragraph])).toEqual({ en: 5, zh: 2 });
    expect(readingByLocale([{ type: 'paragraph', text: { en: words(230 * 5) } }])).toEqual({ en: 5, zh: 5 });
  });
});
