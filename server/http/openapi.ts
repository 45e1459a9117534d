/** Generates the OpenAPI document from the contract. TypeBox schemas are JSON Schema already. */
import type { FastifyInstance } from 'fastify';
import type { TSchema } from 'typebox';
import { type Endpoint, endpoints } from '#contract/endpoints.ts';
import { errorTypes, statusOf } from '#contract/errors.ts';
import { apiBase, clientToken, clientTokenHeader } from '#contract/limits.ts';
import { type EndpointName, methodAndPath } from '#contract/paths.ts';
import { ErrorBody } from '#contract/schemas/common.ts';
import { refusalStatuses } from '#contract/statuses.ts';

type Json = Record<string, unknown>;

interface Operation extends Json {
  operationId: EndpointName;
  summary: string;
}

export interface OpenApi {
  openapi: string;
  info: Json;
  paths: Record<string, Record<string, Operation>>;
  components: Json;
}

/** The meaning of each error status, for all calls. */
const errorResponses: Record<number, string> = {
  304: 'Not changed since the answer with this ETag.',
  400: 'A field is missing or wrong (`errors` names each), or the request could not be read.',
  401: 'Only for a signed-in customer, or the sign-on is wrong.',
  402: 'The payment was declined. Nothing was charged.',
  403: 'The client header is missing, or the thing is not the caller’s.',
  404: 'There is no such thing.',
  409: 'The shop has changed meanwhile, for instance its stock.',
  413: 'The body is longer than 256 KB.',
  414: 'The path is longer than 4 KB.',
  415: 'The body is not JSON.',
  422: 'The payment provider found something wrong with what was entered. Nothing was charged.',
  429: 'Too many attempts. `Retry-After` says how many seconds to wait.',
  500: 'A crash. `requestId` finds its log line.',
  503: 'The database or a provider does not answer. The same call may be sent again.',
};

/** Returns the OpenAPI document of all calls of the contract. */
export function openApi(): OpenApi {
  const paths: OpenApi['paths'] = {};
  for (const name of Object.keys(endpoints) as EndpointName[]) {
    const { method, path } = methodAndPath(name);
    const url = apiBase + path.replace(/:(\w+)/g, '{$1}');
    paths[url] = { ...paths[url], [method.toLowerCase()]: operation(name, endpoints[name]) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Shopwright',
      version: '1',
      description: 'The calls a storefront makes. Money is integer cents, times are epoch milliseconds.',
    },
    paths,
    components: {
      schemas: { ErrorBody },
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: 'sid', description: 'Set by the first call that changes something.' },
      },
    },
  };
}

function operation(name: EndpointName, endpoint: Endpoint): Operation {
  const parameters = [
    ...parametersIn('path', endpoint.params),
    ...parametersIn('query', endpoint.query),
    ...(endpoint.changes
      ? [{ name: clientTokenHeader, in: 'header', required: true, schema: { type: 'string' }, example: clientToken }]
      : []),
  ];
  return {
    operationId: name,
    summary: endpoint.summary,
    tags: [methodAndPath(name).path.split('/')[0] ?? ''],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(endpoint.body ? { requestBody: { required: !isOptional(endpoint.body), content: json(endpoint.body) } } : {}),
    ...(endpoint.audience === 'session' ? { security: [{ session: [] }, {}] } : {}),
    responses: {
      200: { description: 'As asked for.', content: json(endpoint.response) },
      ...Object.fromEntries(
        refusalStatuses(name, endpoint).map((status) => [
          status,
          {
            description: errorResponses[status],
            ...(status === 304 ? {} : { content: json({ $ref: '#/components/schemas/ErrorBody' }) }),
          },
        ]),
      ),
    },
  };
}

function parametersIn(place: 'path' | 'query', schema: TSchema | undefined): Json[] {
  if (!schema || !('properties' in schema)) return [];
  const required = 'required' in schema ? (schema.required as string[]) : [];
  return Object.entries(schema.properties as Record<string, Json>).map(([name, property]) => ({
    name,
    in: place,
    ...(required.includes(name) ? { required: true } : {}),
    schema: property,
  }));
}

function json(schema: unknown): Json {
  return { 'application/json': { schema } };
}

/** TypeBox stores the `Type.Optional` marker beside the schema's own keys. */
export function isOptional(schema: TSchema): boolean {
  return '~optional' in schema;
}

/** Every error type with its status, for the API page. */
export const errorTable = errorTypes.map((type) => ({
  type,
  status: statusOf[type],
  meaning: errorResponses[statusOf[type]] ?? '',
}));

export function registerOpenApi(app: FastifyInstance): void {
  let printed: string | undefined;
  app.get('/api/openapi.json', async (_request, reply) => {
    printed ??= JSON.stringify(openApi());
    return reply.header('cache-control', 'public, max-age=300').type('application/json; charset=utf-8').send(printed);
  });
}
