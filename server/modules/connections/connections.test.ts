import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ConnectionsAnswer, FieldState } from '#contract/staff/connections.ts';
import { createContainer } from '#server/container.ts';
import type { AppError } from '#server/platform/errors.ts';
import { translateFieldErrors } from '#server/platform/i18n.ts';
import { hourMs } from '#server/platform/time-zone.ts';
import { type FakeSmtp, fakeSmtp } from '#tests/smtp.ts';
import { askStaff, joinStaff, secureStaff } from '#tests/staff.ts';
import { createTestApp, onBothEngines, type Shopper, type TestApp, testEnv } from '#tests/test-app.ts';

const password = 'eleven-Grey-kettles';

onBothEngines((engine) => {
  let testApp: TestApp;
  let smtp: FakeSmtp;
  let owner: Shopper;
  const lines: string[] = [];

  beforeAll(async () => {
    smtp = await fakeSmtp();
    const app = { logStream: { write: (line: string) => void lines.push(line) } };
    testApp = await createTestApp({ engine, demo: true, env: { LOG_LEVEL: 'debug' }, app });
    owner = await joinStaff(testApp, 'anna@shop.example');
    await secureStaff(testApp, owner);
  });
  afterAll(() => smtp.close());
  beforeEach(async () => {
    smtp.received.length = 0;
    await testApp.db.transaction((trx) => trx.deleteFrom('connections').execute());
    await save({ host: null });
  });

  const save = (fields: Record<string, string | null>, as = owner) =>
    askStaff(testApp, 'saveConnection', { as, params: { name: 'mail' }, body: { fields } });
  const port = () => new URL(smtp.url).port;
  const fieldOf = (answer: ConnectionsAnswer, field: string): FieldState | undefined =>
    answer.connections.find(({ name }) => name === 'mail')?.fields.find(({ name }) => name === field);
  const passwordRow = () =>
    testApp.db.read
      .selectFrom('connections')
      .selectAll()
      .where('field', '=', 'mail.password')
      .executeTakeFirstOrThrow();
  /** Another process of the shop, on the same database. */
  const elsewhere = (variables: Record<string, string> = {}) =>
    createContainer({
      db: testApp.db,
      env: testEnv({ DATA_DIR: testApp.dataDir, ...variables }),
      now: testApp.clock.now,
    });

  describe(`the mail server on ${engine}`, () => {
    test('emails go through a mail server from the moment that an owner saves it, from every process', async () => {
      const other = elsewhere();
      expect(await other.mailDestination()).toEqual({ to: join(testApp.dataDir, 'outbox'), sends: false });
      expect((await save({ host: '127.0.0.1', port: port() })).status).toBe(200);
      expect(await other.mailDestination()).toEqual({ to: `127.0.0.1:${port()}`, sends: true });
      await testApp.db.transaction((trx) =>
        testApp.container.mail.enqueue(trx, {
          kind: 'welcome',
          recipient: 'new@buyer.example',
          locale: 'en',
          data: {},
        }),
      );
      await testApp.container.deliveries.run();
      expect(smtp.received.map(({ to }) => to)).toEqual(['new@buyer.example']);
      await save({ host: null, port: null });
      expect((await other.mailDestination()).sends).toBe(false);
    });

    test('a password is encrypted in the database, and stands in no answer, journal or log', async () => {
      const { body } = await save({ host: 'mail.example', user: 'shop', password });
      const row = await passwordRow();
      expect(row.value).not.toContain(password);
      const journal = await testApp.container.changes.journal({ kind: 'connection', most: 1 });
      expect(journal[0]).toMatchObject({
        id: 'mail',
        fields: [{ field: 'host' }, { field: 'user' }, { field: 'password' }],
      });
      const listed = await askStaff(testApp, 'connections', { as: owner });
      expect(fieldOf(body, 'password')).toMatchObject({
        name: 'password',
        from: 'office',
        value: null,
        tail: null,
        by: 'anna',
        at: testApp.clock.now(),
      });
      const everything = JSON.stringify([body, listed.body, journal, lines, row]);
      for (const text of [password, Buffer.from(password).toString('base64')])
        expect(everything).not.toContain(text);
      const { smtpUrl } = await testApp.container.connections.current();
      expect(smtpUrl).toBe(`smtp://shop:${password}@mail.example`);
    });

    test('an encrypted value cannot stand in for that of another field', async () => {
      await save({ host: 'mail.example', user: 'shop', password });
      const row = await passwordRow();
      await testApp.db.transaction((trx) =>
        trx
          .insertInto('connections')
          .values({ ...row, field: 'instagram.token' })
          .execute(),
      );
      const { connections } = elsewhere();
      expect((await connections.current()).instagram).toBeNull();
      const answer = await connections.list(new Map(), 'en');
      expect(answer.connections.find(({ name }) => name === 'instagram')?.fields).toMatchObject([
        { from: 'locked' },
      ]);
    });

    test('a connection with a damaged secret is not used', async () => {
      await save({ host: 'mail.example', user: 'shop', password });
      await testApp.db.transaction((trx) =>
        trx.updateTable('connections').set({ value: '1.x.y' }).where('field', '=', 'mail.password').execute(),
      );
      expect((await elsewhere().connections.current()).smtpUrl).toBeNull();
    });

    test('the key is a file that only its owner reads, and several starts at once make one', async () => {
      const dataDir = join(testApp.dataDir, 'fresh');
      const starts = [1, 2, 3].map(() => elsewhere({ DATA_DIR: dataDir }).connections.makeKey());
      await Promise.all(starts);
      const file = join(dataDir, 'connections.key');
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      expect(Buffer.from((await readFile(file, 'utf8')).trim(), 'base64')).toHaveLength(32);
    });

    test('the environment wins, its fields say so, and nobody can set them', async () => {
      await save({ host: 'mail.example' });
      const env = { SMTP_URL: 'smtps://u:p@operator.example' };
      const other = elsewhere(env);
      expect((await other.mailDestination()).to).toBe('operator.example:465');
      const answer = await other.connections.list(new Map(), 'en');
      expect(fieldOf(answer, 'host')).toMatchObject({
        name: 'host',
        from: 'environment',
        value: null,
        tail: null,
        by: null,
        at: null,
      });
      const refused = await other.changes
        .run({ kind: 'terminal' }, 'connection set', (change) =>
          other.connections.save(change, 'mail', { host: 'x.example' }),
        )
        .catch((error: unknown) => error);
      expect(translateFieldErrors((refused as AppError).details.errors ?? {}, 'en')).toEqual({
        'fields.host': 'Set by SMTP_URL in the environment, which takes precedence',
      });
    });

    test('a database without its key says what is missing, and its owner can start again', async () => {
      await save({ host: 'mail.example', user: 'shop', password });
      const dataDir = join(testApp.dataDir, 'copied');
      const copy = elsewhere({ DATA_DIR: dataDir });
      await copy.connections.prepare();
      expect(await stat(join(dataDir, 'connections.key')).catch(() => null)).toBeNull();
      expect((await copy.connections.current()).smtpUrl).toBeNull();
      const answer = await copy.connections.list(new Map(), 'en');
      expect(answer.locked).toContain('connections.key, and CONNECTIONS_KEY is not set');
      expect(fieldOf(answer, 'password')?.from).toBe('locked');
      const set = () =>
        copy.changes.run({ kind: 'terminal' }, 'connection set', (change) =>
          copy.connections.save(change, 'mail', { password: 'other' }),
        );
      await expect(set()).rejects.toMatchObject({ key: 'doctor.connections.noKey' });
      await copy.connections.makeKey();
      await copy.changes.run({ kind: 'terminal' }, 'connection forget', (change) =>
        copy.connections.forgetLocked(change),
      );
      await set();
      expect((await copy.connections.current()).smtpUrl).toBe('smtp://shop:other@mail.example');
      const first = await testApp.container.connections.list(new Map(), 'en');
      expect(first.locked).toContain('another key');
      await rm(dataDir, { recursive: true });
      await testApp.db.transaction((trx) =>
        trx.deleteFrom('secrets').where('name', '=', 'connectionsKeyId').execute(),
      );
    });

    test('a key of the environment encrypts in place of the file', async () => {
      const key = Buffer.alloc(32, 7).toString('base64');
      await testApp.db.transaction((trx) =>
        trx.deleteFrom('secrets').where('name', '=', 'connectionsKeyId').execute(),
      );
      const [one, two] = [1, 2].map((no) =>
        elsewhere({ DATA_DIR: join(testApp.dataDir, `machine-${no}`), CONNECTIONS_KEY: key }),
      );
      await one?.connections.prepare();
      await one?.changes.run({ kind: 'terminal' }, 'connection set', (change) =>
        one.connections.save(change, 'mail', { host: 'mail.example', user: 'shop', password }),
      );
      expect((await two?.connections.current())?.smtpUrl).toBe(`smtp://shop:${password}@mail.example`);
      await testApp.db.transaction((trx) =>
        trx.deleteFrom('secrets').where('name', '=', 'connectionsKeyId').execute(),
      );
    });

    test('values that cannot be right are refused at their fields, and change nothing', async () => {
      const wrong = await save({ host: 'mail server', port: '99999', user: 'shop' });
      expect(wrong).toMatchObject({
        status: 400,
        body: {
          errors: { 'fields.host': 'Please check this value', 'fields.port': 'Please check this value' },
        },
      });
      expect((await save({ hosts: 'mail.example' })).status).toBe(400);
      expect((await save({ security: 'none' })).status).toBe(400);
      expect(await testApp.db.read.selectFrom('connections').selectAll().execute()).toEqual([]);
    });

    test('a test email goes to whoever asks, and a failure is said in words', async () => {
      const ask = async () =>
        (await askStaff(testApp, 'testConnection', { as: owner, params: { name: 'mail' } })).body;
      expect(await ask()).toEqual({ works: false, text: 'Set it up first, then test it.' });
      await save({ host: '127.0.0.1', port: port() });
      expect(await ask()).toMatchObject({ works: true, text: expect.stringContaining('anna@shop.example') });
      expect(smtp.received.map(({ to }) => to)).toEqual(['anna@shop.example']);
      smtp.fail('RCPT', 550);
      expect((await ask()).text).toBe(`127.0.0.1:${port()} does not deliver to your address.`);
      await save({ user: 'shop', password });
      smtp.fail('AUTH', 535);
      expect(await ask()).toEqual({
        works: false,
        text: `127.0.0.1:${port()} does not accept the user name and password.`,
      });
      await save({ port: '1', user: null, password: null });
      expect((await ask()).text).toBe('127.0.0.1:1 refuses the connection. Check the port.');
    });

    test('the second factor is asked for again, and managers see nothing', async () => {
      const manager = await joinStaff(testApp, 'mo@shop.example', 'manager');
      await secureStaff(testApp, manager);
      expect((await askStaff(testApp, 'connections', { as: manager })).status).toBe(403);
      testApp.clock.advance(hourMs);
      expect(await save({ host: 'mail.example' })).toMatchObject({
        status: 403,
        body: { errorKey: 'staff.confirmNeeded' },
      });
    });
  });
});
