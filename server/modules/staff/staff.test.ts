/** Invitations, sign-in, second factor, sessions and permissions of staff, over HTTP. */
import { beforeAll, describe, expect, it } from 'vitest';
import { clientTokenHeader } from '#contract/limits.ts';
import { changesOf, type StaffEndpoint } from '#contract/staff/endpoint.ts';
import { type StaffEndpointName, staffEndpoints } from '#contract/staff/endpoints.ts';
import {
  permissions,
  roleNames,
  roles,
  shopPermissions,
  stationPermissions,
} from '#contract/staff/permissions.ts';
import { buildApp } from '#server/app.ts';
import { createContainer } from '#server/container.ts';
import { hourMs, minuteMs } from '#server/platform/time-zone.ts';
import {
  askStaff as ask,
  codeOf,
  inviteStaff as invite,
  joinStaff as join,
  joinDemo,
  joinStation,
  manageStaff as owner,
  staffPassword as password,
  secureStaff as secure,
} from '#tests/staff.ts';
import { createTestApp, onBothEngines, Shopper, type TestApp, testEnv } from '#tests/test-app.ts';

const asksForMore = ({ query }: StaffEndpoint) =>
  ((query as { required?: string[] } | undefined)?.required ?? []).length > 0;

onBothEngines((engine) => {
  let testApp: TestApp;
  beforeAll(async () => {
    testApp = await createTestApp({ engine, connections: 10, demo: true });
  });

  describe('an invitation', () => {
    it('an invitation works once, for 72 hours, and gives what the role allows', async () => {
      const token = await invite(testApp, 'mei@shop.example', 'assistant', ['toronto-queen-west']);
      expect((await ask(testApp, 'invitation', { body: { token } })).body).toEqual({
        email: 'mei@shop.example',
        role: 'assistant',
        roleName: null,
      });
      const as = new Shopper();
      const accepted = await ask(testApp, 'acceptInvitation', {
        body: { token, name: ' Mei ', password },
        as,
      });
      expect(accepted.body).toMatchObject({
        name: 'Mei',
        may: [...roles.assistant],
        stores: ['toronto-queen-west'],
        secondFactor: false,
        waiting: [],
      });
      const again = await ask(testApp, 'acceptInvitation', { body: { token, name: 'Eve', password } });
      expect([again.status, again.body.errorKey]).toEqual([404, 'staff.invitationOver']);
      const late = await invite(testApp, 'late@shop.example');
      testApp.clock.advance(72 * hourMs);
      expect(
        (await ask(testApp, 'acceptInvitation', { body: { token: late, name: 'Late', password } })).status,
      ).toBe(404);
    });

    it('an invitation with a poor password or without a name can be accepted again', async () => {
      const token = await invite(testApp, 'poor@shop.example');
      const poor = await ask(testApp, 'acceptInvitation', {
        body: { token, name: '', password: 'iloveyou12' },
      });
      expect([poor.status, Object.keys(poor.body.errors ?? {})]).toEqual([400, ['password', 'name']]);
      expect((await ask(testApp, 'acceptInvitation', { body: { token, name: 'Po', password } })).status).toBe(
        200,
      );
    });

    it('the first owner’s link lets one person in, with an email of their own', async () => {
      const empty = await createTestApp({ engine, connections: 10 });
      const { changes, staff } = empty.container;
      const token = await changes.run({ kind: 'system' }, 'start', (change) =>
        staff.inviteFirstOwner(change),
      );
      const second = await changes.run({ kind: 'system' }, 'start', (change) =>
        staff.inviteFirstOwner(change),
      );
      expect((await ask(empty, 'invitation', { body: { token } })).status).toBe(404);
      const shown = { email: '', role: 'owner', roleName: null };
      expect((await ask(empty, 'invitation', { body: { token: second } })).body).toEqual(shown);
      const accept = (email?: string) =>
        ask(empty, 'acceptInvitation', {
          body: { token: second, name: 'Mei', password, ...(email ? { email } : {}) },
        });
      expect((await accept()).body.errors).toHaveProperty('email');
      expect((await accept('mei@shop.example')).body).toMatchObject({
        email: 'mei@shop.example',
        role: 'owner',
      });
      expect((await accept('eve@shop.example')).status).toBe(404);
      const late = await changes.run({ kind: 'system' }, 'start', (change) => staff.inviteFirstOwner(change));
      const body = { token: late, name: 'Eve', password, email: 'eve@shop.example' };
      expect((await ask(empty, 'acceptInvitation', { body })).status).toBe(404);
    });

    it('an invitation of somebody who is there replaces the password, ends their sessions and removes the second factor', async () => {
      const as = await join(testApp, 'lost@shop.example');
      await secure(testApp, as);
      const token = await invite(testApp, 'LOST@shop.example ', 'writer');
      const again = await ask(testApp, 'acceptInvitation', {
        body: { token, name: 'Found', password: `${password} 2` },
      });
      expect(again.body).toMatchObject({ role: 'owner', secondFactor: false, recoveryCodes: 0 });
      expect((await ask(testApp, 'me', { as })).status).toBe(401);
      const old = await ask(testApp, 'signIn', { body: { email: 'lost@shop.example', password } });
      expect(old.body.errorKey).toBe('staff.signInFailed');
    });
  });

  describe('signing in', () => {
    it('signing in says the same of an unknown email and of a wrong password, and slows guessing down', async () => {
      await join(testApp, 'slow@shop.example');
      const guess = (email: string, address?: string) =>
        ask(testApp, 'signIn', { body: { email, password: 'wrong' }, ...(address ? {} : {}) });
      const keys = [
        (await guess('slow@shop.example')).body.errorKey,
        (await guess('nobody@shop.example')).body.errorKey,
      ];
      expect(keys).toEqual(['staff.signInFailed', 'staff.signInFailed']);
      const answers = [];
      for (let tried = 0; tried < 6; tried += 1) answers.push((await guess('slow@shop.example')).status);
      expect(answers.at(-1)).toBe(429);
      testApp.clock.advance(hourMs);
    });

    it('setting a second factor up ends the sessions that a password alone began', async () => {
      const as = await join(testApp, 'earlier@shop.example');
      const thief = new Shopper();
      expect(
        (await ask(testApp, 'signIn', { body: { email: 'earlier@shop.example', password }, as: thief }))
          .status,
      ).toBe(200);
      await secure(testApp, as);
      expect((await ask(testApp, 'me', { as })).status).toBe(200);
      expect((await ask(testApp, 'me', { as: thief })).status).toBe(401);
    });

    it('signing in with a second factor needs a code, of which none works twice, and guessing one is slowed down', async () => {
      const as = await join(testApp, 'two@shop.example');
      const { secret, codes } = await secure(testApp, as);
      const signIn = (code?: string) =>
        ask(testApp, 'signIn', { body: { email: 'two@shop.example', password, ...(code ? { code } : {}) } });
      expect((await signIn()).body.errorKey).toBe('staff.codeNeeded');
      expect((await signIn(codeOf(secret, testApp))).status).toBe(200);
      expect((await signIn(codeOf(secret, testApp))).body.errorKey).toBe('staff.codeWrong');
      const [recovery = ''] = codes;
      expect((await signIn(recovery.toUpperCase())).status).toBe(200);
      expect((await signIn(recovery)).body.errorKey).toBe('staff.codeWrong');
      expect((await ask(testApp, 'me', { as })).body).toMatchObject({ secondFactor: true, recoveryCodes: 9 });
      for (let tried = 0; tried < 5; tried += 1) await signIn(`00000${tried}`);
      expect((await signIn('000005')).body.errorKey).toBe('error.rateLimited');
      testApp.clock.advance(hourMs);
    });

    it('guesses of a stranger lock a person out neither of their own browser nor of showing the password again', async () => {
      const as = await join(testApp, 'target@shop.example');
      const { secret } = await secure(testApp, as);
      const body = (code?: string) => ({ email: 'target@shop.example', password, ...(code ? { code } : {}) });
      const stranger = new Shopper();
      const guess = () => ask(testApp, 'signIn', { body: { ...body(), password: 'wrong' }, as: stranger });
      for (let tried = 0; tried < 6; tried += 1) await guess();
      expect((await guess()).status).toBe(429);
      expect((await ask(testApp, 'signIn', { body: body(codeOf(secret, testApp)) })).status).toBe(429);
      expect(
        (await ask(testApp, 'confirm', { as, body: { password, code: codeOf(secret, testApp) } })).status,
      ).toBe(200);
      await ask(testApp, 'signOut', { as });
      testApp.clock.advance(minuteMs);
      // The stranger goes on, so that the account itself is slowed down.
      await guess();
      expect((await guess()).status).toBe(429);
      expect((await ask(testApp, 'signIn', { body: body(codeOf(secret, testApp)), as })).status).toBe(200);
      // The own browser has guesses of its own, no more.
      const own = () => ask(testApp, 'signIn', { body: { ...body(), password: 'wrong' }, as });
      for (let tried = 0; tried < 11; tried += 1) await own();
      expect((await own()).status).toBe(429);
      testApp.clock.advance(hourMs);
      for (let tried = 0; tried < 6; tried += 1)
        await ask(testApp, 'confirm', { as, body: { password: 'wrong' } });
      expect((await ask(testApp, 'confirm', { as, body: { password } })).status).toBe(429);
      testApp.clock.advance(hourMs);
    });

    it('a browser is no longer known once the person was blocked or has a new password', async () => {
      const as = await join(testApp, 'known@shop.example');
      const devices = () =>
        testApp.db.read
          .selectFrom('staff_devices')
          .innerJoin('staff', 'staff.id', 'staff_devices.staff_id')
          .select('token_hash')
          .where('email', '=', 'known@shop.example')
          .execute();
      expect(await devices()).toHaveLength(1);
      const token = await invite(testApp, 'known@shop.example');
      await ask(testApp, 'acceptInvitation', { body: { token, name: 'Known', password }, as: new Shopper() });
      expect(await devices()).toHaveLength(1);
      expect((await ask(testApp, 'me', { as })).status).toBe(401);
      const { id } = await testApp.db.read
        .selectFrom('staff')
        .select('id')
        .where('email', '=', 'known@shop.example')
        .executeTakeFirstOrThrow();
      await ask(testApp, 'changeStaff', {
        as: await joinDemo(testApp, 'demo-mei'),
        params: { id },
        body: { blocked: true },
      });
      expect(await devices()).toEqual([]);
    });

    it('two requests with one code sign in once', async () => {
      const as = await join(testApp, 'race@shop.example');
      const { secret } = await secure(testApp, as);
      const body = { email: 'race@shop.example', password, code: codeOf(secret, testApp) };
      const answers = await Promise.all([1, 2, 3].map(() => ask(testApp, 'signIn', { body })));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      testApp.clock.advance(hourMs);
    });

    it('a session has a cookie that scripts and other sites cannot use, and that ends after twelve idle hours', async () => {
      const as = await join(testApp, 'idle@shop.example');
      const { headers } = await ask(testApp, 'signIn', { body: { email: 'idle@shop.example', password } });
      const [session = '', device = ''] = [headers['set-cookie'] ?? []].flat();
      expect(device).toMatch(
        /^staff_device=[\w-]{43}; Path=\/api\/staff\/; Max-Age=\d+; HttpOnly; SameSite=Strict$/,
      );
      expect(session).toMatch(/^staff=[\w-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Strict$/);
      expect(headers['cache-control']).toBe('no-store');
      testApp.clock.advance(11 * hourMs);
      expect((await ask(testApp, 'me', { as })).status).toBe(200);
      testApp.clock.advance(11 * hourMs);
      expect((await ask(testApp, 'me', { as })).status).toBe(200);
      testApp.clock.advance(12 * hourMs);
      expect((await ask(testApp, 'me', { as })).status).toBe(401);
    });

    it('sessions are listed and ended', async () => {
      const as = await join(testApp, 'many@shop.example');
      const other = new Shopper();
      const agent =
        'Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Safari/604.1';
      const body = { email: 'many@shop.example', password };
      await ask(testApp, 'signIn', { body, as: other, headers: { 'user-agent': agent } });
      const { sessions } = (await ask(testApp, 'mySessions', { as })).body;
      expect(sessions.map(({ device, current }) => [device, current])).toEqual(
        expect.arrayContaining([
          ['Safari, iPad', false],
          ['', true],
        ]),
      );
      const theirs = sessions.find(({ current }) => !current)?.id ?? '';
      await ask(testApp, 'endSession', { as, params: { id: theirs } });
      expect((await ask(testApp, 'me', { as: other })).status).toBe(401);
      expect((await ask(testApp, 'me', { as })).status).toBe(200);
    });
  });

  describe('passkeys', () => {
    it('passkeys are refused at an address in numbers, and an unknown one like a wrong one', async () => {
      const local = { host: 'localhost:3000' };
      const options = await ask(testApp, 'passkeyOptions', { headers: local });
      expect(options.body.options).toMatchObject({ rpId: 'localhost', userVerification: 'required' });
      expect((await ask(testApp, 'passkeyOptions', { headers: { host: '192.0.2.1' } })).body.errorKey).toBe(
        'staff.passkeyAddress',
      );
      expect((await ask(testApp, 'passkeyOptions', { headers: { host: 'evil.example' } })).status).toBe(409);
      const body = { id: 'AAAA', clientDataJSON: 'AAAA', authenticatorData: 'AAAA', signature: 'AAAA' };
      expect((await ask(testApp, 'passkeySignIn', { body, headers: local })).body.errorKey).toBe(
        'staff.passkeyFailed',
      );
      const as = await join(testApp, 'keyless@shop.example');
      const made = { id: 'AAAA', clientDataJSON: 'AAAA', attestationObject: 'AAAA' };
      expect((await ask(testApp, 'addPasskey', { as, body: made, headers: local })).body.errorKey).toBe(
        'staff.passkeyFailed',
      );
      expect((await ask(testApp, 'removePasskey', { as, params: { id: 'x' } })).status).toBe(404);
      const real = testEnv({ DATA_DIR: testApp.dataDir, OFFICE_URL: 'https://office.shop.example' });
      const services = createContainer({ db: testApp.db, env: real, now: testApp.clock.now });
      const app = await buildApp({ env: real, db: testApp.db, services, now: testApp.clock.now });
      const there = await ask({ ...testApp, app }, 'passkeyOptions', {
        headers: { host: 'office.shop.example' },
      });
      expect(there.body.options).toMatchObject({ rpId: 'office.shop.example' });
      await app.close();
    });

    it('somebody with a passkey cannot sign in by the password alone, and a new invitation removes it', async () => {
      const email = 'keyed@shop.example';
      await join(testApp, email);
      const row = await testApp.db.read
        .selectFrom('staff')
        .select('id')
        .where('email', '=', email)
        .executeTakeFirstOrThrow();
      await testApp.db.transaction(async (trx) => {
        const passkey = {
          id: `k-${engine}`,
          credential_id: `c-${engine}`,
          public_key: 'AAAA',
          counter: 0,
          device: '',
        };
        await trx
          .insertInto('staff_passkeys')
          .values({ ...passkey, staff_id: row.id, created_at: 0, last_used_at: null })
          .execute();
        await trx.updateTable('staff').set({ passkeys: 1 }).where('id', '=', row.id).execute();
      });
      expect((await ask(testApp, 'signIn', { body: { email, password } })).body.errorKey).toBe(
        'staff.passkeyNeeded',
      );
      const token = await invite(testApp, email);
      const again = await ask(testApp, 'acceptInvitation', { body: { token, name: 'Key', password } });
      expect(again.body).toMatchObject({ passkeys: 0, secondFactor: false });
      expect(await testApp.db.read.selectFrom('staff_passkeys').selectAll().execute()).toEqual([]);
      expect((await ask(testApp, 'signIn', { body: { email, password } })).status).toBe(200);
    });
  });

  describe("the demo's people", () => {
    it("the demo's people enter without a password, with everything that their role allows", async () => {
      const { demo } = (await ask(testApp, 'signInOptions')).body;
      expect(demo.map(({ role }) => role)).toEqual(['owner', 'assistant', 'packer', 'bookkeeper']);
      expect(demo[1]?.storeContent?.en).toBe('Toronto – Queen West');
      const as = await joinDemo(testApp, 'demo-mei');
      expect((await ask(testApp, 'me', { as })).body).toMatchObject({
        demo: true,
        may: [...roles.owner],
        waiting: [],
      });
      testApp.clock.advance(hourMs);
      const invited = await ask(testApp, 'inviteStaff', {
        as,
        body: { email: 'x@shop.example', role: 'packer', stores: null },
      });
      expect(invited.status).toBe(200);
    });

    it('no password opens the account of one of the demo’s people', async () => {
      const email = 'mei@maple-and-clay.example';
      for (const guess of ['', password, 'demo-maple-2026'])
        expect((await ask(testApp, 'signIn', { body: { email, password: guess } })).body.errorKey).toBe(
          'staff.signInFailed',
        );
    });

    it('the demo’s people can enter from this machine only, not through a proxy or by another name of it', async () => {
      const params = { id: 'demo-mei' };
      for (const headers of [
        { host: 'shop.example' },
        { host: 'shop.example:3000' },
        { host: 'localhost.shop.example' },
        { origin: 'https://shop.example' },
        { origin: 'null' },
      ])
        expect((await ask(testApp, 'signInDemo', { params, headers })).status, JSON.stringify(headers)).toBe(
          404,
        );
      const there = await join(testApp, 'real@shop.example');
      const { staff } = (await ask(testApp, 'staff', { as: await joinDemo(testApp, 'demo-mei') })).body;
      const real = staff.find(({ email }) => email === 'real@shop.example')?.id ?? '';
      expect((await ask(testApp, 'signInDemo', { params: { id: real } })).status).toBe(404);
      expect((await ask(testApp, 'me', { as: there })).status).toBe(200);
    });

    it.each([
      ['has a public address', { PUBLIC_URL: 'https://shop.example', DEMO: '1' }],
      ['listens to the network', { HOST: '0.0.0.0' }],
      ['is not the demo', { DEMO: '0' }],
      ['is in production', { NODE_ENV: 'production' }],
      [
        'takes payments',
        {
          DEMO: '1',
          STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
          STRIPE_SECRET_KEY: 'sk_test_1',
          STRIPE_WEBHOOK_SECRET: 'whsec_1',
        },
      ],
    ])(
      'a shop that %s offers none of the demo’s people, even with their accounts there, and ends their sessions',
      async (_name, env) => {
        const as = await joinDemo(testApp, 'demo-mei');
        const real = testEnv({ DATA_DIR: testApp.dataDir, ...(env as Record<string, string>) });
        const services = createContainer({ db: testApp.db, env: real, now: testApp.clock.now });
        const app = await buildApp({ env: real, db: testApp.db, services, now: testApp.clock.now });
        const other = { ...testApp, app };
        expect((await ask(other, 'signInOptions')).body.demo).toEqual([]);
        expect((await ask(other, 'signInDemo', { params: { id: 'demo-mei' } })).status).toBe(404);
        expect((await ask(other, 'me', { as })).status).toBe(401);
        await app.close();
      },
    );
  });

  describe('managing staff', () => {
    it('managing staff needs a second factor, and password and code again after 15 minutes', async () => {
      const as = await join(testApp, 'boss@shop.example');
      const refused = await ask(testApp, 'staff', { as });
      expect([refused.status, refused.body.errorKey]).toEqual([403, 'staff.factorNeeded']);
      expect((await ask(testApp, 'me', { as })).body.waiting).toContain('staff.manage');
      const packer = await join(testApp, 'no-boss@shop.example', 'packer');
      expect((await ask(testApp, 'staff', { as: packer })).body.errorKey).toBe('error.forbidden');
      const { secret } = await secure(testApp, as);
      expect((await ask(testApp, 'me', { as })).body.waiting).toEqual([]);
      expect((await ask(testApp, 'staff', { as })).status).toBe(200);
      const body = { email: 'new@shop.example', role: 'packer', stores: ['toronto-queen-west'] };
      expect((await ask(testApp, 'inviteStaff', { as, body })).body.link).toMatch(
        /\/office\/join#[\w-]{43}$/,
      );
      testApp.clock.advance(15 * minuteMs);
      expect((await ask(testApp, 'inviteStaff', { as, body })).body.errorKey).toBe('staff.confirmNeeded');
      await ask(testApp, 'confirm', { as, body: { password, code: codeOf(secret, testApp) } });
      expect((await ask(testApp, 'inviteStaff', { as, body })).status).toBe(200);
      const unknown = await ask(testApp, 'inviteStaff', { as, body: { ...body, stores: ['nowhere'] } });
      expect(unknown.body.errors).toHaveProperty('stores');
    });

    it('an invitation that was taken back opens nothing, and nobody takes back what they may not give', async () => {
      const owner = await join(testApp, 'withdraws@shop.example');
      await secure(testApp, owner);
      const token = await invite(testApp, 'mistyped@shop.example', 'manager');
      const local = await join(testApp, 'local@shop.example', 'manager', ['toronto-queen-west']);
      await secure(testApp, local);
      const end = (as: Shopper) =>
        ask(testApp, 'endInvitation', { as, body: { email: ' Mistyped@shop.example' } });
      const isOpen = async () => (await ask(testApp, 'invitation', { body: { token } })).status;
      await end(local);
      expect(await isOpen()).toBe(200);
      const ended = await end(owner);
      expect([ended.status, ended.body.staff.map(({ email }) => email)]).toEqual([
        200,
        expect.not.arrayContaining(['mistyped@shop.example']),
      ]);
      expect(await isOpen()).toBe(404);
      const accepted = { token, name: 'Nobody', password };
      expect((await ask(testApp, 'acceptInvitation', { body: accepted })).status).toBe(404);
      expect((await end(owner)).status).toBe(200);
    });

    it('a change is in the journal with the person, and a blocked person is out at once and not let in again', async () => {
      const as = await join(testApp, 'chief@shop.example');
      await secure(testApp, as);
      const clerk = await join(testApp, 'clerk@shop.example', 'manager');
      const { staff } = (await ask(testApp, 'staff', { as })).body;
      const id = staff.find(({ email }) => email === 'clerk@shop.example')?.id ?? '';
      expect(
        (await ask(testApp, 'changeStaff', { as, params: { id }, body: { blocked: true } })).status,
      ).toBe(200);
      expect((await ask(testApp, 'me', { as: clerk })).status).toBe(401);
      const signIn = await ask(testApp, 'signIn', { body: { email: 'clerk@shop.example', password } });
      expect([signIn.status, signIn.body.errorKey]).toEqual([401, 'staff.signInFailed']);
      const { entries } = (await ask(testApp, 'journal', { as })).body;
      expect(entries[0]).toMatchObject({ by: 'chief', action: 'staff change', kind: 'staff', id });
      expect(JSON.stringify(entries)).not.toContain('@');
    });

    it('the journal, whose entries name no store, is closed to somebody who is limited to stores', async () => {
      const limited = await join(testApp, 'limited@shop.example', 'bookkeeper', ['toronto-queen-west']);
      const everywhere = await join(testApp, 'everywhere@shop.example', 'bookkeeper');
      expect((await ask(testApp, 'me', { as: limited })).body.may).not.toContain('journal.read');
      expect((await ask(testApp, 'journal', { as: limited })).status).toBe(403);
      expect((await ask(testApp, 'journal', { as: everywhere })).status).toBe(200);
    });

    it('the journal is read by person and by day, and saved as a file once password and code are shown again', async () => {
      const as = await join(testApp, 'auditor@shop.example');
      const { secret } = await secure(testApp, as);
      await ask(testApp, 'inviteStaff', {
        as,
        body: { email: 'hired@shop.example', role: 'packer', stores: null },
      });
      const { people } = (await ask(testApp, 'journal', { as })).body;
      const by = people.find(({ name }) => name === 'auditor')?.id ?? '';
      const today = new Intl.DateTimeFormat('sv', { timeZone: 'America/Toronto' }).format(
        testApp.clock.now(),
      );
      const read = async (query: Record<string, string>) =>
        (await ask(testApp, 'exportJournal', { as, query })).body.entries.map(({ action }) => action);
      expect(await read({ by, from: today, to: today })).toEqual(['staff invite']);
      expect(await read({ by, to: '2020-01-01' })).toEqual([]);
      expect(await read({ by: 'terminal', from: '2999-01-01' })).toEqual([]);
      expect((await ask(testApp, 'journal', { as, query: { from: '2026-02-30' } })).body.errors).toEqual({
        from: 'This day doesn’t exist',
      });
      testApp.clock.advance(15 * minuteMs);
      expect((await ask(testApp, 'journal', { as })).status).toBe(200);
      expect((await ask(testApp, 'exportJournal', { as })).body.errorKey).toBe('staff.confirmNeeded');
      await ask(testApp, 'confirm', { as, body: { password, code: codeOf(secret, testApp) } });
      expect((await ask(testApp, 'exportJournal', { as })).status).toBe(200);
    });

    it('the last owner can be neither blocked nor given another role, however many try at once', async () => {
      const alone = await createTestApp({ engine, connections: 10 });
      const [first, second] = [
        await join(alone, 'one@shop.example'),
        await join(alone, 'other@shop.example'),
      ];
      await secure(alone, first);
      await secure(alone, second);
      const { staff } = (await ask(alone, 'staff', { as: first })).body;
      const change = (as: Shopper, email: string) =>
        ask(alone, 'changeStaff', {
          as,
          params: { id: staff.find((each) => each.email === email)?.id ?? '' },
          body: { role: 'writer' },
        });
      const answers = await Promise.all([
        change(first, 'other@shop.example'),
        change(second, 'one@shop.example'),
      ]);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      const left = await alone.container.staff.list(owner);
      expect(left.filter(({ role }) => role === 'owner')).toHaveLength(1);
    });
  });

  describe.runIf(engine === 'sqlite')('the calls of staff', () => {
    it('each permission that a role can have is asked for by a call', () => {
      const calls: StaffEndpoint[] = Object.values(staffEndpoints);
      const asked = new Set<string>(calls.flatMap(({ needs, also = [] }) => [needs, ...also]));
      expect(permissions.filter((permission) => !asked.has(permission))).toEqual([]);
    });

    it('each call is refused to nobody, to each role without its permission, and without the client header', async () => {
      const people: { name: string; as: Shopper; may: ReadonlySet<string> }[] = [];
      for (const role of roleNames)
        for (const stores of [null, ['toronto-queen-west']]) {
          const name = `${role}${stores ? ' of one store' : ''}`;
          const as = await join(testApp, `${name.replaceAll(' ', '-')}@walk.example`, role, stores);
          await secure(testApp, as);
          people.push({
            name,
            as,
            may: new Set(roles[role].filter((each) => !stores || !shopPermissions.has(each))),
          });
        }
      const station = await joinStation(testApp, await joinDemo(testApp, 'demo-mei'), 'toronto-queen-west');
      for (const [name, endpoint] of Object.entries(staffEndpoints) as [StaffEndpointName, StaffEndpoint][]) {
        if (changesOf(endpoint))
          expect(
            (await ask(testApp, name, { body: {}, headers: { [clientTokenHeader]: 'other' } })).status,
            name,
          ).toBe(403);
        const { needs, fresh } = endpoint;
        if (needs === 'nobody') continue;
        expect(
          (await ask(testApp, name, endpoint.body ? { body: {} } : {})).status,
          `${name} as nobody`,
        ).toBe(401);
        for (const { name: role, as, may } of people) {
          const mayCall = needs === 'anybody' || may.has(needs);
          if (!mayCall)
            expect(
              (await ask(testApp, name, { as, ...(endpoint.body ? { body: {} } : {}) })).status,
              `${name} as ${role}`,
            ).toBe(403);
          // There is no order "x", and an export needs its ticket.
          else if (!changesOf(endpoint) && !endpoint.body)
            expect((await ask(testApp, name, { as })).status, `${name} as ${role}`).toBe(
              endpoint.station === 'only' ? 403 : asksForMore(endpoint) ? 400 : endpoint.params ? 404 : 200,
            );
        }
        const isOfStations =
          !fresh &&
          (needs === 'anybody'
            ? endpoint.station
            : (stationPermissions as readonly string[]).includes(needs));
        const { status, body } = await ask(testApp, name, {
          as: station,
          ...(endpoint.body ? { body: {} } : {}),
        });
        if (isOfStations && changesOf(endpoint) && endpoint.station !== 'only')
          expect(body.errorKey, name).toBe('staff.pinNeeded');
        else if (!isOfStations) expect(status, `${name} at a station`).toBe(403);
        else if (!changesOf(endpoint) && !endpoint.body)
          expect(status, `${name} at a station`).toBe(endpoint.params ? 404 : 200);
      }
    });

    it('a shopper’s session is no session of staff, and the other way round', async () => {
      const shopper = testApp.shopper();
      await testApp.ask('addToCart', {
        session: shopper,
        params: { itemName: 'MC-SW-01' },
        body: { quantity: 1 },
      });
      const [[, token = ''] = []] = [...shopper.cookies];
      const as = new Shopper();
      as.cookies.set('staff', token);
      expect((await ask(testApp, 'me', { as })).status).toBe(401);
    });
  });
});
