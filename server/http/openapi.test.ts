import { Check } from 'typebox/value';
import { beforeAll, describe, expect, test } from 'vitest';
import { apiBase } from '#contract/limits.ts';
import { endpoints } from '#contract/shop/endpoints.ts';
import { type EndpointName, methodAndPath } from '#contract/shop/paths.ts';
import { routes } from '#contract/shop/routes.ts';
import { createTestApp, expectDeclared, type TestApp } from '#tests/test-app.ts';
import type { openApi } from './openapi.ts';
import { example } from './schema-text.ts';

/** The calls of SPEC §7 as it writes them. Each must be in the contract and served. */
const specified = `
GET common3/pageContent
GET common3/appInfoInit
GET common3/userInfo
GET common3/userInfo2
GET common3/supportedCountries
GET common3/provinces/{id}
GET common3/pickupLocations
GET productManagement/categories/{id}
GET productManagement2/category/{name}
GET productManagement2/tag/{name}
GET productManagement2/brand/{name}
GET inventoryManagement/inventoryByProductAndOptions/{productID}
GET productManagement/brands
POST productManagement/products/searchConditions
GET productManagement/products/search/{nameLike}/{condition}
GET productManagement2/products/relatedProducts/{productid}
GET productManagement/taggedProducts/{tagid}
GET productManagement/products/onSale
GET productManagement/product/{id}
GET productManagement2/products
GET productManagement2/products/listCount
GET productManagement2/products/tag/{tagName}
GET productManagement2/products/search/{nameLike}
GET productManagement2/products/searchCount/{nameLike}
GET shoppingManagement4/myCart
POST shoppingManagement4/myCart/{itemName}
PUT shoppingManagement4/myCart/{itemName}
POST shoppingManagement4/myCart/delete
POST shoppingManagement4/updateCustomerComment
GET shoppingManagement4/checkoutConfig
GET shoppingManagement4/paymentConfig
POST shoppingManagement4/reserve
POST shoppingManagement4/orderDeliverInfo
POST shoppingManagement4/orderContactInfo
POST shoppingManagement4/orderPickupDate
GET shoppingManagement4/billing/{gatewayName}
POST shoppingManagement4/billing/{gatewayName}
GET admin/orderManagement/order/{id}`
  .trim()
  .split('\n');

const names = Object.keys(routes) as EndpointName[];

describe('the contract table', () => {
  test('the contract names every call of the specification', () => {
    const declared = names.map((name) => {
      const { method, path } = methodAndPath(name);
      return `${method} ${path.replace(/:(\w+)/g, '{$1}')}`;
    });
    expect(declared).toEqual(expect.arrayContaining(specified));
    expect(new Set(declared).size).toBe(names.length);
  });

  test.each(names)('the path of %s has a schema for each part, and an example that fits', (name) => {
    const endpoint = endpoints[name];
    const inPath = [...methodAndPath(name).path.matchAll(/:(\w+)/g)].map(([, key]) => key);
    const params = 'params' in endpoint ? Object.keys(endpoint.params.properties) : [];
    expect(params).toEqual(inPath);
    if ('body' in endpoint) expect(Check(endpoint.body, example(endpoint.body))).toBe(true);
    expect('body' in endpoint).toBe(methodAndPath(name).method !== 'GET');
  });
});

describe('the API of the server', () => {
  let testApp: TestApp;
  beforeAll(async () => {
    testApp = await createTestApp({ engine: 'sqlite' });
  });

  test('the server serves every call of the contract', () => {
    expect([...testApp.app.contract.served].sort()).toEqual([...names].sort());
    for (const name of names) {
      const { method, path } = methodAndPath(name);
      expect(testApp.app.hasRoute({ method, url: apiBase + path })).toBe(true);
    }
  });

  test('the server prints the calls as OpenAPI', async () => {
    const answer = await testApp.app.inject('/api/openapi.json');
    expect(answer.headers['content-type']).toContain('application/json');
    const document = answer.json() as ReturnType<typeof openApi>;
    expect(document.openapi).toBe('3.1.0');
    const printed = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.slice(apiBase.length)}`),
    );
    expect(printed).toEqual(expect.arrayContaining(specified));
    expect(document.paths[`${apiBase}shoppingManagement4/myCart/{itemName}`]?.put).toMatchObject({
      operationId: 'updateCartItem',
      parameters: [
        { name: 'itemName', in: 'path', required: true },
        { $ref: '#/components/parameters/lang' },
        { $ref: '#/components/parameters/clientToken' },
      ],
      requestBody: { required: true },
    });
  });

  test('OpenAPI declares each error status with its meaning', async () => {
    const document = (await testApp.app.inject('/api/openapi.json')).json() as ReturnType<typeof openApi>;
    const statusesOf = (method: string, path: string) => {
      const responses = document.paths[apiBase + path]?.[method]?.responses as Record<
        string,
        { $ref?: string }
      >;
      for (const [status, { $ref }] of Object.entries(responses)) {
        if (status === '200') continue;
        const response = document.components.responses[$ref?.split('/').at(-1) ?? ''];
        expect(response, `${path} ${status}`).toMatchObject({ description: expect.stringMatching(/\w/) });
      }
      expect(Object.keys(responses)).toContain('default');
      return Object.keys(responses).map(Number);
    };
    const paying = statusesOf('post', 'shoppingManagement4/billing/{gatewayName}');
    expect(paying).toEqual(expect.arrayContaining([401, 402, 409, 422, 429, 503]));
    expect(statusesOf('post', 'common3/signon')).toEqual(expect.arrayContaining([401, 429]));
    expect(statusesOf('get', 'productManagement/brands')).not.toContain(404);
  });

  test('a test fails when a call answers with an undeclared status', () => {
    expect(() => expectDeclared('brands', 402)).toThrow('brands answered 402');
    expect(() => expectDeclared('brands', 503)).not.toThrow();
  });

  test('the API page names each call and needs no script', async () => {
    const answer = await testApp.app.inject('/api/docs');
    expect(answer.headers['content-type']).toContain('text/html');
    expect(answer.headers['content-security-policy']).toMatch(/style-src 'sha256-/);
    expect(answer.body).not.toMatch(/<script|https?:\/\//);
    for (const name of names) expect(answer.body).toContain(`id="${name}"`);
  });
});
