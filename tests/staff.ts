/** People of the office for tests: invites them, signs them in, and makes their calls. */

import { randomUUID } from 'node:crypto';
import { generateSync } from 'otplib';
import { expect } from 'vitest';
import { clientTokenHeader, requestKeyHeader, staffBase, staffToken } from '#contract/limits.ts';
import type { StaffEndpoint } from '#contract/staff/endpoint.ts';
import { type StaffEndpointName, type StaffResponse, staffEndpoints } from '#contract/staff/endpoints.ts';
import type { ShopFindings, ShopLacks } from '#contract/staff/settings.ts';
import { mintPermit } from '#server/platform/permits.ts';
import { minuteMs } from '#server/platform/time-zone.ts';
import { Shopper, type TestApp } from '#tests/test-app.ts';

export const staffPassword = 'seven blue lamps';
export const manageStaff = mintPermit('staff.manage', { kind: 'terminal' }, null);

interface Input {
  body?: object;
  params?: Record<string, string>;
  query?: Record<string, string>;
  as?: Shopper;
  headers?: Record<string, string>;
  /** In place of a body. */
  file?: string | Buffer;
}

/** Calls the office as one browser. */
export async function askStaff<N extends StaffEndpointName>(
  testApp: TestApp,
  name: N,
  { body, params = {}, query, as, headers, file }: Input = {},
) {
  const { route, repeat }: StaffEndpoint = staffEndpoints[name];
  const [method, path = ''] = route.split(' ') as ['GET' | 'POST', string];
  const url =
    staffBase +
    path.replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(params[key] ?? 'x')) +
    (query ? `?${new URLSearchParams(query)}` : '');
  const answer = await testApp.app.inject({
    method,
    url,
    headers: {
      [clientTokenHeader]: staffToken,
      ...(as ? { cookie: as.header } : {}),
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...(file === undefined ? {} : { 'content-type': 'application/octet-stream' }),
      ...(repeat === 'key' ? { [requestKeyHeader]: randomUUID() } : {}),
      ...headers,
    },
    ...(body ? { payload: JSON.stringify(body) } : {}),
    ...(file === undefined ? {} : { payload: file }),
  });
  as?.keep(answer.headers['set-cookie']);
  return {
    status: answer.statusCode,
    headers: answer.headers,
    body: answer.json() as StaffResponse<N> & { errorKey?: string; errors?: Record<string, string> },
  };
}

/** Asks again while the shop still counts its texts, as a slow machine does longer than an answer waits for it. */
export async function askStaffOnceCounted<N extends 'translations' | 'translationCounts'>(
  testApp: TestApp,
  name: N,
  input: Input,
): ReturnType<typeof askStaff<N>> {
  for (;;) {
    const answer = await askStaff(testApp, name, input);
    const { looking }: { looking?: boolean } = answer.body;
    if (!looking) return answer;
  }
}

export const inviteStaff = (
  testApp: TestApp,
  email: string,
  role = 'owner',
  stores: string[] | null = null,
) =>
  testApp.container.changes.run({ kind: 'terminal' }, 'staff invite', (change) =>
    testApp.container.staff.invite(change, manageStaff, { email, role, stores }),
  );

/** Somebody new with this role, signed in. */
export async function joinStaff(
  testApp: TestApp,
  email: string,
  role = 'owner',
  stores: string[] | null = null,
): Promise<Shopper> {
  const as = new Shopper();
  const token = await inviteStaff(testApp, email, role, stores);
  const { status } = await askStaff(testApp, 'acceptInvitation', {
    body: { token, name: email.split('@')[0], password: staffPassword },
    as,
  });
  expect(status).toBe(200);
  return as;
}

export const codeOf = (secret: string, testApp: TestApp) =>
  generateSync({ secret, epoch: Math.floor(testApp.clock.now() / 1000) });

/** Sets the second factor of somebody up. Returns its secret and the recovery codes. */
export async function secureStaff(testApp: TestApp, as: Shopper) {
  const { status, body } = await askStaff(testApp, 'newSecondFactor', { as });
  expect([status, body]).toEqual([200, expect.objectContaining({ secret: expect.any(String) })]);
  const confirmed = await askStaff(testApp, 'confirmSecondFactor', {
    as,
    body: { code: codeOf(body.secret, testApp) },
  });
  expect(confirmed.status).toBe(200);
  testApp.clock.advance(minuteMs);
  return { secret: body.secret, codes: confirmed.body.codes };
}

/** One of the demo's people, signed in. */
export async function joinDemo(
  testApp: TestApp,
  id: 'demo-mei' | 'demo-noah' | 'demo-aisha' | 'demo-jonas',
): Promise<Shopper> {
  const as = new Shopper();
  expect((await askStaff(testApp, 'signInDemo', { params: { id }, as })).status).toBe(200);
  return as;
}

/** What the shop finds wrong with itself, once it has looked. */
export async function lookedFor(testApp: TestApp, as: Shopper): Promise<ShopFindings> {
  let lacks: ShopLacks | undefined;
  await expect
    .poll(async () => {
      const { status, body } = await askStaff(testApp, 'shopLacks', { as, query: { lang: 'en' } });
      expect(status).toBe(200);
      lacks = body;
      return body.looking;
    })
    .toBe(false);
  if (!lacks?.found) throw new Error('Nothing was looked for');
  return lacks.found;
}

/** A device that somebody who may signs in as the counter of a store. */
export async function joinStation(testApp: TestApp, by: Shopper, store: string): Promise<Shopper> {
  const { status } = await askStaff(testApp, 'startStation', { as: by, body: { store } });
  expect(status).toBe(200);
  return by;
}
