import { describe, expect, test } from 'vitest';
import { staffTranslate } from '#contract/staff/messages.ts';
import { fieldName, isTime } from './field-name.ts';

const [en, zh] = [staffTranslate('en'), staffTranslate('zh')];

describe('fields in the journal', () => {
  test('a text of a page is called as its field, with its language', () => {
    expect(fieldName('page', 'title.en', en)).toBe('Title (English)');
    expect(fieldName('page', 'metaDescription.zh', zh)).toBe('搜索引擎描述 (简体中文)');
  });

  test('a check of a menu is called as its field', () => {
    expect(fieldName('navigation', 'clearance', zh)).toBe('清仓');
  });

  test('a setting is called as the forms of Shop and Taxes call it', () => {
    expect(fieldName('setting', 'shopName.zh', en)).toBe('Name of the shop (简体中文)');
    expect(fieldName('setting', 'reservationHours', en)).toBe('Hours that an unpaid order is held');
  });

  test('a shared draft is a link that is open until a time, and the links of a menu are none', () => {
    expect([fieldName('page', 'links', en), isTime('page', 'links')]).toEqual([
      'link to the draft, open until',
      true,
    ]);
    expect([isTime('page', 'publishAt'), isTime('navigation', 'links')]).toEqual([true, false]);
  });

  test('words of the journal come first, and a field that no form has keeps its name', () => {
    expect(fieldName('navigation', 'links', en)).toBe('links');
    expect(fieldName('page', 'published', en)).toBe('live');
    expect(fieldName('order', 'weather', en)).toBe('weather');
  });
});
