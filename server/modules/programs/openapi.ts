/** The calls of the office that keys may make, as an OpenAPI document: for programs that speak HTTP. */
import type { TSchema } from 'typebox';
import { requestKeyHeader, staffBase } from '#contract/limits.ts';
import { ErrorBody } from '#contract/schemas/common.ts';
import type { StaffEndpoint } from '#contract/staff/endpoint.ts';
import { type StaffEndpointName, staffEndpoints } from '#contract/staff/endpoints.ts';
import { isForKeys, printed, propertiesOf, requiredOf } from './tools.ts';

type Json = Record<string, unknown>;

const requestKey = {
  name: requestKeyHeader,
  in: 'header',
  required: true,
  description: 'New for each thing that is done; the same for a request that is sent again.',
  schema: { type: 'string', minLength: 16, maxLength: 64 },
};
const lang = {
  name: 'lang',
  in: 'query',
  description: 'The language of texts in the answer: en or zh.',
  schema: { type: 'string', maxLength: 10 },
};

export function staffOpenApi(origin: string): Json {
  const names = (Object.keys(staffEndpoints) as StaffEndpointName[]).filter((name) =>
    isForKeys(staffEndpoints[name]),
  );
  const paths: Record<string, Json> = {};
  for (const name of names) {
    const endpoint: StaffEndpoint = staffEndpoints[name];
    const [method = '', path = ''] = endpoint.route.split(' ');
    const url = staffBase + path.replace(/:(\w+)/g, '{$1}');
    paths[url] = { ...paths[url], [method.toLowerCase()]: operation(name, endpoint) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'The office of a Shopwright shop',
      version: '1',
      description:
        'What staff do in the office, for programs with a key. Money is in the smallest unit of the currency, times are milliseconds since the epoch.',
      license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
      contact: { name: 'This shop', url: `${origin}/contact` },
    },
    servers: [{ url: origin, description: 'This shop' }],
    tags: [...new Set(names.map((name) => groupOf(staffEndpoints[name])))]
      .sort()
      .map((name) => ({ name, description: `Calls about ${name}.` })),
    security: [{ key: [] }],
    paths,
    components: {
      securitySchemes: {
        key: {
          type: 'http',
          scheme: 'bearer',
          description:
            'A key that somebody made in the office, under Keys for programs. It has at most their rights.',
        },
      },
      schemas: { Error: printed(ErrorBody) },
      responses: {
        Refused: {
          description:
            'Why it was refused: `errors` names fields. 401: no key that lives; 403: it may not; 429: wait.',
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
        },
      },
    },
  };
}

const groupOf = ({ route }: StaffEndpoint): string => route.split(/[ /]/)[1] ?? '';

function operation(name: StaffEndpointName, endpoint: StaffEndpoint): Json {
  const { summary, params, query, body, response, needs, repeat } = endpoint;
  const parameters = [
    ...parametersIn('path', params),
    ...parametersIn('query', query).filter((each) => each.name !== 'lang'),
    lang,
    ...(repeat === 'key' ? [requestKey] : []),
  ];
  return {
    operationId: name,
    summary,
    description: needs === 'anybody' ? summary : `${summary} Needs the permission \`${needs}\`.`,
    tags: [groupOf(endpoint)],
    parameters,
    ...(body
      ? { requestBody: { required: true, content: { 'application/json': { schema: printed(body) } } } }
      : {}),
    responses: {
      200: { description: 'The result.', content: { 'application/json': { schema: printed(response) } } },
      '4XX': { $ref: '#/components/responses/Refused' },
    },
  };
}

function parametersIn(place: 'path' | 'query', schema: TSchema | undefined): Json[] {
  const required = requiredOf(schema);
  return Object.entries(propertiesOf(schema)).map(([name, property]) => {
    const { description, ...rest } = printed(property) as Json;
    return {
      name,
      in: place,
      ...(place === 'path' || required.includes(name) ? { required: true } : {}),
      ...(description === undefined ? {} : { description }),
      schema: rest,
    };
  });
}
