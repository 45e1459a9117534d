import { describe, expect, test } from 'vitest';
import { staffTranslate } from '#contract/staff/messages.ts';
import { fieldName } from './field-name.ts';

const [en, zh] = [staffTranslate('en'), staffTranslate('zh')];

describe('fields in the journal', () => {
  test('a text of a page is called as its field, with its language', () => {
    expect(fieldName('page', 'title.en', en)).toBe('Title (English)');
    expect(fieldName('page', 'metaDescription.zh', zh)).toBe('搜索引擎描述 (简体中文)');
  });

  test('a check of a menu is called as its field', () => {
    expect(fieldName('navigation', 'clearance', zh)).toBe('清仓');
  });

  test('words of the journal come first, and a field that no form has keeps its name', () => {
    expect(fieldName('navigation', 'links', en)).toBe('links');
    expect(fieldName('page', 'published', en)).toBe('live');
    expect(fieldName('order', 'weather', en)).toBe('weather');
  });
});
