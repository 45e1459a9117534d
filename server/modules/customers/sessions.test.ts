import { beforeAll, expect, it } from 'vitest';
import { goodPassword, register, signOn } from '#tests/accounts.ts';
import { createWorld, forEachEngine, type Shopper, type World } from '#tests/test-app.ts';

forEachEngine((engine) => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld({ engine });
  });
  const isSignedIn = async (session: Shopper) => (await world.call('userInfo2', { session })).user !== null;

  it('a customer sees where they are signed in and ends one session or all others', async () => {
    const { session, email } = await register(world);
    const [phone, tablet, library] = [world.shopper(), world.shopper(), world.shopper()];
    for (const device of [phone, tablet, library]) {
      world.clock.advance(60_000);
      await signOn(world, email, goodPassword, device);
    }
    const list = await world.call('accountSessions', { session });
    expect(list.map(({ current }) => current)).toEqual([false, false, false, true]);
    expect(list[0]).toMatchObject({ startedAt: world.clock.now(), lastSeenAt: world.clock.now() });
    expect(JSON.stringify(list)).not.toContain([...library.cookies.values()][0]);

    const left = await world.call('endSessions', { session, body: { id: list[0]?.id } });
    expect(left.map(({ id }) => id)).toEqual(list.slice(1).map(({ id }) => id));
    expect(await Promise.all([session, phone, tablet, library].map(isSignedIn))).toEqual([true, true, true, false]);
    expect((await world.ask('endSessions', { session, body: { id: list[0]?.id } })).status).toBe(404);

    expect(await world.call('endSessions', { session, body: {} })).toMatchObject([{ current: true }]);
    expect(await Promise.all([session, phone, tablet].map(isSignedIn))).toEqual([true, false, false]);
  });

  it('nobody ends a session of another customer, and a guest sees none', async () => {
    const mei = await register(world);
    const mallory = await register(world);
    const [own] = await world.call('accountSessions', { session: mei.session });
    expect((await world.ask('endSessions', { session: mallory.session, body: { id: own?.id } })).status).toBe(404);
    expect(await isSignedIn(mei.session)).toBe(true);
    expect((await world.ask('accountSessions', { session: world.shopper() })).status).toBe(401);
  });
});
