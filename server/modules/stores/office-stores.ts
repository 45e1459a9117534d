/** The room Stores: the stores as the office reads, edits and tries them. */
import type { FastifyInstance } from 'fastify';
import { weekdays } from '#contract/limits.ts';
import { type Locale, type LocalText, mainLocale } from '#contract/locales.ts';
import { problem } from '#contract/problems.ts';
import { contactErrors } from '#contract/rules/contact.ts';
import { edited } from '#contract/rules/patch.ts';
import { type Store, StoreInput } from '#contract/schemas/store.ts';
import type { Patch } from '#contract/staff/endpoint.ts';
import type { StaffBody, StaffResponse } from '#contract/staff/endpoints.ts';
import type { StoreTrial } from '#contract/staff/stores.ts';
import type { Database } from '#db/database.ts';
import { serveStaff } from '#server/http/staff-endpoint.ts';
import { type Change, type ChangesService, patched, revisionOf } from '#server/modules/changes/index.ts';
import type { MediaService } from '#server/modules/media/index.ts';
import type { SettingsService } from '#server/modules/settings/index.ts';
import { InputError, notFound, validationError } from '#server/platform/errors.ts';
import type { Permit } from '#server/platform/permits.ts';
import { schemaProblems } from '#server/platform/schema-problems.ts';
import { minuteMs } from '#server/platform/time-zone.ts';
import { statusNow } from './open-hours.ts';
import type { PickupService } from './pickup.service.ts';
import { toStore, zoneOf } from './store.ts';
import { allStores, type StoreRow } from './stores.repository.ts';
import type { StoresService } from './stores.service.ts';

type StorePermit = Permit<'settings.stores'>;

interface OfficeStoresDeps {
  db: Database;
  now: () => number;
  changes: ChangesService;
  media: MediaService;
  settings: SettingsService;
  stores: StoresService;
  pickup: PickupService;
}

const shownTimes = 6;

function createOfficeStores({ db, now, media, settings, stores, pickup }: OfficeStoresDeps) {
  async function read(permit: StorePermit, id: string): Promise<StaffResponse<'store'>> {
    const revision = await revisionOf(db.read, { kind: 'store', ids: [id] });
    return { revision, content: reached(await allStores(db.read), permit, id) };
  }

  return {
    read,

    async list(permit: StorePermit, locale: Locale): Promise<StaffResponse<'stores'>> {
      const reached = (await stores.all()).filter(({ id }) => permit.reaches(id));
      return { stores: reached.map((store) => inList(store, now(), locale)) };
    },

    /** @throws {AppError} for an id that is taken, or was in the past: orders refer to it; for a phone or email that is none */
    async add(change: Change, permit: StorePermit, { id, name, ...contact }: StaffBody<'addStore'>): Promise<void> {
      if (!permit.reaches(null)) throw notFound();
      // Emails about its orders go there.
      const errors = contactErrors(
        { email: contact.email, phoneNumber: contact.phone },
        { requireMobile: true, requireEmail: true },
      );
      const { 'contact.email': email, 'contact.phoneNumber': phone } = errors;
      if (email || phone) throw validationError({ ...(email && { email }), ...(phone && { phone }) });
      await stores.lock(change.trx);
      const known = await stores.read(change.trx);
      if ([...known, ...(await stores.removed())].some((each) => each.id === id))
        throw validationError({ id: 'office.store.taken' });
      await stores.upsert(change, [{ ...newStore(id, name, known[0]), ...contact }]);
    },

    /** @throws {AppError} CONFLICT; {InputError} naming every problem */
    async save(change: Change, permit: StorePermit, id: string, patch: Patch): Promise<void> {
      const { trx } = change;
      await stores.lock(trx);
      const before = reached(await allStores(trx), permit, id);
      const store = { ...(await patched(trx, { kind: 'store', ids: [id] }, before, patch)), id };
      await checkEdited(media, store, before);
      await stores.upsert(change, [store]);
    },

    /** What the next shopper would be offered if the edits were saved. @throws {InputError} for what could not be */
    async try(permit: StorePermit, id: string, { edits, postCode, itemsCents }: StaffBody<'tryStore'>, locale: Locale) {
      const { content } = await read(permit, id);
      const store = { ...edited(content, edits), id };
      await checkEdited(media, store, content);
      const problems = await stores.problemsOf([store]);
      if (problems.length > 0) throw new InputError(problems);
      const today = (await stores.all()).find((each) => each.id === id)?.today;
      const pickupTimes = store.allowPickup ? await pickup.nextTimes({ ...store, ...(today && { today }) }, shownTimes) : [];
      return {
        currency: (await settings.all()).currency,
        status: statusNow(store, now(), locale).text,
        pickupTimes,
        delivery: deliveryBy(store, postCode, itemsCents, now()),
      };
    },
  };
}

function inList(store: Store, now: number, locale: Locale): StaffResponse<'stores'>['stores'][number] {
  const { id, name, display, allowPickup } = store;
  const address = [store.address.street, store.address.city].filter((each) => each !== '').join(', ');
  return { id, nameContent: name, address, status: statusNow(store, now, locale).text, display, allowPickup };
}

/** @throws {AppError} NOT_FOUND for a store that is not there, or not the permit's */
function reached(rows: readonly StoreRow[], permit: StorePermit, id: string): Store {
  const row = rows.find((each) => each.id === id);
  if (!row || !permit.reaches(id)) throw notFound();
  return toStore(row);
}

/** What a file would be refused for as well. Files also bring images along; an edit can only name one that is there. */
async function checkEdited(media: MediaService, store: Store, before: Store): Promise<void> {
  const { image } = store;
  const hasImage = image === null || image === before.image || (await media.images([image])).has(image);
  const problems = [...schemaProblems(StoreInput, store), ...(hasImage ? [] : [problem(['image'], 'problem.invalid')])];
  if (problems.length > 0) throw new InputError(problems.map((each) => ({ ...each, path: ['stores', store.id, ...each.path] })));
}

function deliveryBy(store: Store, postCode: string, itemsCents: number, now: number): StoreTrial['delivery'] {
  const zone = zoneOf(store.deliveryZones, postCode, null);
  if (!zone) return null;
  const isFree = zone.freeFromCents !== null && itemsCents >= zone.freeFromCents;
  return {
    name: zone.name,
    feeCents: isFree ? 0 : zone.feeCents,
    missingCents: Math.max(0, zone.minimumCents - itemsCents),
    at: now + zone.minutes * minuteMs,
  };
}

/** Hidden, with the place and the hours of another one. */
function newStore(id: string, name: LocalText, like: Store | undefined): Store {
  const days = weekdays.map((day) => [day, { open: '09:00', close: '17:00' }] as const);
  const usual = {
    address: {
      street: '',
      city: '',
      province: 'Ontario',
      provinceCode: 'ON',
      postCode: '',
      country: 'Canada',
      countryISOCode: 'CA',
    },
    ...{ lat: 0, lng: 0, phone: '', email: '', timeZone: 'America/Toronto' },
    openingHours: Object.fromEntries(days) as Store['openingHours'],
    ...{ allowPickup: true, pickupLeadMinutes: 60, pickupSlotCapacity: 4 },
  };
  const own = { mainStore: false, display: false, tables: 0, image: null, specialHours: [], deliveryZones: [] };
  const { openingHours, timeZone } = like ?? usual;
  const { province, provinceCode, country, countryISOCode } = (like ?? usual).address;
  const address = { ...usual.address, province, provinceCode, country, countryISOCode };
  return { ...usual, openingHours, timeZone, address, id, name, description: { [mainLocale()]: '' }, ...own };
}

export function registerOfficeStores(app: FastifyInstance, deps: OfficeStoresDeps): void {
  const office = createOfficeStores(deps);
  const { changes } = deps;
  serveStaff(app, 'stores', ({ permit, lang }) => office.list(permit, lang));
  serveStaff(app, 'store', ({ permit, params }) => office.read(permit, params.store));
  serveStaff(app, 'addStore', async ({ permit, body }) => {
    await changes.run(permit.actor, 'stores add', (change) => office.add(change, permit, body));
    return office.read(permit, body.id);
  });
  serveStaff(app, 'saveStore', async ({ permit, params, body }) => {
    await changes.run(permit.actor, 'stores change', (change) => office.save(change, permit, params.store, body));
    return office.read(permit, params.store);
  });
  serveStaff(app, 'tryStore', ({ permit, params, body, lang }) => office.try(permit, params.store, body, lang));
}
