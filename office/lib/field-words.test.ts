import { describe, expect, test } from 'vitest';
import { createFieldWords, writtenClock, writtenNumber } from './field-words.ts';

const words = createFieldWords();
words.note(['priceCents'], 'Price', (value) => writtenNumber(value, 'CAD'));
words.note(['weightGrams'], 'Weight in g', (value) => writtenNumber(value));
words.note(['gstPercent'], 'GST in %', (value) => writtenNumber(value));
words.note(['newArrival'], 'New', (value) => (value === true ? 'Yes' : 'No'));
words.note(['countries'], 'Countries', (value) =>
  (value as string[]).map((code) => ({ CA: 'Canada' })[code] ?? code).join(', '),
);
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
    [
      ['zones', 'bike'],
      { id: 'bike', name: { en: 'By bike' }, feeCents: 500, minutes: 45 },
      'By bike · Fee: 5.00',
    ],
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

test.each([
  ['7:00', '07:00'],
  ['7', '07:00'],
  ['19', '19:00'],
  ['730', '07:30'],
  ['1930', '19:30'],
  ['7.30', '07:30'],
  ['７：３０', '07:30'],
  [' 9:15 ', '09:15'],
  ['7 pm', '19:00'],
  ['7:30PM', '19:30'],
  ['12 a.m.', '00:00'],
  ['12:05 pm', '12:05'],
  ['24:00', '24:00'],
  ['09:30', '09:30'],
  // The server says what is wrong.
  ['25:00', '25:00'],
  ['7:60', '7:60'],
  ['13 pm', '13 pm'],
  ['noon', 'noon'],
  ['', ''],
])('a time of day that is typed as %j is %j', (typed, clock) => {
  expect(writtenClock(typed)).toBe(clock);
});
