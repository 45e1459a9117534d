/**
 * Any input of staff gets a clear 4xx in the error shape and in their language, or a valid answer, never a crash; what is refused
 * changes nothing and is not in the journal. The inputs are generated from the schemas, so new calls join by themselves.
 */
import { hash, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type { TSchema } from 'typebox';
import { Check } from 'typebox/value';
import { beforeAll, describe, expect, test } from 'vitest';
import { errorTypes } from '#contract/errors.ts';
import { clientTokenHeader, requestKeyHeader, staffBase, staffToken } from '#contract/limits.ts';
import { ErrorBody } from '#contract/schemas/common.ts';
import { changesOf, lang, type StaffEndpoint } from '#contract/staff/endpoint.ts';
import { type StaffEndpointName, staffEndpoints } from '#contract/staff/endpoints.ts';
import { repeats } from '#tests/long.ts';
import { type Known, roughly } from '#tests/schema-arbitrary.ts';
import { joinDemo, joinStation } from '#tests/staff.ts';
import { createTestApp, forEachEngine, type Shopper, type TestApp } from '#tests/test-app.ts';
import { everyTable } from '#tests/whole-database.ts';

/** Runs per call. Fewer on PostgreSQL, where each query goes over a socket. */
const runs = { sqlite: repeats(5, 20), postgres: 5 };
const seed = 2026;
const names = Object.keys(staffEndpoints) as StaffEndpointName[];
const known: Known = { lang: ['zh'], storeId: ['toronto-queen-west'], stores: ['toronto-queen-west'] };
const wrongBodies: readonly [payload: string, status: number][] = [
  ['{"quantity":', 400],
  ['quantity=1', 400],
  ['[]', 400],
  ['"x"', 400],
  ['{"__proto__":{"role":"owner"}}', 400],
  ['{"unknown":1}', 400],
  ['['.repeat(20_000) + ']'.repeat(20_000), 400],
];
const largeBody = JSON.stringify({ email: 'x'.repeat(1024 * 1024) });
/** What they take may be larger than that. */
const takesMuch = new Set<StaffEndpointName>(['saveProduct', 'changeGoodsRows']);

forEachEngine((engine) => {
  let testApp: TestApp;
  const log: string[] = [];
  let owner: Shopper;
  let state = new Map<string, string>();

  beforeAll(async () => {
    const logStream = { write: (line: string) => void log.push(line) };
    testApp = await createTestApp({ engine, demo: true, env: { LOG_LEVEL: 'error' }, app: { logStream } });
  });

  const hashes = new WeakMap<readonly string[], string>();
  const hashOf = (rows: readonly string[]) => {
    const known = hashes.get(rows) ?? hash('sha256', rows.join());
    hashes.set(rows, known);
    return known;
  };

  /** The contents of each table, hashed, but for the counts of attempts. */
  async function tables(): Promise<Map<string, string>> {
    const all = [...(await everyTable(testApp))].filter(([name]) => name !== 'rate_limits');
    return new Map(all.map(([name, rows]) => [name, hashOf(rows)]));
  }

  /** Whether `state` is what the tables hold, and `owner` is signed in. */
  let isKnown = false;

  async function signIn({ station }: StaffEndpoint): Promise<void> {
    if (isKnown && station !== 'only') return;
    isKnown = false;
    owner = await joinDemo(testApp, 'demo-mei');
    if (station === 'only') await joinStation(testApp, owner, 'toronto-queen-west');
  }

  async function expectNothingChanged(): Promise<void> {
    const after = await tables();
    expect([...after].filter(([table, rows]) => state.get(table) !== rows).map(([table]) => table)).toEqual(
      [],
    );
  }

  async function send(
    name: StaffEndpointName,
    url: string,
    payload?: string,
    type = 'application/json',
  ): Promise<number> {
    const [method] = staffEndpoints[name].route.split(' ');
    const answer = await testApp.app.inject({
      method: method as 'GET',
      url,
      headers: {
        [clientTokenHeader]: staffToken,
        cookie: owner.header,
        [requestKeyHeader]: randomUUID(),
        ...(payload === undefined ? {} : { 'content-type': type }),
      },
      ...(payload === undefined ? {} : { payload }),
    });
    // What crashed is said there.
    expect(log).toEqual([]);
    expect(answer.statusCode, answer.body).toBeLessThan(500);
    if (answer.statusCode < 400) return answer.statusCode;
    const body = answer.json() as ErrorBody;
    expect(Check(ErrorBody, body), answer.body).toBe(true);
    expect(errorTypes).toContain(body.errorType);
    const said = Object.values(body.errors ?? { message: body.message }).join();
    if (url.includes('lang=zh')) expect(said, answer.body).toMatch(/\p{Script=Han}/u);
    return answer.statusCode;
  }

  describe.each(names)('the staff call %s', (name) => {
    const endpoint: StaffEndpoint = staffEndpoints[name];

    test('any input of staff is accepted, or refused without a crash and without a trace', async () => {
      log.length = 0;
      await signIn(endpoint);
      // A change may have ended the session.
      const changed = () => {
        isKnown = false;
        return signIn(endpoint);
      };
      const part = (schema: TSchema | undefined) => (schema ? roughly(schema, known) : fc.constant({}));
      const input = fc.record({
        params: part(endpoint.params),
        query: part(endpoint.query ?? lang),
        body: part(endpoint.body),
      });
      const refused: [url: string, payload: string | undefined][] = [];
      await fc.assert(
        fc.asyncProperty(input, async ({ params, query, body }) => {
          const [url, payload] = [
            urlOf(name, params, query),
            endpoint.body ? JSON.stringify(body) : undefined,
          ];
          if ((await send(name, url, payload)) >= 400) refused.push([url, payload]);
          else if (changesOf(endpoint)) await changed();
        }),
        { numRuns: runs[engine], seed },
      );
      // Once more, now that what is accepted is done: reading every table takes most of the time.
      if (!isKnown) state = await tables();
      for (const [url, payload] of refused) {
        if ((await send(name, url, payload)) >= 400 || !changesOf(endpoint)) continue;
        await changed();
        state = await tables();
      }
      // What no form sends.
      expect(await send(name, urlOf(name, {}, { unknown: '1' }), endpoint.body ? '{}' : undefined)).toBe(400);
      if (endpoint.body) {
        const url = urlOf(name, {}, { lang: 'zh' });
        for (const [payload, status] of wrongBodies)
          expect(await send(name, url, payload), payload.slice(0, 30)).toBe(status);
        expect(await send(name, url, largeBody)).toBe(takesMuch.has(name) ? 400 : 413);
        expect(await send(name, url, '<xml/>', 'application/xml')).toBe(415);
      }
      await expectNothingChanged();
      isKnown = endpoint.station !== 'only';
    });
  });
});

/** Values in the path and the query are text, whatever their type. */
function urlOf(name: StaffEndpointName, params: unknown, query: unknown): string {
  const [, path = ''] = staffEndpoints[name].route.split(' ');
  const given = Object(params) as Record<string, unknown>;
  const filled = path.replace(
    /:(\w+)/g,
    (_, key: string) => encode(Object.hasOwn(given, key) ? given[key] : params) || 'x',
  );
  const search = Object.entries(Object(query) as object).map(
    ([key, value]) => `${encode(key)}=${encode(value)}`,
  );
  return `${staffBase}${filled}?${search.join('&')}`;
}

function encode(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  // A lone surrogate has no encoding in a URL.
  return encodeURIComponent(text.toWellFormed()).slice(0, 6000).replace(/%.?$/, '');
}
