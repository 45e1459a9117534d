/** Stores as documents: what is theirs of the room Stores. */
import type { FastifyInstance } from 'fastify';
import { weekdays } from '#contract/limits.ts';
import { type Locale, type LocalText, mainLocale } from '#contract/locales.ts';
import { problem } from '#contract/problems.ts';
import { contactErrors } from '#contract/rules/contact.ts';
import { type Store, StoreInput } from '#contract/schemas/store.ts';
import type { StaffBody, StaffResponse } from '#contract/staff/endpoints.ts';
import type { StoreTrial } from '#contract/staff/stores.ts';
import type { Database } from '#db/database.ts';
import { serveStaff } from '#server/http/staff-endpoint.ts';
import {
  type ChangesService,
  createDocuments,
  type DocumentKind,
  serveDocuments,
} from '#server/modules/changes/index.ts';
import type { MediaService } from '#server/modules/media/index.ts';
import type { SettingsService } from '#server/modules/settings/index.ts';
import { InputError, validationError } from '#server/platform/errors.ts';
import { minuteMs } from '#server/platform/time-zone.ts';
import { statusNow } from './open-hours.ts';
import type { PickupService } from './pickup.service.ts';
import { toStore, zoneOf } from './store.ts';
import { allStores } from './stores.repository.ts';
import type { StoresService } from './stores.service.ts';

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

function storeKind({ media, stores }: OfficeStoresDeps): DocumentKind<Store, StaffBody<'addStore'>> {
  return {
    name: 'store',
    schema: StoreInput,
    lock: stores.lock,
    read: async (reader, id) =>
      (await allStores(reader)).filter((row) => row.id === id).map(toStore)[0] ?? null,
    all: async (reader) => (await allStores(reader)).map(toStore),
    /** Files also bring images along; an edit can only name one that is there. */
    async problems({ image }, before) {
      const hasImage = image === null || image === before?.image || (await media.images([image])).has(image);
      return hasImage ? [] : [problem(['image'], 'problem.invalid')];
    },
    /** @throws {AppError} for an id that is taken, or was in the past: orders refer to it; for a phone or email that is none */
    async make({ trx }, { id, name, ...contact }) {
      // Emails about its orders go there.
      const errors = contactErrors(
        { email: contact.email, phoneNumber: contact.phone },
        { requireMobile: true, requireEmail: true },
      );
      const { 'contact.email': email, 'contact.phoneNumber': phone } = errors;
      if (email || phone) throw validationError({ ...(email && { email }), ...(phone && { phone }) });
      const known = await stores.read(trx);
      if ([...known, ...(await stores.removed())].some((each) => each.id === id))
        throw validationError({ id: 'office.store.taken' });
      return { ...newStore(id, name, known[0]), ...contact };
    },
    async write(change, store) {
      await stores.upsert(change, [store]);
      return undefined;
    },
  };
}

/** What the next shopper would be offered if the edits were saved. @throws {InputError} for what could not be */
async function tryStore(
  { now, settings, stores, pickup }: OfficeStoresDeps,
  store: Store,
  { postCode, itemsCents }: StaffBody<'tryStore'>,
  locale: Locale,
): Promise<StoreTrial> {
  const problems = await stores.problemsOf([store]);
  if (problems.length > 0) throw new InputError(problems);
  const today = (await stores.all()).find((each) => each.id === store.id)?.today;
  return {
    currency: (await settings.all()).currency,
    status: statusNow(store, now(), locale).text,
    pickupTimes: store.allowPickup
      ? await pickup.nextTimes({ ...store, ...(today && { today }) }, shownTimes)
      : [],
    delivery: deliveryBy(store, postCode, itemsCents, now()),
  };
}

function inList(store: Store, now: number, locale: Locale): StaffResponse<'stores'>['stores'][number] {
  const { id, name, display, allowPickup } = store;
  const address = [store.address.street, store.address.city].filter((each) => each !== '').join(', ');
  return { id, nameContent: name, address, status: statusNow(store, now, locale).text, display, allowPickup };
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
    lat: 0,
    lng: 0,
    phone: '',
    email: '',
    timeZone: 'America/Toronto',
    openingHours: Object.fromEntries(days) as Store['openingHours'],
    allowPickup: true,
    pickupLeadMinutes: 60,
    pickupSlotCapacity: 4,
  };
  const own = {
    mainStore: false,
    display: false,
    tables: 0,
    image: null,
    specialHours: [],
    deliveryZones: [],
  };
  const { openingHours, timeZone } = like ?? usual;
  const { province, provinceCode, country, countryISOCode } = (like ?? usual).address;
  const address = { ...usual.address, province, provinceCode, country, countryISOCode };
  return { ...usual, openingHours, timeZone, address, id, name, description: { [mainLocale()]: '' }, ...own };
}

export function registerOfficeStores(app: FastifyInstance, deps: OfficeStoresDeps): void {
  const { now, stores } = deps;
  const kind = storeKind(deps);
  const documents = createDocuments(deps, kind);
  serveDocuments(app, kind, documents);
  serveStaff(app, 'stores', async ({ permit, lang }) => {
    const reached = (await stores.all()).filter(({ id }) => permit.reaches(id));
    return { stores: reached.map((store) => inList(store, now(), lang)) };
  });
  serveStaff(app, 'tryStore', async ({ permit, params, body, lang }) => {
    const { content } = await documents.tried(permit, params.id, body.edits);
    return tryStore(deps, content, body, lang);
  });
}
