/** Checks the OpenAPI document as tools for clients read it: by two linters, and for what generators need. */
import { Check } from 'typebox/value';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Endpoint, refusalStatuses } from '#contract/endpoint.ts';
import { apiBase } from '#contract/limits.ts';
import { endpoints } from '#contract/shop/endpoints.ts';
import { type EndpointName, methodAndPath } from '#contract/shop/paths.ts';
import { lintWithRedocly, lintWithSpectral } from '#tests/openapi-lint.ts';
import { createTestApp } from '#tests/test-app.ts';
import type { OpenApi } from './openapi.ts';

const names = Object.keys(endpoints) as EndpointName[];
const endpointOf = (name: EndpointName): Endpoint => endpoints[name];

type Fields = Record<string, unknown>;
let document: OpenApi;

beforeAll(async () => {
  const { app } = await createTestApp({ engine: 'sqlite', env: { PUBLIC_URL: 'https://tea.shop' } });
  document = (await app.inject('/api/openapi.json')).json();
});

function operationOf(name: EndpointName): Fields {
  const { method, path } = methodAndPath(name);
  return document.paths[apiBase + path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()] ?? {};
}

/** The part of the document that a `$ref` names; anything else is itself. */
function resolve(part: unknown): Fields {
  const { $ref } = part as { $ref?: string };
  if ($ref === undefined) return part as Fields;
  return $ref
    .split('/')
    .slice(1)
    .reduce<unknown>((found, key) => (found as Fields)[key], document) as Fields;
}

/** Every object in a value, with its path. */
function* objectsIn(value: unknown, path = '#'): Generator<[path: string, object: Fields]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [path, value as Fields];
  for (const [key, part] of Object.entries(value)) yield* objectsIn(part, `${path}/${key}`);
}

describe('the OpenAPI document', () => {
  test('Redocly and Spectral find nothing wrong with the OpenAPI document', async () => {
    expect(await Promise.all([lintWithRedocly(document), lintWithSpectral(document)])).toEqual([[], []]);
  });

  test('Redocly and Spectral find a reference to nothing and an example that does not fit', async () => {
    const broken = structuredClone(document);
    broken.components.parameters.lang = {
      name: 'lang',
      in: 'query',
      schema: { $ref: '#/components/schemas/None' },
    };
    expect(await lintWithRedocly(broken)).toContain("no-unresolved-refs: Can't resolve $ref");
    const misleading = structuredClone(document);
    misleading.components.parameters.lang = {
      name: 'lang',
      in: 'query',
      schema: { type: 'string' },
      example: 7,
    };
    expect((await lintWithSpectral(misleading)).join()).toMatch(
      /oas3-valid-media-example at components.parameters.lang/,
    );
  });

  test('the server of the document is the public address of the shop', () => {
    expect(document.servers).toEqual([{ url: 'https://tea.shop', description: 'This shop' }]);
  });

  test('each object and each list of values is in the document once, under a name', () => {
    const seen = new Map<string, string>();
    const repeated: string[] = [];
    for (const [path, object] of objectsIn({ paths: document.paths, components: document.components })) {
      if (!('properties' in object && object.type === 'object') && !Array.isArray(object.enum)) continue;
      const key = JSON.stringify(object);
      const first = seen.get(key);
      if (first) repeated.push(`${path} is ${first}`);
      else seen.set(key, path);
    }
    expect(repeated).toEqual([]);
    expect(Object.keys(document.components.schemas)).toEqual(
      expect.arrayContaining(['Order', 'Product', 'LineItem', 'Bill', 'Cents', 'ErrorBody']),
    );
  });

  test.each(names)('the call %s declares each of its statuses, and a default error', (name) => {
    const responses = operationOf(name).responses as Fields;
    expect(Object.keys(responses)).toEqual([
      '200',
      ...refusalStatuses(name, endpointOf(name)).map(String),
      'default',
    ]);
    for (const [status, response] of Object.entries(responses)) {
      if (status === '200') continue;
      const { content } = resolve(response) as { content?: { 'application/json': { schema: unknown } } };
      const schema = status === '304' ? undefined : { $ref: '#/components/schemas/ErrorBody' };
      expect(content?.['application/json'].schema, `${name} ${status}`).toEqual(schema);
    }
  });

  test.each(names)('each parameter of %s has a description and an example that fits', (name) => {
    for (const part of (operationOf(name).parameters ?? []) as unknown[]) {
      const parameter = resolve(part);
      expect(parameter.description, `${name} ${parameter.name}`).toMatch(/^[A-Z'].*\.$/);
      expect(Check(resolve(parameter.schema) as never, parameter.example), `${name} ${parameter.name}`).toBe(
        true,
      );
    }
  });

  test('the fields have descriptions, at least 60 percent of them, and none cites the specification', () => {
    const fields: { description?: string }[] = [];
    const collect = (part: unknown): void => {
      if (typeof part !== 'object' || part === null) return;
      const { type, properties } = part as {
        type?: unknown;
        properties?: Record<string, { description?: string }>;
      };
      if (type === 'object' && properties) fields.push(...Object.values(properties));
      for (const each of Object.values(part)) collect(each);
    };
    collect(document);
    const texts = fields.flatMap(({ description }) => description ?? []);
    expect(texts.length / fields.length).toBeGreaterThanOrEqual(0.6);
    expect(texts.filter((text) => /SPEC|§/.test(text) || !text.endsWith('.'))).toEqual([]);
  });

  test('public calls need no session, and the calls of an account need one under either name of the cookie', () => {
    const either = [{ session: [] }, { hostSession: [] }];
    for (const name of names) {
      const { security } = operationOf(name);
      if (endpointOf(name).audience === 'public') expect(security, name).toEqual([]);
      else expect((security as object[]).slice(0, 2), name).toEqual(either);
    }
    expect(operationOf('accountData').security).toEqual(either);
    // A guest has a cart as well, and the first call has no cookie yet.
    expect(operationOf('addToCart').security).toEqual([...either, {}]);
    expect(document.components.securitySchemes).toMatchObject({
      session: { type: 'apiKey', in: 'cookie', name: 'sid' },
      hostSession: { type: 'apiKey', in: 'cookie', name: '__Host-sid' },
    });
  });

  test('each call has a tag that the document explains', () => {
    const explained = new Map(document.tags.map(({ name, description }) => [name, description]));
    for (const name of names)
      for (const tag of operationOf(name).tags as string[])
        expect(explained.get(tag), name).toMatch(/^[A-Z].*\.$/);
  });
});
