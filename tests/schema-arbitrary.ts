/** Generates values for property tests from the contract’s schemas: valid, nearly valid, and hostile ones. */
import fc, { type Arbitrary } from 'fast-check';
import type { TSchema } from 'typebox';

interface Node {
  type?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: TSchema[];
  items?: TSchema;
  properties?: Record<string, TSchema>;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
}

const large = 2 ** 53;
const hostile: readonly unknown[] = [
  null,
  true,
  '',
  0,
  -1,
  0.5,
  1e308,
  -1e308,
  large,
  -large,
  'NaN',
  '1e3',
  '0x10',
  '１２',
  '\u0000',
  'a\u0007b',
  'x\u007f',
  '\ud800',
  '\u202e',
  '<script>alert(1)</script>',
  "' or 1=1 --",
  '"; drop table orders; --',
  '%_\\',
  '* AND ( OR NEAR/2 "',
  "a:* & !b | 'c",
  '../../etc/passwd',
  '__proto__',
  'constructor',
  'toString',
  'x'.repeat(5000),
  '杯'.repeat(300),
  [],
  {},
  [[]],
  [null],
  { length: 1 },
  { toString: 1, valueOf: 1 },
];

/** Anything JSON can carry that a schema probably does not want. */
const anythingHostile: Arbitrary<unknown> = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...hostile) },
  fc.jsonValue({ maxDepth: 2 }),
);

/** Values that exist, by the name of the field that may hold them. */
export type Known = Record<string, readonly string[]>;

/** Fits the schema in about half of all cases; in the others any part may be hostile, missing or one too many. */
export function roughly(schema: TSchema, known: Known): Arbitrary<unknown> {
  const spoilt = (inner: TSchema, name: string): Arbitrary<unknown> =>
    fc.oneof(
      { weight: 8, arbitrary: fitting(inner, name, known, spoilt) },
      { weight: 1, arbitrary: anythingHostile },
    );
  const clean = (inner: TSchema, name: string): Arbitrary<unknown> => fitting(inner, name, known, clean);
  return fc.oneof(clean(schema, ''), spoilt(schema, ''));
}

type Inner = (schema: TSchema, name: string) => Arbitrary<unknown>;

function fitting(schema: TSchema, name: string, known: Known, inner: Inner): Arbitrary<unknown> {
  const node = schema as Node;
  if (node.const !== undefined) return fc.constant(node.const);
  if (node.enum) return fc.constantFrom(...node.enum);
  if (node.anyOf) return fc.oneof(...node.anyOf.map((member) => inner(member, name)));
  switch (node.type) {
    case 'object':
      return objects(node.properties ?? {}, inner);
    case 'array':
      return node.items ? fc.array(inner(node.items, name), { maxLength: 3 }) : fc.constant([]);
    case 'integer':
      return fc.oneof(
        { weight: 1, arbitrary: fc.integer({ min: node.minimum ?? -large, max: node.maximum ?? large }) },
        { weight: 2, arbitrary: fc.integer({ min: Math.max(0, node.minimum ?? 0), max: 5 }) },
      );
    case 'number':
      return fc.double({ min: node.minimum ?? -1e9, max: node.maximum ?? 1e9, noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'string':
      return strings(node, known[name] ?? []);
    default:
      return anythingHostile;
  }
}

const longest = 50;
/** Each is made once: fast-check maps all characters of a unit to cut hostile texts into them. */
const texts = {
  ascii: fc.string({ maxLength: longest }),
  any: fc.string({ unit: 'grapheme', maxLength: longest }),
  binary: fc.string({ unit: 'binary', maxLength: longest }),
};

/** What exists already, mostly; else any text of that form or of none. */
function strings({ pattern, maxLength = 200 }: Node, known: readonly string[]): Arbitrary<string> {
  const length = Math.min(maxLength, longest);
  const short = (text: Arbitrary<string>) => text.map((whole) => whole.slice(0, length));
  const free = fc.oneof(short(texts.ascii), short(texts.any));
  const formed = pattern ? fc.stringMatching(new RegExp(pattern), { maxLength: length }) : free;
  const invented = fc.oneof({ weight: 3, arbitrary: formed }, { weight: 1, arbitrary: short(texts.binary) });
  return known.length > 0
    ? fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...known) }, { weight: 1, arbitrary: invented })
    : invented;
}

function objects(properties: Record<string, TSchema>, inner: Inner): Arbitrary<unknown> {
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [name, inner(property, name)]),
  );
  const optional = Object.entries(properties).flatMap(([name, property]) =>
    '~optional' in property ? [name] : [],
  );
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  const whole = fc.record(fields, { requiredKeys: required });
  const partly = fc.record(fields, { requiredKeys: [] });
  const withMore = fc.tuple(
    whole,
    fc.constantFrom('extra', 'constructor', 'prototype', '', 'a.b', '$where'),
    anythingHostile,
  );
  return fc.oneof(
    { weight: 12, arbitrary: whole },
    { weight: 1, arbitrary: partly },
    { weight: 1, arbitrary: withMore.map(([value, key, more]) => ({ ...value, [key]: more })) },
  );
}
