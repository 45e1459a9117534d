import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import type { TLocalizedValidationError } from 'typebox/error';
import type { FieldErrors as FieldErrorsOf } from '#contract/errors.ts';
import { writtenLimit } from '#contract/problems.ts';
import type { ValueOf } from '#contract/schemas/common.ts';
import { type AnyMessageKey, validationError } from '#server/platform/errors.ts';
import { nodeAt } from '#server/platform/schema-problems.ts';

type FieldErrors = FieldErrorsOf<AnyMessageKey>;

export type RequestPart = 'params' | 'query' | 'body';

export type Validator<Value> = (value: unknown) => Value;

const compilations = new WeakMap<TSchema, ReturnType<typeof Compile>>();

/** Compiled when it is first used, because compiling all of them takes half of a start. */
function compiled(schema: TSchema): ReturnType<typeof Compile> {
  const known = compilations.get(schema) ?? Compile(schema);
  compilations.set(schema, known);
  return known;
}

/** Path and query are text, so numbers and booleans are parsed from it; in a body `"1"` is not a number. */
export function createValidator<S extends TSchema>(schema: S, part: RequestPart): Validator<ValueOf<S>> {
  const read = part === 'body' ? (value: unknown) => value : textReader(schema);
  const optional = '~optional' in schema;
  return (value) => {
    if (optional && (value === undefined || value === null)) return undefined as ValueOf<S>;
    const candidate = read(value);
    const oversized = sizeProblems(schema, candidate, '');
    if (oversized) throw validationError(keyed(oversized, part));
    const validator = compiled(schema);
    if (validator.Check(candidate)) {
      const unprintable = findControlCharacter(candidate, '');
      if (unprintable === null) return candidate as ValueOf<S>;
      throw validationError({ [fieldName(unprintable) || part]: 'field.invalid' });
    }
    throw validationError(fieldErrors(schema, validator.Errors(candidate), part));
  };
}

/** Of a list. */
export const tooMany = 'field.tooMany.other';

/** The most entries of a list without `maxItems` and of a record without `maxProperties`. */
const mostEntries = 1000;
/** Of those in one object. */
const mostUnknown = 20;

interface Sized {
  anyOf?: Sized[];
  items?: Sized;
  maxItems?: number;
  properties?: Record<string, Sized>;
  maxProperties?: number;
  additionalProperties?: unknown;
}

/** Null for a value that its schema bounds. TypeBox looks at every entry first: 80,000 empty objects take two seconds. */
function sizeProblems(
  node: Sized,
  value: unknown,
  path: string,
): [path: string, error: FieldErrors[string]][] | null {
  if (typeof value !== 'object' || value === null) return null;
  if (node.anyOf)
    return (
      node.anyOf.map((member) => sizeProblems(member, value, path)).find((found) => found !== null) ?? null
    );
  if (Array.isArray(value)) {
    const { maxItems = mostEntries } = node;
    if (value.length > maxItems) return [[path, { key: tooMany, values: { count: maxItems } }]];
    const { items } = node;
    return items ? firstOf(value, (inner, index) => sizeProblems(items, inner, `${path}/${index}`)) : null;
  }
  const { properties = {} } = node;
  const unknown: string[] = [];
  let count = 0;
  for (const name in value) {
    count += 1;
    if (!Object.hasOwn(properties, name)) unknown.push(name);
    if (node.additionalProperties === false && unknown.length > mostUnknown)
      return unknown.slice(0, mostUnknown).map((each) => [`${path}/${each}`, 'field.unknown']);
    if (count > (node.maxProperties ?? mostEntries)) return [[path, 'field.invalid']];
  }
  // Only what the schema describes, which ends: a body can be 20,000 lists deep.
  const fields: Readonly<Record<string, unknown>> = { ...value };
  return firstOf(Object.entries(properties), ([name, inner]) =>
    Object.hasOwn(fields, name) ? sizeProblems(inner, fields[name], `${path}/${name}`) : null,
  );
}

function firstOf<T, R>(entries: readonly T[], resultOf: (entry: T, index: number) => R | null): R | null {
  for (const [index, entry] of entries.entries()) {
    const result = resultOf(entry, index);
    if (result !== null) return result;
  }
  return null;
}

/**
 * Control characters (C0 and C1) except tab and line ends, and bidirectional controls. No text needs them, PostgreSQL cannot
 * store all of them, terminals obey some, and the last make a name read as another.
 */
const controlCharacter = /(?![\t\n\r])[\p{Cc}\p{Bidi_Control}]/u;

/** Deeper than anything that the contract asks for; where it is exceeded, the depth is the problem. */
const mostDepth = 64;

function findControlCharacter(value: unknown, path: string, depth = 0): string | null {
  // A lone surrogate is half a character: neither UTF-8 nor a database can represent it.
  if (typeof value === 'string') return controlCharacter.test(value) || !value.isWellFormed() ? path : null;
  if (typeof value !== 'object' || value === null) return null;
  if (depth === mostDepth) return path;
  for (const [key, inner] of Object.entries(value)) {
    const found = findControlCharacter(inner, `${path}/${key}`, depth + 1);
    if (found !== null) return found;
  }
  return null;
}

function textReader(schema: TSchema): (value: unknown) => unknown {
  const properties =
    'properties' in schema ? (schema.properties as Record<string, { type?: string; enum?: unknown[] }>) : {};
  const readers = Object.entries(properties).flatMap(([name, { type, enum: choices }]) => {
    const read = choices ? readChoice : type ? readText[type] : undefined;
    return read ? [[name, read] as const] : [];
  });
  return (value) => {
    if (readers.length === 0 || typeof value !== 'object' || value === null) return value;
    const copy: Record<string, unknown> = { ...value };
    for (const [name, read] of readers) {
      const text = copy[name];
      if (typeof text === 'string') copy[name] = read(text);
    }
    return copy;
  };
}

/** A choice without a value, as a form sends it, is one that has not been made. */
const readChoice = (text: string) => text || undefined;

const readText: Record<string, ((text: string) => unknown) | undefined> = {
  integer: (text) => (/^-?\d{1,15}$/.test(text) ? Number(text) : text),
  number: (text) => (/^-?\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : text),
  boolean: (text) => ({ true: true, '1': true, false: false, '0': false })[text] ?? text,
};

/** In words and units of whoever typed the value. */
function fieldErrors(schema: TSchema, errors: TLocalizedValidationError[], part: RequestPart): FieldErrors {
  const found: [path: string, error: FieldErrors[string]][] = [];
  const add = (path: string, error: FieldErrors[string]) => found.push([path, error]);
  for (const error of errors) {
    const { unit, problem } = nodeAt(schema, error.schemaPath) ?? {};
    const beyond = (key: 'field.tooSmall' | 'field.tooLarge', limit: number | bigint) => {
      const written = writtenLimit(Number(limit), unit);
      const isOther = unit !== undefined && written === null;
      add(
        error.instancePath,
        isOther ? `problem.unit.${unit}` : { key, values: { limit: written ?? Number(limit) } },
      );
    };
    switch (error.keyword) {
      case 'required':
        for (const name of error.params.requiredProperties)
          add(`${error.instancePath}/${name}`, 'field.required');
        break;
      case 'additionalProperties':
        for (const name of error.params.additionalProperties)
          add(`${error.instancePath}/${name}`, 'field.unknown');
        break;
      case 'boolean':
        // A schema that allows no further fields reports each of them.
        add(error.instancePath, 'field.unknown');
        break;
      case 'minimum':
        beyond('field.tooSmall', error.params.limit);
        break;
      case 'maximum':
        beyond('field.tooLarge', error.params.limit);
        break;
      case 'minLength':
        // One character too few is none.
        add(
          error.instancePath,
          error.params.limit === 1
            ? 'field.required'
            : { key: 'field.tooShort.other', values: { count: error.params.limit } },
        );
        break;
      case 'maxLength':
        add(error.instancePath, { key: 'field.tooLong.other', values: { count: error.params.limit } });
        break;
      case 'enum':
        add(error.instancePath, 'field.choice');
        break;
      case 'type':
        if (unit) add(error.instancePath, `problem.unit.${unit}`);
        else
          add(
            error.instancePath,
            /number|integer/.test(String(error.params.type)) ? 'field.number' : 'field.invalid',
          );
        break;
      default:
        add(error.instancePath, problem ?? 'field.invalid');
    }
  }
  return keyed(found, part);
}

function keyed(found: readonly [path: string, error: FieldErrors[string]][], part: RequestPart): FieldErrors {
  // No prototype, so that a field named like a prototype member stays a plain field.
  const errors: FieldErrors = Object.create(null);
  for (const [path, error] of found) errors[fieldName(path) || part] ??= error;
  return errors;
}

/** `/contact/email` becomes `contact.email`; names from the client are cut to 100 characters. */
function fieldName(path: string): string {
  return path.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~').slice(0, 100);
}

/** A response that is JSON already, for calls so frequent that serialising is most of their work. */
export class PreSerializedJson {
  readonly json: string;

  constructor(json: string) {
    this.json = json;
  }
}

type Pick = (value: unknown) => unknown;

interface SchemaNode {
  type?: string;
  const?: unknown;
  properties?: Record<string, SchemaNode>;
  patternProperties?: Record<string, SchemaNode>;
  items?: SchemaNode;
  anyOf?: SchemaNode[];
}

/**
 * With `check`, a value that does not match is a crash (development and tests); without, only the fields of the schema are sent.
 */
export function createSerializer(schema: TSchema, check: boolean): (value: unknown) => string {
  // Made by the first answer: of hundreds of calls a process serves some, and a start waits for all.
  let pick: Pick | null | undefined;
  return (answer) => {
    if (answer instanceof PreSerializedJson && !check) return answer.json;
    const value = answer instanceof PreSerializedJson ? JSON.parse(answer.json) : answer;
    if (check && !compiled(schema).Check(value)) {
      const first = compiled(schema).Errors(value)[0];
      throw new Error(`The answer does not fit its schema: ${first?.instancePath} ${first?.message}`);
    }
    if (answer instanceof PreSerializedJson) return answer.json;
    if (pick === undefined) pick = picker(schema as SchemaNode);
    return JSON.stringify(pick ? pick(value) : value);
  };
}

function picker(schema: SchemaNode): Pick | null {
  if (schema.anyOf) return unionPicker(schema.anyOf);
  if (schema.type === 'array' && schema.items) {
    const item = picker(schema.items);
    return item && ((value) => (Array.isArray(value) ? value.map(item) : value));
  }
  if (schema.type !== 'object' || !schema.properties) return null;
  const fields = Object.entries(schema.properties).map(
    ([name, property]) => [name, picker(property)] as const,
  );
  return (value) => {
    if (typeof value !== 'object' || value === null) return value;
    const source = value as Record<string, unknown>;
    const copy: Record<string, unknown> = {};
    for (const [name, pick] of fields) {
      const field = source[name];
      if (field !== undefined) copy[name] = pick ? pick(field) : field;
    }
    return copy;
  };
}

function unionPicker(members: SchemaNode[]): Pick | null {
  const objects = members.flatMap((member) => {
    const pick = picker(member);
    return pick ? [{ constants: constantsOf(member), pick }] : [];
  });
  if (objects.length === 0) return null;
  return (value) => {
    if (typeof value !== 'object' || value === null) return value;
    const fields = value as Record<string, unknown>;
    const member = objects.find(({ constants }) =>
      constants.every(([name, constant]) => fields[name] === constant),
    );
    return member ? member.pick(value) : value;
  };
}

function constantsOf(schema: SchemaNode): [string, unknown][] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
    property.const === undefined ? [] : [[name, property.const] as [string, unknown]],
  );
}
