/** Says what is wrong with a value by its schema, in words for the merchant who wrote it. */

import type { TSchema } from 'typebox';
import Value from 'typebox/value';
import { mainLocale } from '#contract/locales.ts';

export interface SchemaProblem {
  /** Field names and list positions that lead to the place, from the outside in. Empty for the value itself. */
  path: readonly string[];
  /** What is allowed and what was found, such as `must be a whole number, found 12.5`. */
  message: string;
}

export interface SchemaProblemOptions {
  /** Whether a field that the schema does not name is a problem. The default is true. */
  closed?: boolean;
}

/** The keywords of JSON Schema that the project's schemas use. */
export interface SchemaNode {
  type?: string;
  const?: unknown;
  enum?: readonly unknown[];
  anyOf?: readonly SchemaNode[];
  items?: SchemaNode;
  required?: readonly string[];
  /** A value in the shop's languages: an import needs it in the default one. */
  inLanguages?: boolean;
  properties?: Readonly<Record<string, SchemaNode>>;
  patternProperties?: Readonly<Record<string, SchemaNode>>;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  pattern?: string;
  default?: unknown;
  description?: string;
  /** What the field allows, as a sentence that follows its name: `must be an email address`. Editors show it, too. */
  errorMessage?: string;
}

/** Lists what is wrong with `value`, each problem with its place; empty if the value is valid. */
export function schemaProblems(schema: TSchema, value: unknown, options: SchemaProblemOptions = {}): SchemaProblem[] {
  return problemsAt(schema as SchemaNode, value, [], options);
}

/** A problem as one line: `/priceCents must be a whole number, found 12.5`. */
export function problemLine({ path, message }: SchemaProblem): string {
  return path.length === 0 ? message : `/${path.join('/')} ${message}`;
}

type Path = readonly string[];

function problemsAt(node: SchemaNode, value: unknown, path: Path, options: SchemaProblemOptions): SchemaProblem[] {
  const inner = problemsInside(node, value, path, options);
  if (inner.length > 0 || Value.Check(node as TSchema, value)) return inner;
  return [{ path, message: `${allowed(node)}, found ${shown(value)}` }];
}

/** Problems of the parts of a value; none if the value is of the wrong type as a whole. */
function problemsInside(node: SchemaNode, value: unknown, path: Path, options: SchemaProblemOptions): SchemaProblem[] {
  if (node.anyOf) return problemsOfUnion(node.anyOf, value, path, options);
  if (Array.isArray(value)) {
    const { items } = node;
    return items ? value.flatMap((item, index) => problemsAt(items, item, [...path, String(index)], options)) : [];
  }
  if (!isObject(value)) return [];
  if (node.patternProperties) return problemsOfRecord(node.patternProperties, value, path, options);
  return node.properties ? problemsOfFields(node, value, path, options) : [];
}

function problemsOfFields(
  node: SchemaNode,
  value: Record<string, unknown>,
  path: Path,
  options: SchemaProblemOptions,
): SchemaProblem[] {
  const { properties = {} } = node;
  const isImport = options.closed ?? true;
  const required = node.inLanguages && isImport ? [mainLocale()] : (node.required ?? []);
  const missing = required
    .filter((name) => value[name] === undefined)
    .map((name) => ({ path: [...path, name], message: 'is missing' }));
  const given = Object.entries(value).flatMap(([name, part]) => {
    const at = [...path, name];
    const field = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (field) return part === undefined ? [] : problemsAt(field, part, at, options);
    return isImport ? [{ path: at, message: `is an unknown field${suggestion(name, Object.keys(properties))}` }] : [];
  });
  return [...missing, ...given];
}

function problemsOfRecord(
  patterns: Readonly<Record<string, SchemaNode>>,
  value: Record<string, unknown>,
  path: Path,
  options: SchemaProblemOptions,
): SchemaProblem[] {
  const [[pattern, schema] = []] = Object.entries(patterns);
  if (pattern === undefined || !schema) return [];
  const name = new RegExp(pattern, 'u');
  return Object.entries(value).flatMap(([key, part]) =>
    name.test(key)
      ? problemsAt(schema, part, [...path, key], options)
      : [{ path: [...path, key], message: `is not a valid name: it must match ${pattern}` }],
  );
}

/** Names the problems of the member that the value was meant to be: the one of its `type`, or the only one that is not null. */
function problemsOfUnion(
  members: readonly SchemaNode[],
  value: unknown,
  path: Path,
  options: SchemaProblemOptions,
): SchemaProblem[] {
  const isNullable = members.some(({ type }) => type === 'null');
  if (value === null && isNullable) return [];
  const [first, ...others] = members.filter(({ type }) => type !== 'null');
  if (first && others.length === 0) {
    const problems = problemsAt(first, value, path, options);
    // At the value itself, null would have been accepted as well.
    return problems.map((problem) =>
      isNullable && problem.path.length === path.length && first.errorMessage === undefined
        ? { path, message: `${allowed(first)} or null, found ${shown(value)}` }
        : problem,
    );
  }
  const types = members.flatMap((member) => member.properties?.type?.const ?? []);
  if (types.length !== members.length || !isObject(value)) return [];
  const meant = members.find((member) => member.properties?.type?.const === value.type);
  if (meant) return problemsAt(meant, value, path, options);
  const message = value.type === undefined ? 'is missing' : `must be ${listed(types)}, found ${shown(value.type)}`;
  return [{ path: [...path, 'type'], message }];
}

/** What a schema allows: `must be text of at most 40 characters`. */
function allowed(node: SchemaNode): string {
  if (node.errorMessage !== undefined) return node.errorMessage;
  if (node.const !== undefined) return `must be ${JSON.stringify(node.const)}`;
  if (node.enum) return `must be ${listed(node.enum)}`;
  if (node.anyOf) return `must be ${node.anyOf.map((member) => allowed(member).replace(/^must be /, '')).join(' or ')}`;
  switch (node.type) {
    case 'string':
      return `must be text${textLimits(node)}`;
    case 'integer':
      return `must be a whole number${range(node.minimum, node.maximum)}`;
    case 'number':
      return `must be a number${range(node.minimum, node.maximum)}`;
    case 'boolean':
      return 'must be true or false';
    case 'array':
      return `must be a list${counted(node, 'entries')}`;
    case 'null':
      return 'must be null';
    default:
      return 'must be an object';
  }
}

function textLimits({ minLength, maxLength, pattern }: SchemaNode): string {
  const length = minLength || maxLength !== undefined ? ` of ${spanned(minLength || undefined, maxLength)} characters` : '';
  return pattern === undefined ? length : `${length} that matches ${pattern}`;
}

function counted({ minItems, maxItems }: SchemaNode, unit: string): string {
  return minItems === undefined && maxItems === undefined ? '' : ` of ${spanned(minItems, maxItems)} ${unit}`;
}

function range(minimum: number | undefined, maximum: number | undefined): string {
  if (minimum === undefined && maximum === undefined) return '';
  return minimum !== undefined && maximum !== undefined ? ` from ${minimum} to ${maximum}` : `, ${spanned(minimum, maximum)}`;
}

function spanned(from: number | undefined, to: number | undefined): string {
  if (from === undefined) return `at most ${to}`;
  return to === undefined ? `at least ${from}` : `${from} to ${to}`;
}

/** `"a", "b" or "c"`. */
function listed(values: readonly unknown[]): string {
  const texts = values.map((value) => JSON.stringify(value));
  return texts.length < 2 ? texts.join('') : `${texts.slice(0, -1).join(', ')} or ${texts.at(-1)}`;
}

/** The longest value that a problem repeats, in characters. */
const longestShown = 60;

/** The value as JSON, shortened. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > longestShown ? `${text.slice(0, longestShown)}…` : text;
}

/** The field that a misspelt name was probably meant to be; all fields if none is similar. */
function suggestion(name: string, known: readonly string[]): string {
  // Short names, such as languages, are similar by chance.
  const near = name.length < 4 ? undefined : known.find((each) => isSimilar(each.toLowerCase(), name.toLowerCase()));
  if (near !== undefined) return `. Did you mean ${near}?`;
  return known.length === 0 ? '' : `, allowed: ${known.join(', ')}`;
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

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
