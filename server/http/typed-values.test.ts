/** What is wrong with a field of the office is said as a person writes that field. The fields are those of the schemas, so new ones join. */
import { describe, expect, test } from 'vitest';
import { sellIn } from '#contract/money.ts';
import { type Problem, problemsByField } from '#contract/problems.ts';
import type { StaffEndpoint } from '#contract/staff/endpoint.ts';
import { staffEndpoints } from '#contract/staff/endpoints.ts';
import { staffTranslate } from '#contract/staff/messages.ts';
import { AppError } from '#server/platform/errors.ts';
import { translateFieldErrors } from '#server/platform/i18n.ts';
import { type SchemaNode, schemaProblems } from '#server/platform/schema-problems.ts';
import { documentSchemas, type Leaf, leavesOf } from '#tests/schema-leaves.ts';
import { createValidator } from './validation.ts';

const ofDocuments = Object.entries(documentSchemas).flatMap(([name, schema]) =>
  leavesOf(schema as SchemaNode, name),
);
const ofCalls = Object.entries<StaffEndpoint>(staffEndpoints).flatMap(([name, { body }]) =>
  body ? leavesOf(body as SchemaNode, name) : [],
);

/** Keys, tokens, filters and the like, which nobody types. */
const byPrograms = /\.(?:token|key|endpoint|counts\[\]\.id|filters\.owes)$|passkey/i;

/** What a form sends of fields in which anything can be typed. */
const typedNumbers = ['', 'abc', -300, 1899.9, 9_000_000_000_000_000];
const typedTexts = ['', ' ', '^', '2026-13-45', '#/?', 'x'.repeat(5001)];
const typedInto = ({ node: { type } }: Leaf) =>
  type === 'string' ? typedTexts : type === 'boolean' ? [] : typedNumbers;
const languages = ['en', 'zh'] as const;

/** Signs of patterns and of JSON, words of programs, and the numbers as they are kept. */
const ofMachines =
  /[\^\\]|\(\?|\[.*\]|\bISO\b|\bnull\b|\btrue\b|\bepoch\b|\bcents\b|JSON|This value isn’t valid|此项填写有误/;

/** What is said as programs say it, once for each field. */
function ofMachine(
  leaf: Leaf,
  said: (value: string | number, locale: (typeof languages)[number]) => readonly string[],
): string[] {
  const sentences = typedInto(leaf).flatMap((value) =>
    languages.flatMap((locale) =>
      said(value, locale)
        .map((sentence) => sentence.replace(/“[^”]*”$/, ''))
        .filter((sentence) => {
          const isKept = leaf.node.unit !== undefined && sentence.includes(value.toLocaleString('en'));
          return ofMachines.test(sentence) || (isKept && typeof value === 'number');
        })
        .map((sentence) => `${leaf.name}: ${sentence}`),
    ),
  );
  return [...new Set(sentences)];
}

describe('an answer about a typed value', () => {
  test('an answer about a typed value speaks as people write, for each field of each document', () => {
    const said = ofDocuments.flatMap((leaf) =>
      ofMachine(leaf, (value, locale) =>
        Object.values(problemsByField(schemaProblems(leaf.schema, value), staffTranslate(locale))),
      ),
    );
    expect(said).toEqual([]);
  });

  test('an answer about a typed value speaks as people write, for each field of each call', () => {
    const said = ofCalls
      .filter(({ name }) => !byPrograms.test(name))
      .flatMap((leaf) =>
        ofMachine(leaf, (value, locale) => {
          try {
            createValidator(leaf.schema, 'body')(value);
            return [];
          } catch (error) {
            return error instanceof AppError
              ? Object.values(translateFieldErrors(error.details.errors ?? {}, locale))
              : [];
          }
        }),
      );
    expect(said).toEqual([]);
  });

  test('the schema knows the unit of each field that is kept in smaller ones than people write', () => {
    const small = /cents|hundredths|thousandths|epoch/i;
    const lacking = [...ofDocuments, ...ofCalls].filter(
      ({ name, node, schema }) =>
        node.unit === undefined &&
        ['integer', 'number'].includes(node.type ?? '') &&
        (/(?:Cents|At)$/.test(name) ||
          small.test(`${node.description} ${(schema as SchemaNode).description}`)),
    );
    expect(lacking.map(({ name }) => name)).toEqual([]);
  });
});

test.each<[Problem, english: string, chinese: string]>([
  [
    {
      path: ['price'],
      key: 'problem.type.integer',
      values: { found: '1899.9' },
      unit: 'cents',
      value: 1899.9,
    },
    'Must be an amount such as 18.99, with no more decimals than its currency has, found 18.999',
    '应为金额，例如 18.99，小数位数不超过所用货币，现为 18.999',
  ],
  [
    {
      path: ['price'],
      key: 'problem.minimum',
      values: { limit: 0, found: '-300' },
      unit: 'cents',
      value: -300,
    },
    'Must be at least 0, found -3',
    '不得小于 0，现为 -3',
  ],
  [
    { path: ['price'], key: 'problem.type.integer', values: { found: '""' }, unit: 'cents', value: '' },
    'Is missing',
    '未填写',
  ],
  [
    { path: ['weight'], key: 'problem.type.integer.orNull', values: { found: '"abc"' }, value: 'abc' },
    'Must be a whole number, found “abc”',
    '应为整数，现为 “abc”',
  ],
])('a problem of a field is said in its unit: %j', (what, english, chinese) => {
  expect(
    languages.map((locale) => problemsByField([what], staffTranslate(locale))[what.path.join('.')]),
  ).toEqual([english, chinese]);
});

test.each([
  ['CAD', 'Must be at most 1000 found 1500'],
  ['JPY', 'Must be at most 100000 found 150000'],
  ['KWD', 'Must be at most 100 found 150'],
])('a limit of an amount of money is said in units of the shop’s currency: %s', (currency, sentence) => {
  sellIn(currency);
  try {
    const what: Problem = {
      path: ['tip'],
      key: 'problem.maximum',
      values: { limit: 100_000 },
      unit: 'cents',
      value: 150_000,
    };
    expect(problemsByField([what], staffTranslate('en')).tip?.replaceAll(',', '')).toBe(sentence);
  } finally {
    sellIn('CAD');
  }
});
