/** Writes the reference of all fields of a merchant's file as Markdown, from the JSON Schema of the file. */
import type { JsonSchema } from '#cli/json-file.ts';
import { localeCodes } from '#contract/locales.ts';

interface Section {
  /** The way to it: `products[].skus[]`. */
  path: string;
  schema: JsonSchema;
}

export function fieldReference(file: JsonSchema): string {
  return sectionsOf({ path: '', schema: file })
    .map(({ path, schema }) =>
      [path === '' ? '## The file' : `## ${titleOf(path, schema)}`, '', ...table(schema)].join('\n'),
    )
    .join('\n\n');
}

/** A member of a list of variants, such as a block, is named by its type. */
function titleOf(path: string, { properties = {} }: JsonSchema): string {
  const type = properties.type?.const;
  return type === undefined ? `\`${path}\`` : `\`${path}\` of type \`${type}\``;
}

/** The section of a schema, and those of the objects in it. */
function sectionsOf({ path, schema }: Section): Section[] {
  const { properties, items, anyOf, patternProperties } = schema as JsonSchema & {
    properties?: Record<string, JsonSchema>;
    patternProperties?: Record<string, JsonSchema>;
    items?: JsonSchema;
    anyOf?: JsonSchema[];
  };
  if (isText(schema)) return [];
  const inside = [
    ...Object.entries(properties ?? {}).map(([name, field]) => ({
      path: path ? `${path}.${name}` : name,
      schema: field,
    })),
    ...(items ? [{ path: `${path}[]`, schema: items }] : []),
    ...(anyOf ?? []).map((member) => ({ path, schema: member })),
    ...Object.values(patternProperties ?? {}).map((value) => ({ path: `${path}.*`, schema: value })),
  ];
  return [...(properties ? [{ path, schema }] : []), ...inside.flatMap(sectionsOf)];
}

function table({ properties = {}, required = [] }: JsonSchema): string[] {
  const rows = Object.entries(properties).map(([name, field]) => {
    const isType = field.const !== undefined;
    const value = isType ? `\`${JSON.stringify(field.const)}\`` : allowedValue(field);
    const meaning = field.description ?? (isType ? 'What the object is.' : '');
    return `| \`${name}\` | ${value} | ${defaultOf(field, required.includes(name))} | ${cell(meaning)} |`;
  });
  return ['| Field | Value | If left out | Meaning |', '|---|---|---|---|', ...rows];
}

function defaultOf(field: { default?: unknown }, isRequired: boolean): string {
  if (field.default !== undefined) return `\`${JSON.stringify(field.default)}\``;
  return isRequired ? 'required' : '–';
}

function allowedValue(schema: JsonSchema): string {
  const { type, anyOf, items, patternProperties } = schema;
  if (isText(schema)) {
    const [text] = Object.values(schema.properties ?? {});
    return `${text?.type === 'array' ? 'list of texts' : 'text'} by language`;
  }
  if (anyOf?.every((member) => member.properties?.type?.const !== undefined))
    return 'object of one of the types';
  if (anyOf)
    return [...new Set(anyOf.map((member) => (member.type === 'null' ? 'null' : allowedValue(member))))].join(
      ' or ',
    );
  if (schema.enum)
    return schema.enum.length > 20
      ? cell(schema.errorMessage ?? 'text').replace('must be ', '')
      : listed(schema.enum);
  if (type === 'array')
    return `list${sized(schema.minItems, schema.maxItems)}: ${items ? allowedValue(items) : 'anything'}`;
  if (patternProperties)
    return `object by name: ${Object.values(patternProperties).map(allowedValue).join(' or ')}`;
  if (type === 'integer' || type === 'number')
    return `${type === 'integer' ? 'whole number' : 'number'}${limits(schema.minimum, schema.maximum)}`;
  if (type === 'boolean') return '`true` or `false`';
  if (type === 'string') return `text${sized(schema.minLength, schema.maxLength, ' characters')}`;
  return 'object';
}

function listed(values: readonly unknown[]): string {
  return values.map((value) => `\`${JSON.stringify(value)}\``).join(', ');
}

function limits(from: number | undefined, to: number | undefined): string {
  if (from === undefined && to === undefined) return '';
  if (to === undefined) return `, ${from} or more`;
  return from === undefined ? `, at most ${to}` : `, ${from}–${to}`;
}

/** The size of a list or a text, if it is limited: ` of 1–40 characters`. */
function sized(from: number | undefined, to: number | undefined, unit = ''): string {
  const span = limits(from || undefined, to).replace(/^, /, '');
  return span === '' ? '' : ` of ${span}${unit}`;
}

function isText({ properties }: JsonSchema): boolean {
  const names = Object.keys(properties ?? {});
  return names.length > 0 && names.every((name) => (localeCodes as string[]).includes(name));
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}
