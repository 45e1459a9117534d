/** What is said at the field of a form speaks of what people write there, not of how it is kept. */
import Type from 'typebox';
import { expect, test } from 'vitest';
import { problemsByField } from '#contract/problems.ts';
import { staffTranslate } from '#contract/staff/messages.ts';
import { knownFields, schemaProblems } from './schema-problems.ts';

const schema = Type.Object({
  percent: Type.Integer({ unit: 'milliPercent', maximum: 100_000 }),
  price: Type.Integer({ unit: 'cents', minimum: 50 }),
  until: Type.Integer({ unit: 'epochMs' }),
  count: Type.Integer({ maximum: 5 }),
});

const said = (value: object) => problemsByField(schemaProblems(schema, value), staffTranslate('en'));

test('a limit and what was typed are said in percents, money and plain numbers, as the field asks for them', () => {
  const { percent, price, count } = said({ percent: 150_000, price: 25, until: 1, count: 9 });
  expect(percent).toMatch(/at most 100, found 150$/);
  expect(price).toMatch(/at least 0\.5, found 0\.25$/);
  expect(count).toMatch(/at most 5, found 9$/);
});

test('letters in a field of money or of a time are answered in the words of its unit', () => {
  const { price, until, count } = said({ percent: 1, price: 'ten', until: 'soon', count: 'few' });
  expect([price, until, count].join('\n')).not.toMatch(/cents|epoch|millisecond/i);
  expect(price).not.toBe(count);
  expect(until).not.toBe(count);
});

test('fields that a schema does not name are left out, at any depth, and a value without any is returned as it is', () => {
  const [circle, square] = [
    Type.Object({ radius: Type.Number() }),
    Type.Object({ radius: Type.Number(), side: Type.Number() }),
  ];
  const stored = Type.Object({
    names: Type.Record(Type.String({ pattern: '^[a-z]+$' }), Type.Object({ text: Type.String() })),
    shapes: Type.Array(Type.Union([circle, square])),
  });
  const known = () => ({ names: { en: { text: 'Tea' } }, shapes: [{ radius: 1, side: 2 }, { radius: 3 }] });
  const value = known();
  expect(knownFields(stored, value)).toBe(value);
  expect(value).toEqual(known());
  const later = {
    more: 1,
    names: { en: { text: 'Tea', more: 1 }, 2: {} },
    shapes: [
      { radius: 1, side: 2, more: 1 },
      { radius: 3, more: 1 },
    ],
  };
  expect(knownFields(stored, later)).toEqual(known());
});
