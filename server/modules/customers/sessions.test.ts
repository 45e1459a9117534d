import { beforeAll, expect, it } from 'vitest';
import { goodPassword, register, signOn } from '#tests/accounts.ts';
import { createTestApp, forEachEngine, type Shopper, type TestApp } from '#tests/test-app.ts';

forEachEngine((engine) => {
  let testApp: TestApp;
  beforeAll(async () => {
    testApp = await createTestApp({ engine });
  });
  const isSignedIn = async (session: Shopper) => (await testApp.call('userInfo2', { session })).user !== null;

  it('a customer sees where they are signed in and ends one session or all others', async () => {
    const { session, email } = await register(testApp);
    const [phone, tablet, library] = [testApp.shopper(), testApp.shopper(), testApp.shopper()];
    for (const device of [phone, tablet, library]) {
      testApp.clock.advance(60_000);
      await signOn(testApp, email, goodPassword, device);
    }
    const list = await testApp.call('accountSessions', { session });
    expect(list.map(({ current }) => current)).toEqual([false, false, false, true]);
    expect(list[0]).toMatchObject({ startedAt: testApp.clock.now(), lastSeenAt: testApp.clock.now() });
    expect(JSON.stringify(list)).not.toContain([...library.cookies.values()][0]);

    const left = await testApp.call('endSessions', { session, body: { id: list[0]?.id } });
    expect(left.map(({ id }) => id)).toEqual(list.slice(1).map(({ id }) => id));
    expect(await Promise.all([session, phone, tablet, library].map(isSignedIn))).toEqual([
      true,
      true,
      true,
      false,
    ]);
    expect((await testApp.ask('endSessions', { session, body: { id: list[0]?.id } })).status).toBe(404);

    expect(await testApp.call('endSessions', { session, body: {} })).toMatchObject([{ current: true }]);
    expect(await Promise.all([session, phone, tablet].map(isSignedIn))).toEqual([true, false, false]);
  });

  it('nobody ends a session of another customer, and a guest sees none', async () => {
    const mei = await register(testApp);
    const mallory = await register(testApp);
    const [own] = await testApp.call('accountSessions', { session: mei.session });
    expect(
      (await testApp.ask('endSessions', { session: mallory.session, body: { id: own?.id } })).status,
    ).toBe(404);
    expect(await isSignedIn(mei.session)).toBe(true);
    expect((await testApp.ask('accountSessions', { session: testApp.shopper() })).status).toBe(401);
  });
});
