/** The calls of the office as tools of an agent: made from the table of calls, so that a new call is one by itself. */
import type { TSchema } from 'typebox';
import type { Unit } from '#contract/problems.ts';
import { changesOf, type StaffEndpoint } from '#contract/staff/endpoint.ts';
import { type StaffEndpointName, staffEndpoints } from '#contract/staff/endpoints.ts';
import { keyPermissions, type Permission } from '#contract/staff/permissions.ts';

type Json = Record<string, unknown>;

export interface Tool {
  name: StaffEndpointName;
  endpoint: StaffEndpoint;
  /** Whether it changes something. */
  changes: boolean;
  /** Names of its arguments, by where they go. */
  params: readonly string[];
  query: readonly string[];
}

/** Beside the arguments of a call. */
export const tokenArgument = 'token';

const unitTexts: Readonly<Record<Unit, string>> = {
  cents: 'In the smallest unit of the currency by ISO 4217: 1850 is 18.50 dollars, or 1850 yen.',
  basisPoints: 'In hundredths of a percent: 1250 is 12.5 %.',
  milliPercent: 'In thousandths of a percent: 13000 is 13 %.',
  epochMs: 'Milliseconds since 1970-01-01T00:00Z.',
};

/** Keywords of the contract's schemas that are no JSON Schema. */
const ownKeywords: ReadonlySet<string> = new Set([
  'problem',
  'unit',
  'inLanguages',
  'inSomeLanguages',
  'named',
  'form',
]);
/** Their value is not a schema, nor a list of them. */
const plainKeywords: ReadonlySet<string> = new Set(['enum', 'const', 'default', 'required', 'description']);
/** Their value has schemas by the names of fields. */
const mapKeywords: ReadonlySet<string> = new Set(['properties', 'patternProperties']);

/** A schema, or a list of them, as JSON Schema, with units in the descriptions. */
export function printed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(printed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { unit, description, ...rest } = schema as Json;
  const known = typeof unit === 'string' && Object.hasOwn(unitTexts, unit) ? unitTexts[unit as Unit] : '';
  const text = [typeof description === 'string' ? description : '', known].filter(Boolean).join(' ');
  const parts = Object.entries(rest)
    .filter(([key]) => !ownKeywords.has(key))
    .map(([key, part]) => [
      key,
      plainKeywords.has(key) ? part : mapKeywords.has(key) ? printedFields(part as Json) : printed(part),
    ]);
  return {
    ...(text ? { description: text } : {}),
    // Clients ask for the type of an enum, which is left out.
    ...('enum' in rest && !('type' in rest) ? { type: typeOf(rest.enum) } : {}),
    ...Object.fromEntries(parts),
  };
}

/** Fields by their names, which may be those of keywords. */
export const printedFields = (fields: Json): Json =>
  Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, printed(schema)]));

const typeOf = (values: unknown): string =>
  (values as unknown[]).every((each) => typeof each === 'number') ? 'integer' : 'string';

export const propertiesOf = (schema: TSchema | undefined): Json =>
  schema && 'properties' in schema ? (schema.properties as Json) : {};
export const requiredOf = (schema: TSchema | undefined): string[] =>
  schema && 'required' in schema ? (schema.required as string[]) : [];

/** Whether a key can make a call, with the permission that it needs. */
export const isForKeys = ({ needs, keys }: StaffEndpoint): boolean =>
  needs === 'anybody'
    ? keys === 'too'
    : needs !== 'nobody' && keyPermissions.includes(needs) && keys !== 'never';

function toolOf(name: StaffEndpointName): Tool | null {
  const endpoint: StaffEndpoint = staffEndpoints[name];
  const { tool, response, params, query } = endpoint;
  const isFile = !('type' in response) && !('anyOf' in response);
  if (!isForKeys(endpoint) || tool === false || isFile) return null;
  return {
    name,
    endpoint,
    changes: changesOf(endpoint),
    params: Object.keys(propertiesOf(params)),
    query: [...new Set([...Object.keys(propertiesOf(query)), 'lang'])],
  };
}

const all: readonly Tool[] = (Object.keys(staffEndpoints) as StaffEndpointName[]).flatMap(
  (name) => toolOf(name) ?? [],
);

/** Those of a key. */
export const toolsFor = (may: ReadonlySet<Permission>): Tool[] =>
  all.filter(({ endpoint: { needs } }) => needs === 'anybody' || needs === 'nobody' || may.has(needs));

const lang = { type: 'string', description: 'The language of texts in the answer: en or zh.' };
export const tokenSchema = {
  type: 'string',
  description: 'Of the trial: left out, nothing changes, and the answer says what would, with a token.',
};

const lists = new Map<StaffEndpointName, Json>();

/** As `tools/list` names it: the same each time. */
export function listed(tool: Tool): Json {
  const known = lists.get(tool.name) ?? listOf(tool);
  lists.set(tool.name, known);
  return known;
}

function listOf({ name, endpoint, changes, params, query }: Tool): Json {
  const { summary, body } = endpoint;
  const properties = {
    ...printedFields(propertiesOf(endpoint.params)),
    ...printedFields(propertiesOf(endpoint.query)),
    lang,
    ...(body ? { body: printed(body) } : {}),
    ...(changes ? { [tokenArgument]: tokenSchema } : {}),
  };
  const required = [
    ...params,
    ...requiredOf(endpoint.query).filter((each) => query.includes(each)),
    ...(body ? ['body'] : []),
  ];
  return {
    name,
    description: changes ? `${summary} A change: try it first, then send it again with the token.` : summary,
    inputSchema: { type: 'object', properties, required, additionalProperties: false },
    annotations: { readOnlyHint: !changes, destructiveHint: changes, openWorldHint: false },
  };
}
