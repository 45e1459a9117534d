import type { FastifyInstance } from 'fastify';
import type { TSchema } from 'typebox';
import { type Endpoint, needsCustomer, refusalStatuses } from '#contract/endpoint.ts';
import { errorTypes, statusOf } from '#contract/errors.ts';
import { apiBase, clientToken, clientTokenHeader } from '#contract/limits.ts';
import * as account from '#contract/schemas/account.ts';
import * as blocks from '#contract/schemas/blocks.ts';
import * as blog from '#contract/schemas/blog.ts';
import * as catalogue from '#contract/schemas/catalogue.ts';
import * as checkout from '#contract/schemas/checkout.ts';
import * as common from '#contract/schemas/common.ts';
import { ErrorBody } from '#contract/schemas/common.ts';
import * as feeds from '#contract/schemas/feeds.ts';
import * as modifiers from '#contract/schemas/modifiers.ts';
import * as order from '#contract/schemas/order.ts';
import * as orderPayment from '#contract/schemas/order.ts';
import * as payment from '#contract/schemas/payment.ts';
import * as paymentConfig from '#contract/schemas/shop.ts';
import * as shop from '#contract/schemas/shop.ts';
import { endpoints } from '#contract/shop/endpoints.ts';
import { type EndpointName, methodAndPath } from '#contract/shop/paths.ts';
import { providerSchemas } from '#contract/shop/payment.ts';
import { example, groupTexts, isOptional, parameterText } from './schema-text.ts';
import { securePrefix, sessionCookie } from './session-cookie.ts';

/** Keywords that the imports of merchants' files and the forms of the office read; OpenAPI has none of them. */
const ofImports: ReadonlySet<string> = new Set(['problem', 'unit', 'inLanguages', 'named', 'form']);

/** Primitive types that have a meaning of their own; other strings and numbers stay where they are used. */
const primitives: readonly unknown[] = [common.Cents, common.EpochMs, common.Id];

/** JSON of a schema to its name in the contract. Equal schemas have one name, however they were composed and described. */
const names = new Map<string, string>();
const originals = new Map<string, unknown>();
const withoutDescription = ({ description: _, form: __, ...schema }: Json) => JSON.stringify(schema);
const sources = [
  common,
  shop,
  catalogue,
  modifiers,
  orderPayment,
  order,
  checkout,
  payment,
  paymentConfig,
  providerSchemas,
  account,
  blog,
  feeds,
  blocks,
  blocks.shownBlocks,
];
for (const [name, value] of sources.flatMap(Object.entries)) {
  if (!isNamed(value)) continue;
  originals.set(name, originals.get(name) ?? value);
  for (const key of [JSON.stringify(value), withoutDescription(value as Json)])
    if (!names.has(key)) names.set(key, name);
}

interface Operation extends Json {
  operationId: EndpointName;
  summary: string;
}

export interface OpenApi {
  openapi: string;
  info: Json;
  servers: { url: string; description: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: Record<'parameters' | 'responses' | 'schemas' | 'securitySchemes', Record<string, unknown>>;
}

const description = `The calls of this shop's storefront. Money is integer cents of the shop's currency, or its smallest unit by ISO 4217, times are milliseconds since
the epoch. Calls that change something need the header \`${clientTokenHeader}: ${clientToken}\`. The first of them sets the session
cookie, which the next calls send. Clients must accept fields and values that this document does not name.`;

export function openApi(origin: string): OpenApi {
  const collection = collectSchemas();
  const responses = errorResponses(collection.refer(ErrorBody));
  const paths: OpenApi['paths'] = {};
  const groups = new Set<string>();
  for (const name of Object.keys(endpoints) as EndpointName[]) {
    const { method, path } = methodAndPath(name);
    const url = apiBase + path.replace(/:(\w+)/g, '{$1}');
    paths[url] = { ...paths[url], [method.toLowerCase()]: operation(name, endpoints[name], collection) };
    groups.add(groupOf(path));
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Shopwright',
      version: '1',
      description: description.replaceAll('\n', ' '),
      license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
      contact: { name: 'This shop', url: `${origin}/contact` },
    },
    servers: [{ url: origin, description: 'This shop' }],
    tags: [...groups].sort().map((name) => ({ name, description: groupTexts[name] ?? name })),
    paths,
    components: {
      parameters: sharedParameters(),
      responses,
      schemas: collection.schemas,
      securitySchemes: {
        session: sessionScheme(sessionCookie, 'The session over plain HTTP.'),
        hostSession: sessionScheme(
          securePrefix + sessionCookie,
          'The session over HTTPS, where the browser binds it to this host.',
        ),
      },
    },
  };
}

function sessionScheme(name: string, text: string): Json {
  return {
    type: 'apiKey',
    in: 'cookie',
    name,
    description: `${text} The first call that changes something sets the cookie.`,
  };
}

function groupOf(path: string): string {
  return path.split('/')[0] ?? '';
}

function operation(name: EndpointName, endpoint: Endpoint, collection: SchemaCollection): Operation {
  const { audience, body, changes, params, query, response, summary } = endpoint;
  const parameters = [
    ...parametersIn('path', { name, schema: params, collection }),
    ...parametersIn('query', { name, schema: query, collection }),
    ...(changes ? [referToParameter('clientToken')] : []),
  ];
  const bodyName = name.charAt(0).toUpperCase() + name.slice(1);
  return {
    operationId: name,
    summary,
    description: `${summary} ${kindOf(name, endpoint)}`,
    tags: [groupOf(methodAndPath(name).path)],
    security: securityOf(name, endpoint),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body
      ? {
          requestBody: {
            required: !isOptional(body),
            content: {
              'application/json': {
                schema: collection.referAs(`${bodyName}Body`, body),
                example: example(body),
              },
            },
          },
        }
      : {}),
    responses: {
      200: {
        description: 'The result.',
        ...(audience === 'public' ? { headers: etag } : {}),
        content: { 'application/json': { schema: collection.referAs(`${bodyName}Answer`, response) } },
      },
      ...referToErrors(refusalStatuses(name, endpoint)),
    },
  };
}

function kindOf(name: EndpointName, { audience, changes }: Endpoint): string {
  if (audience === 'public') return 'The answer is the same for every client, and may be cached.';
  const customer = needsCustomer(name) ? ' Only a signed-in customer may make this call.' : '';
  return (
    (changes
      ? 'The call changes something, and needs the client header.'
      : 'The answer belongs to the session.') + customer
  );
}

/** A call that needs no account also works without a session, which it may start. */
function securityOf(name: EndpointName, { audience }: Endpoint): Json[] {
  if (audience === 'public') return [];
  const schemes = [{ session: [] }, { hostSession: [] }];
  return needsCustomer(name) ? schemes : [...schemes, {}];
}

interface ParameterSource {
  name: EndpointName;
  schema: TSchema | undefined;
  collection: SchemaCollection;
}

function parametersIn(place: 'path' | 'query', { name: call, schema, collection }: ParameterSource): Json[] {
  if (!schema || !('properties' in schema)) return [];
  return Object.entries(schema.properties as Record<string, TSchema>).map(([name, property]) =>
    name === 'lang'
      ? referToParameter('lang')
      : {
          name,
          in: place,
          ...(isOptional(property) ? {} : { required: true }),
          schema: collection.refer(property),
          ...parameterText(call, name, property),
        },
  );
}

function referToParameter(name: string): Json {
  return { $ref: `#/components/parameters/${name}` };
}

function sharedParameters(): Record<string, Json> {
  return {
    lang: {
      name: 'lang',
      in: 'query',
      schema: { type: 'string', maxLength: 10 },
      ...parameterText('', 'lang'),
    },
    clientToken: {
      name: clientTokenHeader,
      in: 'header',
      required: true,
      description: 'Proves that no other site makes the call: a browser lets only the shop itself send it.',
      schema: { type: 'string', const: clientToken },
      example: clientToken,
    },
  };
}

/** Serves the document. `origin` returns scheme and host of the shop. */
export function registerOpenApi(app: FastifyInstance, origin: () => string): void {
  let printed: string | undefined;
  app.get('/api/openapi.json', async (_request, reply) => {
    printed ??= JSON.stringify(openApi(origin()));
    return reply
      .header('cache-control', 'public, max-age=300')
      .type('application/json; charset=utf-8')
      .send(printed);
  });
}

interface Answer {
  name: string;
  description: string;
}

const answers: Record<number, Answer> = {
  304: { name: 'NotModified', description: 'The answer has not changed since the one with this ETag.' },
  400: {
    name: 'BadRequest',
    description: 'A field is missing or invalid (`errors` names each), or the request is malformed.',
  },
  401: {
    name: 'Unauthorized',
    description: 'The call is for signed-in customers only, or email and password do not match.',
  },
  402: { name: 'PaymentRequired', description: 'The payment was declined. Nothing was charged.' },
  403: {
    name: 'Forbidden',
    description: 'The client header is missing, or the data belongs to somebody else.',
  },
  404: { name: 'NotFound', description: 'The requested thing does not exist.' },
  409: { name: 'Conflict', description: 'The shop has changed meanwhile, for instance its stock or prices.' },
  413: { name: 'ContentTooLarge', description: 'The body is longer than 256 KB.' },
  414: { name: 'UriTooLong', description: 'The path is longer than 4 KB.' },
  415: { name: 'UnsupportedMediaType', description: 'The body is not JSON.' },
  422: {
    name: 'UnprocessableContent',
    description: 'The payment provider rejected what was entered. Nothing was charged.',
  },
  429: {
    name: 'TooManyRequests',
    description: 'There were too many attempts. Wait as many seconds as `Retry-After` says.',
  },
  500: {
    name: 'InternalServerError',
    description: 'The shop failed. `requestId` identifies the line of its log.',
  },
  503: {
    name: 'ServiceUnavailable',
    description:
      'The database or a provider does not answer, or the shop is not open yet. Repeat the call later.',
  },
};

const unexpected: Answer = { name: 'Error', description: 'Any other error.' };

const retryAfter = {
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 1 } },
};
const etag = {
  ETag: { description: 'Identifies this answer, for `If-None-Match`.', schema: { type: 'string' } },
};

function errorResponses(errorBody: unknown): Record<string, Json> {
  const content = { 'application/json': { schema: errorBody } };
  const printed = Object.entries(answers).map(([status, { name, description }]) => [
    name,
    status === '304'
      ? { description, headers: etag }
      : { description, ...(status === '429' || status === '503' ? { headers: retryAfter } : {}), content },
  ]);
  return {
    ...Object.fromEntries(printed),
    [unexpected.name]: { description: unexpected.description, content },
  };
}

function referToErrors(statuses: readonly number[]): Json {
  const refer = ({ name }: Answer) => ({ $ref: `#/components/responses/${name}` });
  return {
    ...Object.fromEntries(statuses.map((status) => [status, refer(answers[status] ?? unexpected)])),
    default: refer(unexpected),
  };
}

export const errorTable = errorTypes.map((type) => ({
  type,
  status: statusOf[type],
  meaning: answers[statusOf[type]]?.description ?? '',
}));

type Json = Record<string, unknown>;

function isNamed(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('~kind' in value)) return false;
  return (
    primitives.includes(value) || !('type' in value) || value.type === 'object' || value.type === 'array'
  );
}

type SchemaCollection = ReturnType<typeof collectSchemas>;

function collectSchemas() {
  const schemas: Record<string, unknown> = {};

  function refer(schema: unknown): unknown {
    const name = names.get(JSON.stringify(schema));
    if (name !== undefined) return define(name, schema);
    return describedPart(schema) ?? partsOf(schema);
  }

  /** A field with its own description of a named schema. */
  function describedPart(schema: unknown): Json | undefined {
    if (typeof schema !== 'object' || schema === null || !('description' in schema)) return undefined;
    const name = names.get(withoutDescription(schema as Json));
    return name === undefined
      ? undefined
      : { ...define(name, originals.get(name)), description: schema.description };
  }

  function define(name: string, schema: unknown): Json {
    if (!Object.hasOwn(schemas, name)) {
      schemas[name] = null;
      schemas[name] = partsOf(schema);
    }
    return { $ref: `#/components/schemas/${name}` };
  }

  /** With a `$ref` for each part that has a name. */
  function partsOf(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(refer);
    if (typeof value !== 'object' || value === null) return value;
    const keywords = Object.entries(value).filter(([key]) => !ofImports.has(key));
    const parts = Object.fromEntries(
      keywords.map(([key, part]) => [key, key === 'enum' ? part : refer(part)]),
    );
    // TypeBox leaves out the type of an enum, which generators of clients ask for.
    return 'enum' in parts ? { type: 'string', ...parts } : parts;
  }

  return {
    schemas,
    /** The JSON Schema to print for a schema: a `$ref` if it has a name, otherwise itself with its named parts as `$ref`. */
    refer,
    /** An object without a name in the contract is collected as `name`. */
    referAs(name: string, schema: TSchema): unknown {
      const isObject = 'type' in schema && schema.type === 'object';
      return isObject && !names.has(JSON.stringify(schema)) ? define(name, schema) : refer(schema);
    },
  };
}
