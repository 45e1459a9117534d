import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { Settings } from 'typebox/system';
import Value from 'typebox/value';
import { inLocale, type LocalText, mainLocale } from '#contract/locales.ts';
import { listed, type Problem, type ProblemKey, problem, shown, type Unit } from '#contract/problems.ts';
import type { FieldForm } from '#contract/schemas/common.ts';
import type { MessageValues } from '#contract/translate.ts';

export interface SchemaNode {
  type?: string;
  const?: unknown;
  enum?: readonly unknown[];
  anyOf?: readonly SchemaNode[];
  items?: SchemaNode;
  required?: readonly string[];
  /** An import needs it in the default language. */
  inLanguages?: boolean;
  /** A text in several languages, too, of which none has to be there. */
  inSomeLanguages?: boolean;
  /** What is shown of it in the shop's language is more than blanks. */
  named?: boolean;
  properties?: Readonly<Record<string, SchemaNode>>;
  patternProperties?: Readonly<Record<string, SchemaNode>>;
  additionalProperties?: false;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  minProperties?: number;
  /** Of a text: `text/html`. */
  contentMediaType?: string;
  pattern?: string;
  default?: unknown;
  description?: string;
  /** What the field allows, instead of what its other keywords say. */
  problem?: ProblemKey;
  /** What is kept; forms speak of what people write. */
  unit?: Unit;
  /** How the office shows the field. */
  form?: FieldForm;
}

export function mapSchema(node: SchemaNode, change: (node: SchemaNode) => SchemaNode): SchemaNode {
  const { anyOf, items, properties, patternProperties, required, additionalProperties, ...keywords } =
    change(node);
  const inner = (part: SchemaNode) => mapSchema(part, change);
  const each = (parts: Readonly<Record<string, SchemaNode>>) =>
    Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, inner(part)]));
  return {
    ...keywords,
    ...(anyOf ? { anyOf: anyOf.map(inner) } : {}),
    ...(items ? { items: inner(items) } : {}),
    ...(properties ? { properties: each(properties) } : {}),
    ...(patternProperties ? { patternProperties: each(patternProperties) } : {}),
    ...(required ? { required } : {}),
    ...(additionalProperties === false ? { additionalProperties } : {}),
  };
}

const closedNode = (node: SchemaNode): SchemaNode =>
  node.properties || node.patternProperties ? { ...node, additionalProperties: false } : node;

/** Which a value with a field that the schema does not name does not fit. */
const closedSchema = (schema: TSchema) => mapSchema(schema as SchemaNode, closedNode) as TSchema;

const closedValidators = new WeakMap<TSchema, ReturnType<typeof Compile>>();

/**
 * The value without fields that the schema does not name; it is changed, if it has any. Most have none, and removing them takes a
 * hundred times as long as seeing that.
 */
export function knownFields(schema: TSchema, value: unknown): unknown {
  const closed = closedValidators.get(schema) ?? Compile(closedSchema(schema));
  closedValidators.set(schema, closed);
  return closed.Check(value) ? value : Value.Clean(schema, value);
}

interface WholeSchema {
  whole: SchemaNode;
  validator: ReturnType<typeof Compile>;
}

const wholeSchemas = new WeakMap<TSchema, Map<string, WholeSchema>>();

/** The schema with what `schemaProblems` asks for besides, compiled once: listing errors takes far longer than seeing that there are none. */
function wholeSchema(schema: TSchema, closed: boolean): WholeSchema {
  const main = mainLocale();
  const known = wholeSchemas.get(schema) ?? new Map<string, WholeSchema>();
  wholeSchemas.set(schema, known);
  const key = closed ? main : '';
  const found = known.get(key);
  if (found) return found;
  const whole = mapSchema(schema as SchemaNode, (node) => ({
    ...(closed || node.patternProperties ? closedNode(node) : node),
    ...(node.inLanguages && closed ? { required: [main], minProperties: 0 } : {}),
  }));
  const made = { whole, validator: Compile(whole as TSchema) };
  known.set(key, made);
  return made;
}

/** One problem for each place. `closed`: a field that the schema does not name is a problem. */
export function schemaProblems(schema: TSchema, value: unknown, { closed = true } = {}): Problem[] {
  const { whole, validator } = wholeSchema(schema, closed);
  const errors = validator.Check(value) ? [] : errorsOf(whole, value);
  const places = new Map<string, Problem>();
  const unnamed = unnamedIn(whole, value, '').map((pointer) =>
    problem([...namedPath(value, pointer), mainLocale()], 'problem.required'),
  );
  for (const each of [...errors.flatMap((error) => problemsOf(error, whole, value)), ...unnamed]) {
    const place = each.path.join('/');
    if (!places.has(place)) places.set(place, each);
  }
  return [...places.values()];
}

/** Whether a name shows anything where the shop's own language is read. */
export function isNamed(name: LocalText): boolean {
  return inLocale(name, mainLocale()).trim() !== '';
}

/** Where names are blank. What is no text at all is an error of the schema. */
function unnamedIn(node: SchemaNode, value: unknown, pointer: string): string[] {
  if (typeof value !== 'object' || value === null) return [];
  if (node.named) {
    const texts: unknown[] = Object.values(value);
    const isText = texts.length > 0 && texts.every((text) => typeof text === 'string');
    return isText && !isNamed(value) ? [pointer] : [];
  }
  const { properties = {}, patternProperties = {}, items, anyOf = [] } = node;
  const [others] = Object.values(patternProperties);
  return [
    ...anyOf.flatMap((member) => unnamedIn(member, value, pointer)),
    ...Object.entries(value).flatMap(([key, inner]) => {
      const part = Array.isArray(value) ? items : (properties[key] ?? others);
      return part
        ? unnamedIn(part, inner, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`)
        : [];
    }),
  ];
}

type SchemaError = ReturnType<typeof Value.Errors>[number];

function errorsOf(schema: SchemaNode, value: unknown): SchemaError[] {
  const { maxErrors } = Settings.Get();
  Settings.Set({ maxErrors: Number.MAX_SAFE_INTEGER });
  const errors = Value.Errors(schema as TSchema, value);
  Settings.Set({ maxErrors });
  const kept: SchemaError[] = [];
  for (const error of errors) {
    if (error.keyword !== 'anyOf') {
      kept.push(error);
      continue;
    }
    // The errors of the members stand right before that of their union.
    const inside = (each: SchemaError) =>
      each.schemaPath.startsWith(`${error.schemaPath}/anyOf/`) &&
      `${each.instancePath}/`.startsWith(`${error.instancePath}/`);
    const members = kept.splice(kept.findLastIndex((each) => !inside(each)) + 1);
    const meant = meantMember(
      nodeAt(schema, error.schemaPath)?.anyOf ?? [],
      fieldOf(valueAt(value, error.instancePath), 'type'),
    );
    const prefix = `${error.schemaPath}/anyOf/${meant}`;
    kept.push(
      ...(meant < 0
        ? [error]
        : members.filter(({ schemaPath }) => `${schemaPath}/`.startsWith(`${prefix}/`))),
    );
  }
  return kept;
}

/** Of that type, or the only one that is not null; -1 if there is none. */
function meantMember(members: readonly SchemaNode[], type: unknown): number {
  const others = members.filter((member) => member.type !== 'null');
  return members.findIndex((member) =>
    others.length === 1
      ? member === others[0]
      : type !== undefined && member.properties?.type?.const === type,
  );
}

function problemsOf(error: SchemaError, schema: SchemaNode, whole: unknown): Problem[] {
  const path = namedPath(whole, error.instancePath);
  const node = nodeAt(schema, error.schemaPath) ?? {};
  if (error.keyword === 'required')
    return error.params.requiredProperties.map((name) => problem([...path, name], 'problem.required'));
  if (error.keyword === 'additionalProperties')
    return error.params.additionalProperties.map((name) => unknownField([...path, name], name, node));
  // The error of the object that the field is in names it.
  if (error.keyword === 'boolean') return [];
  const value = valueAt(whole, error.instancePath);
  const types =
    node.anyOf?.map((member) => member.properties?.type?.const).filter((type) => type !== undefined) ?? [];
  if (types.length > 0 && typeof value === 'object' && value !== null) {
    const type = fieldOf(value, 'type');
    const at = [...path, 'type'];
    return [type === undefined ? problem(at, 'problem.required') : notOneOf(at, types, type)];
  }
  const typed = typedInto(node, value);
  if (node.problem) return [{ ...problem(path, node.problem, { found: shown(value) }), ...typed }];
  if (types.length > 0) return [problem(path, 'problem.type.object', { found: shown(value) })];
  if (node.const !== undefined || node.enum) return [notOneOf(path, node.enum ?? [node.const], value)];
  const [key, values] = keywordOf(error, schema, node);
  return [{ ...problem(path, key, { ...values, found: shown(value) }), ...typed }];
}

/** What a form has to say of the value of a field. */
function typedInto(node: SchemaNode, value: unknown): Pick<Problem, 'unit' | 'value'> {
  return {
    ...(node.unit && { unit: node.unit }),
    ...(typeof value === 'string' || typeof value === 'number' ? { value } : {}),
  };
}

function keywordOf(
  { keyword, schemaPath }: SchemaError,
  schema: SchemaNode,
  node: SchemaNode,
): [ProblemKey, MessageValues] {
  switch (keyword) {
    case 'type': {
      const union = nodeAt(schema, schemaPath.replace(/\/anyOf\/\d+$/, ''));
      const orNull = union?.anyOf?.some(({ type }) => type === 'null') ? '.orNull' : '';
      return [`problem.type.${node.type}${orNull}` as ProblemKey, {}];
    }
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'minLength':
    case 'maxLength':
    case 'minItems':
    case 'maxItems':
      return [`problem.${keyword}`, { limit: Number((node as Record<string, unknown>)[keyword]) }];
    case 'pattern':
      return ['problem.pattern', { pattern: node.pattern ?? '' }];
    case 'minProperties':
      return ['problem.empty', {}];
    default:
      return ['problem.invalid', {}];
  }
}

function notOneOf(path: readonly string[], options: readonly unknown[], value: unknown): Problem {
  return problem(path, 'problem.oneOf', { options: listed(options), found: shown(value) });
}

/** All fields if none is similar. */
function unknownField(
  path: readonly string[],
  name: string,
  { properties, patternProperties }: SchemaNode,
): Problem {
  if (patternProperties)
    return problem(path, 'problem.name', { pattern: Object.keys(patternProperties).join(' ') });
  const known = Object.keys(properties ?? {});
  // Short names, such as languages, are similar by chance.
  const similar =
    name.length < 4 ? undefined : known.find((each) => isSimilar(each.toLowerCase(), name.toLowerCase()));
  return problem(
    path,
    'problem.unknownField',
    similar === undefined ? { allowed: known.join(', ') } : { similar },
  );
}

/** Whether one text becomes the other by adding, leaving out or changing one character, or by swapping two neighbours. */
function isSimilar(a: string, b: string): boolean {
  if (a === b) return true;
  let start = 0;
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) start += 1;
  const [restA, restB] = [a.slice(start), b.slice(start)];
  const swapped = restA[0] === restB[1] && restA[1] === restB[0] && restA.slice(2) === restB.slice(2);
  return swapped || restA.slice(1) === restB || restA === restB.slice(1) || restA.slice(1) === restB.slice(1);
}

/** Undefined if the entry has none that could be part of a path. */
export function nameOf(entry: unknown): string | undefined {
  const names = ['id', 'name', 'link', 'sku'].map((field) => fieldOf(entry, field));
  return names.find((name): name is string => typeof name === 'string' && /^[\p{L}\p{N}._-]+$/u.test(name));
}

export function fieldOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
}

function partsOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function valueAt(value: unknown, pointer: string): unknown {
  return partsOf(pointer).reduce(fieldOf, value);
}

export function nodeAt(schema: SchemaNode | TSchema, schemaPath: string): SchemaNode | undefined {
  return valueAt(schema, schemaPath.replace(/^#/, '')) as SchemaNode | undefined;
}

/** With the names of entries instead of their positions. */
function namedPath(value: unknown, pointer: string): string[] {
  let at = value;
  return partsOf(pointer).map((part) => {
    const isEntry = Array.isArray(at);
    at = fieldOf(at, part);
    return (isEntry ? nameOf(at) : undefined) ?? part;
  });
}
