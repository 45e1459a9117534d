/** The room Stores, over HTTP. */
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import type { Store } from '#contract/schemas/store.ts';
import { minuteMs } from '#server/platform/time-zone.ts';
import { repeats } from '#tests/long.ts';
import { askStaff, joinDemo, joinStaff, secureStaff } from '#tests/staff.ts';
import { createTestApp, onBothEngines, type Shopper, type TestApp } from '#tests/test-app.ts';

const store = 'toronto-queen-west';
const always = { open: '00:00', close: '24:00' };

onBothEngines((engine) => {
  let testApp: TestApp;
  let as: Shopper;
  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true });
    as = await joinDemo(testApp, 'demo-mei');
  });
  const load = async (id = store) => (await askStaff(testApp, 'store', { as, params: { id } })).body;
  const save = async (edits: object[], lang = 'en') => {
    const { revision } = await load();
    return askStaff(testApp, 'saveStore', {
      as,
      params: { id: store },
      query: { lang },
      body: { revision, edits },
    });
  };
  const tryOut = (edits: object[], postCode = '', itemsCents = 3000) =>
    askStaff(testApp, 'tryStore', { as, params: { id: store }, body: { edits, postCode, itemsCents } });

  it('a store that was edited shows in the storefront at its next request, and in the journal with the person', async () => {
    expect((await save([{ path: ['phone'], to: '416 555 0199' }])).status).toBe(200);
    const places = await testApp.call('pickupLocations', {});
    expect(places.find(({ localStoreName }) => localStoreName === store)?.phone).toBe('416 555 0199');
    const [entry] = (await askStaff(testApp, 'journal', { as })).body.entries;
    expect(entry).toMatchObject({
      action: 'stores change',
      kind: 'store',
      id: store,
      fields: [{ field: 'phone' }],
    });
  });

  it('an edit that a file would be refused for is refused at its field, in the language of the person, and changes nothing', async () => {
    const before = await load();
    const edits = [
      { path: ['openingHours', 'monday'], to: { open: '9h', close: '17:00' } },
      { path: ['name', 'en'] },
      { path: ['colour'], to: 'red' },
      { path: ['image'], to: 'nowhere.jpg' },
    ];
    const { status, body } = await save(edits);
    expect(status).toBe(400);
    const at = `stores.${store}`;
    expect(Object.keys(body.errors ?? {}).sort()).toEqual(
      [`${at}.colour`, `${at}.image`, `${at}.name.en`, `${at}.openingHours.monday.open`].sort(),
    );
    expect(body.errors?.[`${at}.openingHours.monday.open`]).toMatch(/^Must be a time from/);
    const zh = await save([{ path: ['timeZone'], to: 'Mars/Base' }], 'zh');
    expect(zh.body.errors?.[`${at}.timeZone`]).toMatch(/\p{Script=Han}/u);
    expect(await load()).toEqual(before);
  });

  it('a second main store is refused, and the id of a store stays', async () => {
    const { stores } = (await askStaff(testApp, 'stores', { as })).body;
    const all = await Promise.all(stores.map(({ id }) => load(id)));
    const other = all.find(({ content }) => !content.mainStore)?.content.id ?? '';
    const { revision } = await load(other);
    const asMain = { revision, edits: [{ path: ['mainStore'], to: true }] };
    const refused = await askStaff(testApp, 'saveStore', { as, params: { id: other }, body: asMain });
    expect([refused.status, Object.keys(refused.body.errors ?? {})]).toEqual([
      400,
      [`stores.${other}.mainStore`],
    ]);
    await save([{ path: ['id'], to: 'elsewhere' }]);
    expect((await load()).content.id).toBe(store);
  });

  it('a trial says which times the next shopper could choose and what a delivery would cost, and changes nothing', async () => {
    const before = await load();
    const days = Object.fromEntries(Object.keys(before.content.openingHours).map((day) => [day, always]));
    const open = [
      { path: ['openingHours'], to: days },
      { path: ['specialHours'], to: [] },
    ];
    const lead = (minutes: number) => tryOut([...open, { path: ['pickupLeadMinutes'], to: minutes }]);
    const [soon, late] = [(await lead(20)).body.pickupTimes, (await lead(95)).body.pickupTimes];
    expect(soon).toHaveLength(6);
    expect((late[0] ?? 0) - (soon[0] ?? 0)).toBe(75 * minuteMs);
    const [zone] = before.content.deliveryZones;
    const postCode = `${zone?.postalCodes[0]} 1A1`;
    const fee = [...open, { path: ['deliveryZones', zone?.id, 'feeCents'], to: 321 }];
    const minimum = zone?.minimumCents ?? 0;
    expect((await tryOut(fee, postCode, minimum - 100)).body.delivery).toMatchObject({
      feeCents: 321,
      missingCents: 100,
    });
    expect((await tryOut(fee, postCode, 10_000_000)).body.delivery).toMatchObject({
      feeCents: 0,
      missingCents: 0,
    });
    expect((await tryOut(fee, 'Z9Z')).body.delivery).toBeNull();
    expect((await tryOut([{ path: ['pickupSlotCapacity'], to: 0 }])).status).toBe(400);
    expect(await load()).toEqual(before);
  });

  it('a new store is hidden and has the hours of the first one but a contact of its own, and its id is never given twice', async () => {
    const contact = { phone: '+1 416-555-0100', email: 'harbour@shop.example' };
    const body = { id: 'harbour', name: { en: 'Harbour', zh: '海港' }, ...contact };
    const added = await askStaff(testApp, 'addStore', { as, body });
    const { openingHours } = (await load((await askStaff(testApp, 'stores', { as })).body.stores[0]?.id))
      .content;
    expect(added.body.content).toMatchObject({ ...body, display: false, mainStore: false, openingHours });
    expect(added.body.content.address).toMatchObject({ street: '', city: '', postCode: '' });
    expect(Object.keys((await askStaff(testApp, 'addStore', { as, body })).body.errors ?? {})).toEqual([
      'id',
    ]);
    for (const wrong of [{ phone: '' }, { email: '' }, { email: 'nobody' }, { phone: 'call us' }]) {
      const { status, body: answer } = await askStaff(testApp, 'addStore', {
        as,
        body: { ...body, id: 'pier', ...wrong },
      });
      expect([status, Object.keys(answer.errors ?? {})]).toEqual([400, Object.keys(wrong)]);
    }
    expect((await askStaff(testApp, 'stores', { as })).body.stores.map(({ id }) => id)).not.toContain('pier');
    const empty = await createTestApp({ engine });
    const owner = await joinStaff(empty, 'owner@shop.example');
    await secureStaff(empty, owner);
    expect((await askStaff(empty, 'addStore', { as: owner, body })).status).toBe(200);
  });

  it('somebody who works in one store edits that store only, and needs a second factor', async () => {
    const limited = await joinStaff(testApp, 'west@shop.example', 'manager', [store]);
    expect((await askStaff(testApp, 'stores', { as: limited })).status).toBe(403);
    await secureStaff(testApp, limited);
    const { stores } = (await askStaff(testApp, 'stores', { as: limited })).body;
    expect(stores.map(({ id }) => id)).toEqual([store]);
    const other =
      (await askStaff(testApp, 'stores', { as })).body.stores.find(({ id }) => id !== store)?.id ?? '';
    const body = { revision: 0, edits: [{ path: ['phone'], to: '1' }] };
    for (const params of [{ id: other }, { id: 'nowhere' }]) {
      expect((await askStaff(testApp, 'store', { as: limited, params })).status).toBe(404);
      expect((await askStaff(testApp, 'saveStore', { as: limited, params, body })).status).toBe(404);
    }
    const added = await askStaff(testApp, 'addStore', {
      as: limited,
      body: { id: 'own', name: { en: 'Own' }, phone: '555-0100', email: 'own@shop.example' },
    });
    expect(added.status).toBe(404);
    expect(
      (
        await askStaff(testApp, 'saveStore', {
          as: limited,
          params: { id: store },
          body: { ...body, edits: [] },
        })
      ).status,
    ).toBe(200);
  });

  const shopFile = async () => {
    const pieces: string[] = [];
    for await (const piece of testApp.container.exports.shopFiles.text()) pieces.push(piece);
    return pieces.join('');
  };
  const revisions = async (id = store) =>
    (await askStaff(testApp, 'storeRevisions', { as, params: { id } })).body.revisions;
  const restore = async (revision: number, seen?: number) => {
    const body = { revision, seen: seen ?? (await load()).revision };
    return askStaff(testApp, 'restoreStore', { as, params: { id: store }, body });
  };

  it('a store is led back to the same bytes over random edits, a busy hour and the file, and forth again', async () => {
    const fields = [
      'phone',
      'email',
      'lat',
      'tables',
      'display',
      'openingHours',
      'specialHours',
      'deliveryZones',
      'description',
    ];
    const other = (await load('ottawa-byward')).content as unknown as Record<string, unknown>;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom(...fields), fc.boolean(), fc.nat(9999)), {
          minLength: 1,
          maxLength: 6,
        }),
        async (steps) => {
          await save([{ path: ['tables'], to: 1 }]);
          await save([{ path: ['tables'], to: 2 }]);
          const [{ no: before } = { no: 0 }] = await revisions();
          const bytes = await shopFile();
          for (const [field, byFile, number] of [
            ...[false, true].map((byFile) => ['description', byFile, steps.length] as const),
            ...steps,
          ]) {
            const content = (await load()).content as unknown as Record<string, unknown>;
            // The languages in the other order, which an edit alone would not bring back.
            const texts = Object.keys((content.description ?? {}) as object).toReversed();
            const named =
              field === 'description'
                ? Object.fromEntries(texts.map((code) => [code, `${number}`]))
                : other[field];
            const to =
              field === 'tables'
                ? number
                : JSON.stringify(named) === JSON.stringify(content[field])
                  ? undefined
                  : named;
            if (to === undefined) continue;
            if (byFile)
              await testApp.services.stores.upsert([{ ...content, [field]: to } as unknown as Store]);
            else expect((await save([{ path: [field], to }])).status).toBe(200);
          }
          await askStaff(testApp, 'changePickup', {
            as,
            params: { store },
            body: { busyMinutes: steps.length },
          });
          const changed = await shopFile();
          const [{ no: after } = { no: 0 }] = await revisions();
          expect((await restore(before)).status).toBe(200);
          expect(await shopFile()).toBe(bytes);
          expect((await restore(after)).status).toBe(200);
          expect(await shopFile()).toBe(changed);
        },
      ),
      { numRuns: { sqlite: repeats(6, 60), postgres: 3 }[engine], endOnFailure: true },
    );
  });

  it('a revision says who changed what, and one that is not there, or of another store, is not restored', async () => {
    await save([{ path: ['address', 'street'], to: '2 Way Back' }]);
    const [latest] = await revisions();
    expect(latest).toMatchObject({ by: 'Mei Chen', action: 'stores change', isKept: true });
    expect(latest?.fields).toMatchObject([{ path: ['address', 'street'], to: '2 Way Back' }]);
    expect((await restore(1_000_000)).status).toBe(404);
    // Somebody else saved meanwhile.
    const seen = (await load()).revision;
    await save([{ path: ['phone'], to: '416 555 0177' }]);
    expect((await restore(latest?.no ?? 0, seen)).status).toBe(409);
    expect((await load()).content.phone).toBe('416 555 0177');
    const limited = await joinStaff(testApp, 'east@shop.example', 'manager', ['ottawa-byward']);
    await secureStaff(testApp, limited);
    const body = { revision: latest?.no ?? 0, seen: (await load()).revision };
    const params = { id: store };
    expect((await askStaff(testApp, 'restoreStore', { as: limited, params, body })).status).toBe(404);
    expect((await askStaff(testApp, 'storeRevisions', { as: limited, params })).status).toBe(404);
    expect((await askStaff(testApp, 'storeUse', { as: limited, params })).status).toBe(404);
    expect(
      (await askStaff(testApp, 'removeStore', { as: limited, params: { id: 'ottawa-byward' } })).status,
    ).toBe(404);
  });

  it('a store says what removing it would change, in the language of the person, and is gone from the shop then', async () => {
    const id = 'pop-up';
    await askStaff(testApp, 'addStore', {
      as,
      body: { id, name: { en: 'Pop-up' }, phone: '+1 416-555-0111', email: 'pop@shop.example' },
    });
    const use = async (of: string, lang = 'en') =>
      (await askStaff(testApp, 'storeUse', { as, params: { id: of }, query: { lang } })).body;
    expect((await use('ottawa-byward')).affected.join()).toMatch(
      /units in stock at the store will be deleted/,
    );
    expect((await use('ottawa-byward', 'zh')).affected.join()).toMatch(/件库存将被删除/);
    const main = (await testApp.services.stores.all()).find(({ mainStore }) => mainStore)?.id ?? '';
    expect((await use(main)).refused).toMatch(/is the main store/);
    expect((await askStaff(testApp, 'removeStore', { as, params: { id: main } })).status).toBe(409);
    expect((await askStaff(testApp, 'removeStore', { as, params: { id } })).status).toBe(200);
    expect((await askStaff(testApp, 'store', { as, params: { id } })).status).toBe(404);
    expect((await askStaff(testApp, 'stores', { as })).body.stores.map((each) => each.id)).not.toContain(id);
    expect((await askStaff(testApp, 'removeStore', { as, params: { id } })).status).toBe(404);
  });
});
