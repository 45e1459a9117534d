/** Customers in the office: who finds whom, notes, export and erasing. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { CustomerQuery } from '#contract/staff/customers.ts';
import { addNote } from '#db/notes.ts';
import { demoCustomerId } from '#demo/customer-id.ts';
import { mintPermit } from '#server/platform/permits.ts';
import { mostNotes } from '#server/platform/staff-notes.ts';
import { askStaff, joinStaff, secureStaff } from '#tests/staff.ts';
import { createTestApp, onBothEngines, type Shopper, type TestApp } from '#tests/test-app.ts';

const terminal = { kind: 'terminal' } as const;
const storeOfOrders = 'toronto-queen-west';

onBothEngines((engine) => {
  let testApp: TestApp;
  let owner: Shopper;
  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true });
    owner = await joinStaff(testApp, 'owner@people.example');
    await secureStaff(testApp, owner);
    for (const [firstName, lastName, mobilePhone] of people) await register(firstName, lastName, mobilePhone);
  });

  function register(firstName: string, lastName: string, mobilePhone: string): Promise<boolean> {
    testApp.clock.advance(1000);
    return testApp.container.accounts.import({
      id: `id-${mobilePhone.slice(-4)}`,
      firstName,
      lastName,
      mobilePhone,
      email: `${firstName}${mobilePhone.slice(-2)}@people.example`,
      password: 'seven blue lamps',
      acceptNewsletter: false,
      language: 'en',
      shippingAddresses: [],
      billingAddresses: [],
      createdAt: testApp.clock.now(),
    });
  }
  const people = [
    ['Anna', 'Zhou', '+1 416 555 7101'],
    ['Annabel', 'Annesley', '+1 416 555 7102'],
    ['若涵', '林', '+86 138 0013 7103'],
    ['Zoë', 'Anders', '+1 416 555 7104'],
  ] as const;

  /** The first names on every page of what is asked for. */
  async function names(query: CustomerQuery, stores: string[] | null = null): Promise<string[]> {
    const { office } = testApp.container.accounts;
    const found: string[] = [];
    for (let after: string | undefined; ; ) {
      const page = await office.page(mintPermit('customers.read', terminal, stores), {
        ...query,
        ...(after ? { after } : {}),
      });
      found.push(...page.customers.map(({ firstName }) => firstName));
      if (page.after === null) return found;
      after = page.after;
    }
  }

  describe('the list', () => {
    it('a customer is found by beginnings of names and emails and by the last four digits of the phone, and once', async () => {
      expect(await names({ text: 'ann' })).toEqual(['Anna', 'Annabel']);
      expect(await names({ text: 'anna zhou' })).toEqual(['Anna']);
      expect(await names({ text: 'ANNABEL02@people' })).toEqual(['Annabel']);
      expect(await names({ text: '7104' })).toEqual(['Zoë']);
      expect(await names({ text: '林若' })).toEqual(['若涵']);
      expect(await names({ text: 'zoe' })).toEqual(['Zoë']);
      expect(await names({ text: 'ann nobody' })).toEqual([]);
      expect(await names({ text: '%' })).toEqual([]);
      expect((await names({})).slice(1, 3)).toEqual(['Zoë', '若涵']);
    });

    it('each customer is on one page, in one order, however many there are', async () => {
      for (let at = 0; at < 33; at++) await register('Many', `Person${at % 3}`, `+1 905 555 ${5000 + at}`);
      for (const query of [{ text: 'many' }, { text: 'person' }, { text: 'm' }, {}]) {
        const { office } = testApp.container.accounts;
        const ids: string[] = [];
        for (let after: string | undefined; ; ) {
          const page = await office.page(mintPermit('customers.read', terminal, null), {
            ...query,
            ...(after ? { after } : {}),
          });
          expect(page.customers.length).toBeLessThanOrEqual(30);
          ids.push(...page.customers.map(({ id }) => id));
          if (page.after === null) break;
          after = page.after;
        }
        expect(
          ids.filter((id) => id.startsWith('id-5')),
          JSON.stringify(query),
        ).toHaveLength(33);
        expect(new Set(ids).size).toBe(ids.length);
      }
    });

    it('a new name finds the customer, and the old one no longer does', async () => {
      const session = testApp.shopper();
      const given = {
        firstName: 'Before',
        lastName: 'Changed',
        email: 'before@people.example',
        mobilePhone: '+1 416 555 9911',
      };
      const password = 'seven blue lamps';
      await testApp.call('clientRegistration', {
        session,
        body: { ...given, password, passwordConfirm: password },
      });
      expect(await names({ text: 'before' })).toEqual(['Before']);
      await testApp.call('updateUserInfo', {
        session,
        body: { firstName: 'After', mobilePhone: '+1 416 555 9922' },
      });
      expect(await names({ text: 'after' })).toEqual(['After']);
      expect(await names({ text: '9922' })).toEqual(['After']);
      expect(await names({ text: '9911' })).toEqual([]);
    });
  });

  it('staff of a store see who has ordered there, with the orders of that store, and nobody else exists for them', async () => {
    expect(await names({}, [storeOfOrders])).toHaveLength(1);
    const as = await joinStaff(testApp, 'manager@people.example', 'manager', [storeOfOrders]);
    await secureStaff(testApp, as);
    const params = { id: demoCustomerId };
    expect((await askStaff(testApp, 'customer', { as, params })).status).toBe(200);
    const everywhere = (await askStaff(testApp, 'orders', { as: owner, query: { customer: demoCustomerId } }))
      .body.orders;
    const here = (await askStaff(testApp, 'orders', { as, query: { customer: demoCustomerId } })).body.orders;
    expect(here).toEqual(everywhere.filter(({ store }) => store === storeOfOrders));
    expect(here.length).toBeLessThan(everywhere.length);
    const [row] = (await askStaff(testApp, 'customers', { as })).body.customers;
    expect(row).toMatchObject({ id: demoCustomerId, orders: here.length });
    for (const name of ['customer', 'noteCustomer'] as const) {
      const body = name === 'noteCustomer' ? { body: { text: 'Hello' } } : {};
      expect((await askStaff(testApp, name, { as, params: { id: 'id-7101' }, ...body })).status, name).toBe(
        404,
      );
    }
    // What a customer did at other stores is not theirs to hand out or to delete.
    expect((await askStaff(testApp, 'exportCustomer', { as, params })).status).toBe(403);
    expect((await askStaff(testApp, 'eraseCustomer', { as, params, body: { email: 'x' } })).status).toBe(403);
  });

  it('an order and a customer have 200 notes at most, so that nobody makes their pages slow for all', async () => {
    const [order] = (await askStaff(testApp, 'orders', { as: owner })).body.orders;
    const [number, customer] = [order?.number ?? '', 'id-7101'];
    const { id } = await testApp.db.read
      .selectFrom('orders')
      .select('id')
      .where('order_number', '=', number)
      .executeTakeFirstOrThrow();
    const note = { text: 'Calls before noon', at: testApp.clock.now(), actor: null };
    await testApp.db.transaction(async (trx) => {
      for (let count = 1; count < mostNotes; count += 1) {
        await addNote(trx, 'order', id, note);
        await addNote(trx, 'customer', customer, note);
      }
    });
    const body = { text: 'One more' };
    for (const status of [200, 409]) {
      expect((await askStaff(testApp, 'noteOrder', { as: owner, params: { number }, body })).status).toBe(
        status,
      );
      expect(
        (await askStaff(testApp, 'noteCustomer', { as: owner, params: { id: customer }, body })).status,
      ).toBe(status);
    }
    const sheet = await askStaff(testApp, 'order', { as: owner, params: { number } });
    const person = await askStaff(testApp, 'customer', { as: owner, params: { id: customer } });
    expect([sheet.body.notes.length, person.body.notes.length]).toEqual([mostNotes, mostNotes]);
  });

  it('a note has its time and person, is in both exports, and is erased with the customer', async () => {
    const params = { id: 'id-7102' };
    expect(
      (await askStaff(testApp, 'noteCustomer', { as: owner, params, body: { text: ' Calls before noon ' } }))
        .status,
    ).toBe(200);
    const { notes } = (await askStaff(testApp, 'customer', { as: owner, params })).body;
    expect(notes).toMatchObject([{ text: 'Calls before noon', by: 'owner', at: testApp.clock.now() }]);
    const exported = await askStaff(testApp, 'exportCustomer', { as: owner, params });
    expect(exported.body.data).toMatchObject({
      email: 'Annabel02@people.example',
      account: { staffNotes: [{ text: 'Calls before noon' }] },
    });
    const session = testApp.shopper();
    await testApp.call('signon', {
      session,
      body: { userID: 'annabel02@people.example', password: 'seven blue lamps' },
    });
    expect((await testApp.call('accountData', { session })).staffNotes).toMatchObject([
      { text: 'Calls before noon' },
    ]);

    const wrong = await askStaff(testApp, 'eraseCustomer', {
      as: owner,
      params,
      body: { email: 'anna01@people.example' },
    });
    expect(wrong.body.errors).toHaveProperty('email');
    const erased = await askStaff(testApp, 'eraseCustomer', {
      as: owner,
      params,
      body: { email: 'ANNABEL02@people.example' },
    });
    expect(erased.body).toEqual({ guestOrders: 0, messages: 0 });
    expect((await askStaff(testApp, 'customer', { as: owner, params })).status).toBe(404);
    expect(await names({ text: 'annabel' })).toEqual([]);
    const left = testApp.db.read
      .selectFrom('customer_notes')
      .selectAll()
      .where('customer_id', '=', params.id);
    expect(await left.execute()).toEqual([]);
    const { entries } = (
      await askStaff(testApp, 'journal', { as: owner, query: { kind: 'customer', id: 'id-7102' } })
    ).body;
    expect(entries.map(({ action, by }) => [action, by])).toEqual([
      ['customer delete', 'owner'],
      ['customer export', 'owner'],
      ['customer note', 'owner'],
    ]);
    expect(JSON.stringify(entries)).not.toMatch(/Annabel|noon|@/);
  });
});
