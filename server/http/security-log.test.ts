import { expect, test } from 'vitest';
import { goodPassword, register, signOn } from '#tests/accounts.ts';
import { createTestApp, forEachEngine } from '#tests/test-app.ts';

interface Line {
  msg: string;
  event: string;
  outcome: string;
  account?: string;
  network: string;
}

forEachEngine((engine) => {
  test('the log names account and network of sign-ins, failures, delays, password changes and denials by keyed hash', async () => {
    const lines: string[] = [];
    const testApp = await createTestApp({
      engine,
      env: { LOG_LEVEL: 'info', PUBLIC_URL: 'https://shop.example' },
      app: { logStream: { write: (line) => lines.push(line) } },
    });
    const said = () =>
      lines
        .splice(0)
        .map((line) => JSON.parse(line) as Line)
        .filter(({ msg }) => msg === 'security');
    const from = (userID: string, password: string, address = '192.0.2.7') =>
      signOn(testApp, userID, password, testApp.shopper(), address);

    const mei = await register(testApp);
    const jo = await register(testApp);
    const [first, second] = said();
    expect(first).toMatchObject({ event: 'register', outcome: 'done' });
    expect(first?.account).toMatch(/^[\w-]{16}$/);
    expect(second?.account).not.toBe(first?.account);

    await from(` ${mei.email.toUpperCase()}`, goodPassword);
    await from(mei.email, 'not the password');
    for (let i = 0; i < 6; i++) await from(mei.email, 'not the password', `192.0.2.${20 + i}`);
    const tried = said();
    expect(tried.map(({ event }) => event)).toEqual(Array.from({ length: 8 }, () => 'signOn'));
    expect(tried.map(({ outcome }) => outcome)).toEqual(expect.arrayContaining(['done', 'failed', 'slowed']));
    expect(tried[0]).toMatchObject({ outcome: 'done', account: first?.account });
    expect(tried[1]).toMatchObject({
      outcome: 'failed',
      account: first?.account,
      network: tried[0]?.network,
    });
    expect(tried.at(-1)?.outcome).toBe('slowed');
    expect(new Set(tried.map(({ network }) => network)).size).toBe(7);

    const change = {
      currentPassword: goodPassword,
      password: 'a kettle of keemun at five',
      passwordConfirm: 'a kettle of keemun at five',
    };
    await testApp.ask('resetPassword', {
      session: jo.session,
      body: { ...change, currentPassword: 'not this one' },
    });
    await testApp.call('resetPassword', { session: jo.session, body: change });
    await testApp.ask('getAddresses', {
      session: jo.session,
      params: { userId: mei.id, addressType: 'shipping' },
    });
    await testApp.call('logout', { session: jo.session });
    expect(said().map(({ event, outcome, account }) => [event, outcome, account])).toEqual([
      ['changePassword', 'failed', second?.account],
      ['changePassword', 'done', second?.account],
      ['call', 'refused', undefined],
      ['signOff', 'done', second?.account],
    ]);
  });

  test('another process of the shop gives an account the same hash, and another shop gives it another', async () => {
    const hashes: string[] = [];
    const logStream = { write: (line: string) => void hashes.push((JSON.parse(line) as Line).account ?? '') };
    const { buildApp } = await import('#server/app.ts');
    const testApp = await createTestApp({ engine, env: { LOG_LEVEL: 'warn' }, app: { logStream } });
    const again = {
      ...testApp,
      app: await buildApp({ ...testApp, services: testApp.container, logStream, now: testApp.clock.now }),
    };
    const other = await createTestApp({ engine, env: { LOG_LEVEL: 'warn' }, app: { logStream } });
    for (const each of [testApp, again, other]) {
      const payload = { userID: 'nobody@example.com', password: 'not the password' };
      const headers = { 'x-client-token': 'shopwright-storefront' };
      await each.app.inject({ method: 'POST', url: '/api/istore/client/common3/signon', headers, payload });
    }
    await again.app.close();
    expect(hashes).toHaveLength(3);
    expect(hashes[1]).toBe(hashes[0]);
    expect(hashes[2]).not.toBe(hashes[0]);
  });
});
