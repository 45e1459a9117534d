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
const ownKeywords: ReadonlySet<string> = new Set(['problem', 'unit', 'inLanguages', 'named', 'form']);

/** As JSON Schema, with units in the descriptions. */
function printed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(printed);
  if (typeof value !== 'object' || value === null) return value;
  const { unit, description, ...rest } = value as Json;
  const known = typeof unit === 'string' && Object.hasOwn(unitTexts, unit) ? unitTexts[unit as Unit] : '';
  const text = [typeof description === 'string' ? description : '', known].filter(Boolean).join(' ');
  const parts = Object.entries(rest)
    .filter(([key]) => !ownKeywords.has(key))
    .map(([key, part]) => [
      key,
      key === 'enum' || key === 'const' || key === 'default' ? part : printed(part),
    ]);
  return {
    ...(typeof description === 'object'
      ? { description: printed(description) }
      : text
        ? { description: text }
        : {}),
    // Clients ask for the type of an enum, which is left out.
    ...('enum' in rest && !('type' in rest) ? { type: 'string' } : {}),
    ...Object.fromEntries(parts),
  };
}

const propertiesOf = (schema: TSchema | undefined): Json =>
  schema && 'properties' in schema ? (schema.properties as Json) : {};
const requiredOf = (schema: TSchema | undefined): string[] =>
  schema && 'required' in schema ? (schema.required as string[]) : [];

function toolOf(name: StaffEndpointName): Tool | null {
  const endpoint: StaffEndpoint = staffEndpoints[name];
  const { needs, keys, tool, response, params, query } = endpoint;
  const isFile = !('type' in response) && !('anyOf' in response);
  const isForKeys =
    needs === 'anybody'
      ? keys === 'too'
      : needs !== 'nobody' && keyPermissions.includes(needs) && keys !== 'never';
  if (!isForKeys || tool === false || isFile) return null;
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

/** As `tools/list` names it. */
export function listed({ name, endpoint, changes, params, query }: Tool): Json {
  const { summary, body } = endpoint;
  const properties = {
    ...(printed(propertiesOf(endpoint.params)) as Json),
    ...(printed(propertiesOf(endpoint.query)) as Json),
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
