import { describe, expect, test } from 'vitest';
import { createFieldWords, writtenNumber } from './field-words.ts';

const words = createFieldWords();
words.note(['priceCents'], 'Price', (value) => writtenNumber(value, 'CAD'));
words.note(['weightGrams'], 'Weight in g', (value) => writtenNumber(value));
words.note(['gstPercent'], 'GST in %', (value) => writtenNumber(value));
words.note(['newArrival'], 'New', (value) => (value === true ? 'Yes' : 'No'));
words.note(['countries'], 'Countries', (value) => (value as string[]).map((code) => ({ CA: 'Canada' })[code] ?? code).join(', '));
words.note(['zones', 'bike', 'name', 'en'], 'Zone (English)');
words.note(['zones', 'bike', 'feeCents'], 'Fee', (value) => writtenNumber(value, 'CAD'));
words.note(['hours', 'monday'], 'Monday', (value) => (value === null ? 'Closed' : 'Open'));

describe('a value of a document', () => {
  test.each<[readonly string[], unknown, string]>([
    [['priceCents'], 6100, '61.00'],
    [['priceCents'], null, '–'],
    [['priceCents'], 'abc', 'abc'],
    [['weightGrams'], 1250, '1250'],
    [['gstPercent'], 9.975, '9.975'],
    [['newArrival'], false, 'No'],
    [['countries'], ['CA', 'US'], 'Canada, US'],
    [['countries'], [], '–'],
    [['hours', 'monday'], null, 'Closed'],
    // An entry that one of the two has removed, and one whose fields the form does not show.
    [['zones', 'bike'], undefined, '–'],
    [['zones', 'bike'], { id: 'bike', name: { en: 'By bike' }, feeCents: 500, minutes: 45 }, 'By bike · Fee: 5.00'],
    [['zones', 'far'], { id: 'far', name: { en: 'Far away' }, feeCents: 500 }, 'Far away'],
    [['skus', 'CM-01'], { sku: 'CM-01', priceCents: 6100 }, 'CM-01'],
    [['holidays'], ['2026-12-25', '2027-01-01'], '2026-12-25, 2027-01-01'],
    [['taxRates', '#'], ['ON', 'QC'], 'ON, QC'],
    [['description'], { en: 'One' }, 'One'],
    [['openingHours', 'friday'], { open: '09:00', close: '17:00' }, '09:00–17:00'],
  ])('the value at %j reads as its field writes it: %j', (path, value, text) => {
    expect(words.textOf(path, value, 'en')).toBe(text);
  });

  test('a value is never shown as JSON', () => {
    expect(words.textOf(['other'], { a: { b: [1, { c: 2 }] }, d: null }, 'zh')).toBe('–');
  });
});

test('a part of a field is called as the field', () => {
  expect(words.labelOf(['zones', 'bike', 'feeCents', 'x'])).toBe('Fee');
  expect(words.labelOf(['unknown', 'field'])).toBe('unknown › field');
});
