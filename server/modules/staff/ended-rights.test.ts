/** What people made ends with their right to make it: invitations, and devices that they made stations. */

import type { Updateable } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import type { StaffChange } from '#contract/staff/schemas.ts';
import type { StaffTable } from '#db/staff-tables.ts';
import {
  askStaff as ask,
  joinDemo,
  joinStaff,
  joinStation,
  staffPassword as password,
  secureStaff,
} from '#tests/staff.ts';
import { createTestApp, forEachEngine, type Shopper, type TestApp } from '#tests/test-app.ts';

const store = 'toronto-queen-west';

forEachEngine((engine) => {
  let testApp: TestApp;
  let mei: Shopper;
  /** A role that manages staff, and one that it may give. */
  let lead = '';
  let helper = '';
  let count = 0;
  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true });
    mei = await joinDemo(testApp, 'demo-mei');
    const add = async (body: { name: string; permissions: string[] }) => {
      const answer = await ask(testApp, 'addRole', { as: mei, body });
      return answer.body.roles.find(({ name }) => name === body.name)?.id ?? '';
    };
    lead = await add({ name: 'Shift lead', permissions: ['orders.read', 'staff.manage', 'stations.manage'] });
    helper = await add({ name: 'Helper', permissions: ['orders.read'] });
  });

  const idOf = async (email: string) => {
    const { id } = await testApp.db.read
      .selectFrom('staff')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow();
    return id;
  };
  /** As whatever changes a person, with or without ending what is open. */
  const setRow = (email: string, row: Updateable<StaffTable>) =>
    testApp.db.transaction((trx) => trx.updateTable('staff').set(row).where('email', '=', email).execute());
  const change = async (email: string, body: StaffChange) => {
    const answer = await ask(testApp, 'changeStaff', { as: mei, params: { id: await idOf(email) }, body });
    expect(answer.status).toBe(200);
  };

  /** A shift lead, and the link that they made for somebody. */
  async function invitedByLead(isThere: boolean) {
    count += 1;
    const [by, email] = [`lead-${count}@shop.example`, `helper-${count}@shop.example`];
    if (isThere) await joinStaff(testApp, email, helper, [store]);
    const as = await joinStaff(testApp, by, lead, [store]);
    await secureStaff(testApp, as);
    const { body } = await ask(testApp, 'inviteStaff', {
      as,
      body: { email, role: helper, stores: [store] },
    });
    return { by, email, as, token: body.link.split('#')[1] ?? '' };
  }

  const accept = async (token: string) => {
    const shown = await ask(testApp, 'invitation', { body: { token } });
    const { status } = await ask(testApp, 'acceptInvitation', {
      body: { token, name: 'Eve', password: `${password} 2` },
    });
    expect(status === 200, 'what an invitation shows and what it does').toBe(shown.status === 200);
    return status;
  };

  describe('an open invitation', () => {
    it('an invitation counts while its maker may give what it gives, to somebody new and to somebody who is there', async () => {
      for (const isThere of [false, true])
        expect(await accept((await invitedByLead(isThere)).token)).toBe(200);
    });

    it.each<[string, boolean, (made: { by: string; email: string }) => Promise<unknown>]>([
      ['the person became an owner', true, ({ email }) => setRow(email, { role: 'owner' })],
      ['the person works in more stores', true, ({ email }) => setRow(email, { stores: null })],
      ['the person was blocked', true, ({ email }) => setRow(email, { blocked_at: 1 })],
      ['somebody with more joined by this address', false, ({ email }) => joinStaff(testApp, email, 'owner')],
      ['its maker was blocked', false, ({ by }) => setRow(by, { blocked_at: 1 })],
      ['its maker manages no staff any more', false, ({ by }) => setRow(by, { role: helper })],
      ['its maker has no second factor any more', false, ({ by }) => setRow(by, { totp_confirmed: 0 })],
      ['its maker works elsewhere', true, ({ by }) => setRow(by, { stores: '["markham-unionville"]' })],
    ])('an invitation is over once %s', async (_why, isThere, happen) => {
      const made = await invitedByLead(isThere);
      const before = await testApp.db.read
        .selectFrom('staff')
        .selectAll()
        .where('email', '=', made.email)
        .executeTakeFirst();
      await happen(made);
      expect(await accept(made.token)).toBe(404);
      const after = await testApp.db.read
        .selectFrom('staff')
        .selectAll()
        .where('email', '=', made.email)
        .executeTakeFirst();
      if (before) expect(after?.password_hash).toBe(before.password_hash);
    });

    it.each<[string, StaffChange]>([
      ['another role', { role: 'owner' }],
      ['other stores', { stores: null }],
      ['a block, and stay so once it is lifted', { blocked: true }],
    ])('the invitations to a person, and theirs, end with %s', async (_what, body) => {
      const made = await invitedByLead(true);
      await change(made.email, body);
      if (body.blocked) await change(made.email, { blocked: false });
      else await setRow(made.email, { role: helper, stores: JSON.stringify([store]) });
      expect(await accept(made.token)).toBe(404);

      const { token, by } = await invitedByLead(false);
      await change(by, body);
      if (body.blocked) await change(by, { blocked: false });
      else await setRow(by, { role: lead, stores: JSON.stringify([store]) });
      expect(await accept(token)).toBe(404);
    });

    it('a changed role ends the invitations to it', async () => {
      const made = await invitedByLead(false);
      const changed = { name: 'Helper', permissions: ['orders.read', 'stock.count'] };
      await ask(testApp, 'changeRole', { as: mei, params: { id: helper }, body: changed });
      expect(await accept(made.token)).toBe(404);
      await ask(testApp, 'changeRole', {
        as: mei,
        params: { id: helper },
        body: { ...changed, permissions: ['orders.read'] },
      });
    });

    it('nobody invites a person who is blocked', async () => {
      const { email } = await invitedByLead(true);
      await change(email, { blocked: true });
      const again = await ask(testApp, 'inviteStaff', {
        as: mei,
        body: { email, role: helper, stores: [store] },
      });
      expect(again.body.errors).toHaveProperty('email');
    });
  });

  describe('a station', () => {
    const started = async () => {
      const { by, as } = await invitedByLead(false);
      return { by, station: await joinStation(testApp, as, store) };
    };
    const isOn = async (station: Shopper) => (await ask(testApp, 'me', { as: station })).status === 200;

    it.each<[string, Updateable<StaffTable>]>([
      ['is blocked', { blocked_at: 1 }],
      ['may have no stations any more', { role: 'packer' }],
      ['works elsewhere', { stores: '["markham-unionville"]' }],
    ])('a station is signed out once the person who made it %s', async (_why, row) => {
      const { by, station } = await started();
      expect(await isOn(station)).toBe(true);
      await setRow(by, row);
      expect(await isOn(station)).toBe(false);
    });

    it('a station stays while the person who made it renews their second factor', async () => {
      const { by, station } = await started();
      await setRow(by, { totp_confirmed: 0 });
      expect(await isOn(station)).toBe(true);
    });

    it('a block ends the stations that the person made, also once it is lifted, and the office names them before', async () => {
      const { by, station } = await started();
      const named = (await ask(testApp, 'staff', { as: mei })).body.staff.find(
        ({ email }) => email === by,
      )?.started;
      expect(named).toEqual({
        stations: [{ store, device: '' }],
        invitations: [expect.stringContaining('helper-')],
        keys: [],
      });
      await change(by, { blocked: true });
      await change(by, { blocked: false });
      expect(await isOn(station)).toBe(false);
    });
  });
});
