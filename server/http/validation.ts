/** Judging requests by the contract's schemas, and saying field by field what is wrong with them. */
import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import type { TLocalizedValidationError } from 'typebox/error';
import type { FieldErrors } from '#contract/errors.ts';
import { validationError } from '#server/platform/errors.ts';

export type RequestPart = 'params' | 'query' | 'body';

/** Returns what it was given, typed, or refuses it naming every bad field. */
export type Validator<S extends TSchema> = (value: unknown) => Static<S>;

/**
 * Compiles a schema for one part of requests. Path and query carry text only, so numbers and booleans
 * are read from it; in a body `"1"` is not a number.
 */
export function createValidator<S extends TSchema>(schema: S, part: RequestPart): Validator<S> {
  const validator = Compile(schema);
  const read = part === 'body' ? (value: unknown) => value : textReader(schema);
  const optional = '~optional' in schema;
  return (value) => {
    if (optional && (value === undefined || value === null)) return undefined as Static<S>;
    const candidate = read(value);
    if (validator.Check(candidate)) {
      const unprintable = findControlCharacter(candidate, '');
      if (unprintable === null) return candidate as Static<S>;
      throw validationError({ [fieldName(unprintable) || part]: 'field.invalid' });
    }
    throw validationError(fieldErrors(validator.Errors(candidate), part));
  };
}

/**
 * Control characters (C0 and C1) but tab and line ends, and those that turn the direction of text around. No
 * text needs them, PostgreSQL cannot keep all, terminals obey some, and the last make a name read as another.
 */
const controlCharacter = /(?![\t\n\r])[\p{Cc}\p{Bidi_Control}]/u;

/** The path of the first text with a control character; null where there is none. */
function findControlCharacter(value: unknown, path: string): string | null {
  // A lone surrogate is half a character: neither UTF-8 nor a database can hold it.
  if (typeof value === 'string') return controlCharacter.test(value) || !value.isWellFormed() ? path : null;
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, inner] of Object.entries(value)) {
    const found = findControlCharacter(inner, `${path}/${key}`);
    if (found !== null) return found;
  }
  return null;
}

/** Reads numbers and booleans out of the texts of a query; what is neither stays text and is refused later. */
function textReader(schema: TSchema): (value: unknown) => unknown {
  const properties = 'properties' in schema ? (schema.properties as Record<string, { type?: string }>) : {};
  const readers = Object.entries(properties).flatMap(([name, { type }]) => {
    const read = type ? readText[type] : undefined;
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

const readText: Record<string, ((text: string) => unknown) | undefined> = {
  integer: (text) => (/^-?\d{1,15}$/.test(text) ? Number(text) : text),
  number: (text) => (/^-?\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : text),
  boolean: (text) => ({ true: true, '1': true, false: false, '0': false })[text] ?? text,
};

/** One message a field; the first one found stands. The whole part, where it is not even an object, goes by its name. */
function fieldErrors(errors: TLocalizedValidationError[], part: RequestPart): FieldErrors {
  const found = new Map<string, FieldErrors[string]>();
  const add = (path: string, error: FieldErrors[string]) => {
    const field = fieldName(path) || part;
    if (!found.has(field)) found.set(field, error);
  };
  for (const error of errors) {
    switch (error.keyword) {
      case 'required':
        for (const name of error.params.requiredProperties) add(`${error.instancePath}/${name}`, 'field.required');
        break;
      case 'additionalProperties':
        for (const name of error.params.additionalProperties) add(`${error.instancePath}/${name}`, 'field.unknown');
        break;
      case 'boolean':
        // How a schema that allows no further fields reports each of them.
        add(error.instancePath, 'field.unknown');
        break;
      case 'minimum':
        add(error.instancePath, { key: 'field.tooSmall', values: { limit: Number(error.params.limit) } });
        break;
      case 'maximum':
        add(error.instancePath, { key: 'field.tooLarge', values: { limit: Number(error.params.limit) } });
        break;
      case 'minLength':
        add(error.instancePath, { key: 'field.tooShort.other', values: { count: error.params.limit } });
        break;
      case 'maxLength':
        add(error.instancePath, { key: 'field.tooLong.other', values: { count: error.params.limit } });
        break;
      case 'enum':
        add(error.instancePath, 'field.choice');
        break;
      case 'type':
        add(error.instancePath, /number|integer/.test(String(error.params.type)) ? 'field.number' : 'field.invalid');
        break;
      default:
        add(error.instancePath, 'field.invalid');
    }
  }
  // A prototype's name stays a plain field.
  return Object.assign(Object.create(null), Object.fromEntries(found));
}

/** `/contact/email` as `contact.email`; a caller's field names come back no longer than 100 characters. */
function fieldName(path: string): string {
  return path.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~').slice(0, 100);
}
