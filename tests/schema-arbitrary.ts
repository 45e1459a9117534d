/** Values for property tests, generated from the contract's schemas: fitting, almost fitting, and hostile. */
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

/** Mostly fits the schema; any part of it may be hostile, missing or one too many. `known` are ids that exist. */
export function roughly(schema: TSchema, known: readonly string[]): Arbitrary<unknown> {
  return fc.oneof(
    { weight: 6, arbitrary: fitting(schema, known, (inner) => roughly(inner, known)) },
    { weight: 1, arbitrary: anythingHostile },
  );
}

function fitting(schema: TSchema, known: readonly string[], inner: (schema: TSchema) => Arbitrary<unknown>): Arbitrary<unknown> {
  const node = schema as Node;
  if (node.const !== undefined) return fc.constant(node.const);
  if (node.enum) return fc.constantFrom(...node.enum);
  if (node.anyOf) return fc.oneof(...node.anyOf.map(inner));
  switch (node.type) {
    case 'object':
      return objects(node.properties ?? {}, inner);
    case 'array':
      return node.items ? fc.array(inner(node.items), { maxLength: 3 }) : fc.constant([]);
    case 'integer':
      return fc.oneof(
        fc.integer({ min: node.minimum ?? -large, max: node.maximum ?? large }),
        fc.integer({ min: Math.max(0, node.minimum ?? 0), max: 5 }),
      );
    case 'number':
      return fc.double({ min: node.minimum ?? -1e9, max: node.maximum ?? 1e9, noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'string':
      return strings(node, known);
    default:
      return anythingHostile;
  }
}

function strings({ pattern, maxLength = 200 }: Node, known: readonly string[]): Arbitrary<string> {
  const free = fc.string({ unit: 'binary', maxLength: Math.min(maxLength, 50) });
  if (!pattern)
    return fc.oneof(
      free,
      fc.string({ maxLength: Math.min(maxLength, 50) }),
      fc.constantFrom('mug', 'mu', '杯', 'teapt', 'CA', 'Ontario', ...known),
    );
  return fc.oneof(
    fc.constantFrom(...known),
    fc.stringMatching(new RegExp(pattern), { maxLength: Math.min(maxLength, 30) }),
    free,
  );
}

function objects(properties: Record<string, TSchema>, inner: (schema: TSchema) => Arbitrary<unknown>): Arbitrary<unknown> {
  const fields = Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, inner(property)]));
  const optional = Object.entries(properties).flatMap(([name, property]) => ('~optional' in property ? [name] : []));
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  const whole = fc.record(fields, { requiredKeys: required });
  const partly = fc.record(fields, { requiredKeys: [] });
  const withMore = fc.tuple(whole, fc.constantFrom('extra', 'constructor', 'prototype', '', 'a.b', '$where'), anythingHostile);
  return fc.oneof(
    { weight: 8, arbitrary: whole },
    { weight: 1, arbitrary: partly },
    { weight: 1, arbitrary: withMore.map(([value, key, more]) => ({ ...value, [key]: more })) },
  );
}
