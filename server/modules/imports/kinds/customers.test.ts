/** Customers of another shop: who gets an account, what becomes of those who have one, and that nothing of them stays behind. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { mintPermit } from '#server/platform/permits.ts';
import { dayMs, minuteMs } from '#server/platform/time-zone.ts';
import {
  confirmEmail,
  goodPassword,
  mailsFor,
  register,
  signOn,
  temporaryPasswordIn,
} from '#tests/accounts.ts';
import { importer, importing } from '#tests/importing.ts';
import { csvText } from '#tests/sheets.ts';
import { askStaff, codeOf, joinStaff, secureStaff, staffPassword } from '#tests/staff.ts';
import { createTestApp, forEachEngine, type Shopper, type TestApp } from '#tests/test-app.ts';
import { wholeDatabase } from '#tests/whole-database.ts';

const before = 'First Name,Last Name,Email,Accepts Email Marketing';
const behind = 'Accepts SMS Marketing,Total Spent,Total Orders';
const address = ['Address1', 'Address2', 'City'];
/** Until 2023, and since then. */
const headers = {
  old: `${before},Company,${address.join()},Province,Province Code,Country,Country Code,Zip,Phone,${behind},Tags,Note,Tax Exempt`,
  new: `Customer ID,${before},${['Company', ...address, 'Province Code', 'Country Code', 'Zip', 'Phone'].map((each) => `Default Address ${each}`).join()},Phone,${behind},Note,Tax Exempt,Tags`,
};
type Vintage = keyof typeof headers;
type Cells = Record<string, string>;

const person = (email: string, more: Cells = {}): Cells => ({
  'First Name': 'Ada',
  'Last Name': 'Byron',
  Email: email,
  'Accepts Email Marketing': 'no',
  'Customer ID': "'77001",
  Address1: '12 Harbour Rd',
  City: 'Toronto',
  Province: 'Ontario',
  'Province Code': 'ON',
  Country: 'Canada',
  'Country Code': 'CA',
  Zip: 'M5V 2T6',
  Phone: "'+1 416 555 0142",
  'Total Spent': '12.00',
  'Tax Exempt': 'no',
  ...more,
});

function fileOf(vintage: Vintage, people: readonly Cells[]): string {
  const header = headers[vintage].split(',');
  return csvText([
    header,
    ...people.map((each) => header.map((name) => each[name.replace('Default Address ', '')] ?? '')),
  ]);
}

forEachEngine((engine) => {
  let testApp: TestApp;
  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true, env: { PUBLIC_URL: 'https://shop.example' } });
  });
  const { send, go } = importing(() => testApp, 'customers.csv');
  async function apply(content: string, invite = false) {
    const { importRuns } = testApp.container;
    const { id, kind, columns, options } = await send(content);
    await importRuns.change(
      importer,
      id,
      { kind, fields: columns.map(({ field }) => field), ...options, invite },
      'en',
    );
    await importRuns.work();
    return go(id);
  }
  const accountOf = (email: string) =>
    testApp.db.read.selectFrom('customers').selectAll().where('email_key', '=', email).executeTakeFirst();

  it.each(['old', 'new'] as const)(
    'customers of the %s form get accounts without passwords, and a second run changes nothing',
    async (vintage) => {
      const email = `ada.${vintage}@people.example`;
      const file = fileOf(vintage, [
        person(` ${email.toUpperCase()} `, {
          'Accepts Email Marketing': 'yes',
          Note: 'Likes oolong',
          Company: 'Engines Ltd',
        }),
        person(`bob.${vintage}@people.example`, {
          'First Name': '',
          Phone: '12',
          'Country Code': 'XX',
          Country: 'XX',
        }),
        person(email),
        person('no address'),
      ]);
      const judged = await send(file);
      expect(judged).toMatchObject({
        kind: 'customers',
        counts: { new: 2, changed: 0, unchanged: 0, problem: 2 },
        warnings: 2,
      });
      const unplaced = judged.columns
        .filter(({ field, example }) => field === null && example !== '')
        .map(({ name }) => name);
      expect(unplaced).toEqual(
        vintage === 'old' ? ['Total Spent', 'Tax Exempt'] : ['Customer ID', 'Total Spent', 'Tax Exempt'],
      );
      const { rows } = await testApp.container.importRuns.rows(judged.id, {}, 'en');
      const said = rows.flatMap(({ problems }) => problems.map(({ text }) => text));
      expect(said).toEqual([
        expect.stringMatching(/^row 3, (?:Phone|Default Address Phone): .*found "12"/),
        expect.stringMatching(/^row 3, (?:Country|Default Address Country Code): the address/),
        expect.stringMatching(/^row 4, Email: is also in row 2/),
        expect.stringMatching(/^row 5, Email: must be an email address/),
      ]);
      expect(await accountOf(email)).toBeUndefined();

      const { id } = await apply(file);
      expect(await accountOf(email)).toMatchObject({
        first_name: 'Ada',
        mobile_phone: vintage === 'old' ? '+1 416 555 0142' : '+1 416 555 0142',
        password_hash: '',
        accept_newsletter: 1,
        email_confirmed_at: null,
        billing_addresses: '[]',
      });
      expect(JSON.parse((await accountOf(email))?.shipping_addresses ?? '')).toMatchObject([
        {
          streetNumberAndNameDetails: 'Engines Ltd, 12 Harbour Rd',
          province: 'Ontario',
          postCode: 'M5V 2T6',
          countryISOCode: 'CA',
        },
      ]);
      expect(await accountOf(`bob.${vintage}@people.example`)).toMatchObject({
        accept_newsletter: 0,
        shipping_addresses: '[]',
      });
      const sheet = await testApp.container.accounts.office.sheet(
        mintPermit('customers.read', { kind: 'terminal' }, null),
        (await accountOf(email))?.id ?? '',
      );
      expect(sheet.notes.map(({ text }) => text)).toEqual(['Likes oolong']);
      expect(await mailsFor(testApp, email)).toEqual([]);
      for (const password of ['', ' ', goodPassword])
        expect((await signOn(testApp, email, password)).status).toBeGreaterThanOrEqual(400);
      const journal = await testApp.db.read.selectFrom('journal').selectAll().execute();
      expect(JSON.stringify(journal)).not.toMatch(/people\.example|Byron|Harbour|555 0142/);
      expect((await send(file)).counts).toMatchObject({ new: 0, changed: 0, unchanged: 2, problem: 2 });

      await go(id, 'takeBack');
      expect(await accountOf(email)).toBeUndefined();
    },
  );

  it('an account that is there gets only what it lacks, and nothing if its email is not shown to be theirs', async () => {
    const mine = await register(testApp, {
      email: 'mine@people.example',
      lastName: 'Lovelace',
      firstName: 'Augusta',
    });
    const stolen = await register(testApp, {
      email: 'stolen@people.example',
      firstName: 'Mallory',
      lastName: 'Thief',
    });
    await confirmEmail(testApp, mine.email);
    const { id, counts } = await apply(
      fileOf('old', [person(mine.email, { 'Accepts Email Marketing': 'yes' }), person(stolen.email)]),
    );
    expect(counts).toMatchObject({ new: 0, changed: 1, unchanged: 1 });
    const account = await accountOf(mine.email);
    expect(account).toMatchObject({
      first_name: 'Augusta',
      last_name: 'Lovelace',
      mobile_phone: '+1 416 555 0142',
    });
    expect(JSON.parse(account?.shipping_addresses ?? '')).toHaveLength(1);
    expect(await accountOf(stolen.email)).toMatchObject({
      first_name: 'Mallory',
      mobile_phone: '',
      shipping_addresses: '[]',
    });
    await go(id, 'takeBack');
    expect(await accountOf(mine.email)).toMatchObject({
      first_name: 'Augusta',
      mobile_phone: '',
      shipping_addresses: '[]',
    });
  });

  it('an invitation is sent when that is ticked and leads to a password once, and whoever has used it keeps the account', async () => {
    const [one, other] = ['invited@people.example', 'silent@people.example'];
    const { id } = await apply(fileOf('new', [person(one), person(other)]), true);
    const mails = await mailsFor(testApp, one, 'invitation');
    expect(mails.map(({ text }) => text)).toEqual([expect.stringContaining('Choose a password to sign in')]);
    expect(mails[0]?.text).not.toContain('Ada');
    // The link has no secret in it: the page that it leads to sends a temporary password to the address.
    const [link = ''] = /https?:\/\/\S+forgot\S+/.exec(mails[0]?.text ?? '') ?? [];
    expect(new URL(link).pathname).toMatch(/^(?:\/[a-z]{2})?\/account\/forgotpassword$/);
    const chosen = 'a kettle of keemun at five';
    const session = await confirmEmail(testApp, one, chosen);
    const [sent, ...more] = await mailsFor(testApp, one, 'temporaryPassword');
    expect(sent?.text).not.toContain('old password');
    expect(more).toEqual([]);
    const temporaryPassword = sent ? temporaryPasswordIn(sent) : '';
    const body = { userID: one, temporaryPassword, password: goodPassword, passwordConfirm: goodPassword };
    expect((await testApp.ask('resetPasswordExternal', { session: testApp.shopper(), body })).status).toBe(
      400,
    );
    expect((await signOn(testApp, one, goodPassword)).status).toBeGreaterThanOrEqual(400);
    expect((await signOn(testApp, one, chosen)).status).toBe(200);
    expect((await testApp.call('userInfo2', { session })).user).toMatchObject({
      firstName: 'Ada',
      email: one,
    });
    await go(id, 'takeBack');
    expect(await accountOf(one)).toBeDefined();
    expect(await accountOf(other)).toBeUndefined();
    const { rows } = await testApp.container.importRuns.rows(id, {}, 'en');
    expect(rows.map(({ problems }) => problems.length)).toEqual([1, 0]);
  });

  it('files about people need the permission for people at every step, and invitations password and code again', async () => {
    const { importRuns } = testApp.container;
    const owner = await joinStaff(testApp, 'owner@shop.example');
    await secureStaff(testApp, owner);
    const roles = async (name: string, permissions: string[]) => {
      const { body } = await askStaff(testApp, 'addRole', { as: owner, body: { name, permissions } });
      return body.roles.find((role) => role.name === name)?.id ?? '';
    };
    const goods = await joinStaff(testApp, 'goods@shop.example', await roles('Goods', ['goods.import']));
    await secureStaff(testApp, goods);
    const people = await joinStaff(
      testApp,
      'people@shop.example',
      await roles('People', ['goods.import', 'customers.import']),
    );
    const { secret } = await secureStaff(testApp, people);

    const sent = await send(fileOf('new', [person('steps@example.com')]));
    const params = { import: sent.id };
    const fields = sent.columns.map(({ field }) => field);
    const body = { kind: sent.kind, fields, ...sent.options, invite: true };
    const asked = async (as: Shopper) => [
      (await askStaff(testApp, 'import', { as, params })).status,
      (await askStaff(testApp, 'importRows', { as, params })).status,
      (await askStaff(testApp, 'importReport', { as, params })).status,
      (await askStaff(testApp, 'changeImport', { as, params, body })).status,
      (await askStaff(testApp, 'applyImport', { as, params, body: { seen: sent.version } })).status,
      (await askStaff(testApp, 'stopImport', { as, params })).status,
      (await askStaff(testApp, 'takeImportBack', { as, params })).status,
    ];
    expect(await asked(goods)).toEqual(Array(7).fill(404));
    expect(
      (await askStaff(testApp, 'imports', { as: goods })).body.imports.map(({ id }) => id),
    ).not.toContain(sent.id);

    expect((await askStaff(testApp, 'changeImport', { as: people, params, body })).status).toBe(200);
    await importRuns.work();
    testApp.clock.advance(16 * minuteMs);
    const { version: seen } = await importRuns.read(sent.id, 'en');
    const apply = () => askStaff(testApp, 'applyImport', { as: people, params, body: { seen } });
    expect((await apply()).body.errorKey).toBe('staff.confirmNeeded');
    await askStaff(testApp, 'confirm', {
      as: people,
      body: { password: staffPassword, code: codeOf(secret, testApp) },
    });
    expect((await apply()).status).toBe(200);
    await importRuns.work();
    expect(await accountOf('steps@example.com')).toBeDefined();
    // The terminal sent the file, and the person applied it.
    const [entry] = await testApp.container.changes.journal({ most: 1, kind: 'customer' });
    expect(entry?.actor.kind).toBe('staff');
  });

  it('a file that was stopped is deleted with what was read of it', async () => {
    const { importRuns } = testApp.container;
    const { id } = await send(fileOf('new', [person('stopped@example.com')]));
    const kept = async () => ({
      rows: await testApp.db.read
        .selectFrom('bulk_change_rows')
        .select('no')
        .where('change_id', '=', id)
        .execute(),
      file: (await readdir(join(testApp.dataDir, 'imports'))).includes(
        (
          await testApp.db.read
            .selectFrom('imports')
            .select('hash')
            .where('id', '=', id)
            .executeTakeFirstOrThrow()
        ).hash,
      ),
    });
    expect((await kept()).rows.length).toBeGreaterThan(0);
    expect((await importRuns.stop(importer, id, 'en')).state).toBe('stopped');
    expect(await kept()).toEqual({ rows: [], file: false });
    expect((await go(id)).state).toBe('stopped');
  });

  it('a person has room for 200 files, and a stopped one makes room', async () => {
    const full = await createTestApp({ engine, demo: true });
    const { importRuns } = full.container;
    const permit = mintPermit('goods.import', { kind: 'staff', id: 'demo-mei' }, null, {
      also: ['customers.import'],
    });
    const sendFull = importing(() => full, 'customers.csv').send;
    const { id } = await sendFull(fileOf('new', [person('room@example.com')]), permit);
    await full.db.transaction(async (trx) => {
      const like = await trx.selectFrom('imports').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
      const bulk = await trx
        .selectFrom('bulk_changes')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      for (let n = 0; n < 199; n += 1) {
        await trx
          .insertInto('bulk_changes')
          .values({ ...bulk, id: `full-${n}`, state: 'judged' })
          .execute();
        await trx
          .insertInto('imports')
          .values({ ...like, id: `full-${n}`, hash: `hash-${n}` })
          .execute();
      }
    });
    const another = () => sendFull(fileOf('new', [person('room-2@example.com')]), permit);
    await expect(another()).rejects.toMatchObject({ details: { errorKey: 'import.noRoom' } });
    await importRuns.stop(permit, id, 'en');
    expect((await another()).state).toBe('judged');
  });

  it('a row about a person is exported and erased with them, is hidden from staff of one store, and ends after 30 days', async () => {
    const { importRuns } = testApp.container;
    const [gone, kept] = ['gone@people.example', 'kept@people.example'];
    const { id } = await apply(fileOf('new', [person(gone, { Address1: '9 Gone St' }), person(kept)]));
    const own = mintPermit('goods.import', { kind: 'staff', id: 'demo-noah' }, ['toronto-queen-west']);
    await expect(importRuns.see(own, id)).rejects.toMatchObject({ errorType: 'NOT_FOUND' });
    await expect(importRuns.takeBack(own, id, 'en')).rejects.toMatchObject({ errorType: 'NOT_FOUND' });
    expect((await importRuns.latest(own, 'en')).imports.map((each) => each.id)).not.toContain(id);

    const exported = await testApp.services.accounts.fulfilment.export(gone);
    expect((await exported()).imported).toMatchObject([
      { content: { address: { streetNumberAndNameDetails: '9 Gone St' } } },
    ]);
    const files = async () => (await readdir(join(testApp.dataDir, 'imports'))).length;
    const before = await files();
    await testApp.services.accounts.fulfilment.erase(gone);
    expect(await files()).toBe(before - 1);
    expect(await wholeDatabase(testApp)).not.toMatch(/gone@people|9 Gone St/);
    expect(await accountOf(kept)).toBeDefined();
    await go(id, 'takeBack');
    expect(await accountOf(kept)).toBeUndefined();
    testApp.clock.advance(31 * dayMs);
    await importRuns.prune();
    expect(await files()).toBe(0);
    expect(await wholeDatabase(testApp)).not.toMatch(/kept@people/);
  });
});
