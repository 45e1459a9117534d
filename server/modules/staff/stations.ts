/**
 * Stations: devices that are signed in as the counter of a store. Reading needs nobody; each change needs a person, who says by a
 * PIN that it is them. A PIN never counts as password and second factor.
 */
import type { Station } from '#contract/staff/accounts.ts';
import { type Permission, stationPermissions } from '#contract/staff/permissions.ts';
import type { Me } from '#contract/staff/schemas.ts';
import type { SignedIn } from '#server/http/staff-endpoint.ts';
import type { Change } from '#server/modules/changes/index.ts';
import type { Passwords } from '#server/modules/customers/index.ts';
import { notFound, validationError } from '#server/platform/errors.ts';
import type { Permit } from '#server/platform/permits.ts';
import type { Attempt } from '#server/platform/rate-limits/rate-limits.service.ts';
import { dayMs, minuteMs } from '#server/platform/time-zone.ts';
import { canEnter, isGranted, permissionsOf, storesOf } from './roles.ts';
import { deviceIn, newDevice, ofADevice, type StaffCaller, shopOf, touchEveryMs } from './sign-in.ts';
import * as tables from './staff.repository.ts';
import type { StaffDeps } from './staff.service.ts';

/** A station ends after this long without a call. */
export const stationMs = 90 * dayMs;
/** How long a person stays after their last change. */
const personMs = 5 * minuteMs;

export type Stations = ReturnType<typeof createStations>;

export const createStations = (deps: StaffDeps, passwords: Passwords) => ({
  ...createStationAdmin(deps),
  ...createStationSessions(deps),
  ...createPins(deps, passwords),
});

/** What somebody may do at the counter of a store; null for somebody who may do nothing there. */
function mayAt({ env }: StaffDeps, person: tables.StaffRow, storeId: string): ReadonlySet<Permission> | null {
  if (!canEnter(env, person)) return null;
  if (!(storesOf(person)?.includes(storeId) ?? true)) return null;
  const may = stationPermissions.filter((each) => permissionsOf(person).has(each));
  return may.length > 0 ? new Set(may) : null;
}

function createStationSessions(deps: StaffDeps) {
  const { db, env, now, stores } = deps;

  async function personAt({ person_id: id, person_until: until, store_id }: tables.StationRow) {
    const row = id === null || until <= now() ? null : await tables.findStaff(db.read, 'id', id);
    const may = row && mayAt(deps, row, store_id);
    return row && may && row.pin_hash !== null ? { row, may } : null;
  }

  /** Whether who made it a station may still have stations in this store. */
  async function isVouchedFor({ started_by: id, store_id }: tables.StationRow): Promise<boolean> {
    if (id === null) return true;
    const starter = await tables.findStaff(db.read, 'id', id);
    return starter !== null && canEnter(env, starter) && isGranted(starter, 'stations.manage', store_id);
  }

  async function signedInOf(station: tables.StationRow | null): Promise<SignedIn | null> {
    if (!station || !(await stores.all()).some(({ id }) => id === station.store_id)) return null;
    if (!(await isVouchedFor(station))) return null;
    const person = await personAt(station);
    return {
      id: person?.row.id ?? station.id,
      session: station.id,
      may: person?.may ?? new Set(stationPermissions),
      stores: [station.store_id],
      fresh: false,
      station: { person: person?.row.name ?? null },
    };
  }

  return {
    /** By the hash of its token; a change prolongs the stay of its person. Null for none. */
    async open(tokenHash: string, changes: boolean): Promise<SignedIn | null> {
      const at = now();
      const station = await tables.findStation(db.read, 'token_hash', tokenHash, at);
      const signedIn = await signedInOf(station);
      if (!station || !signedIn) return null;
      const stays =
        changes && signedIn.station?.person !== null && station.person_until < at + personMs - minuteMs;
      if (stays || station.last_seen_at < at - touchEveryMs)
        await db.transaction((trx) =>
          tables.updateStation(trx, station.id, {
            last_seen_at: at,
            expires_at: at + stationMs,
            ...(stays ? { person_until: at + personMs } : {}),
          }),
        );
      return signedIn;
    },
    check: async (id: string): Promise<SignedIn | null> =>
      signedInOf(await tables.findStation(db.read, 'id', id, now())),

    async me({ may, stores: own, station }: SignedIn): Promise<Me> {
      const [store = null] = own ?? [];
      return {
        ...ofADevice,
        role: 'station',
        name: station?.person ?? '',
        stores: own && [...own],
        may: [...may],
        shop: await shopOf(deps),
        station: store,
      };
    },
    end: ({ session }: SignedIn): Promise<void> =>
      db.transaction((trx) => tables.deleteStation(trx, session)),
  };
}

function createPins(deps: StaffDeps, passwords: Passwords) {
  const { db, now, rateLimits } = deps;
  return {
    /** Everybody with a PIN who may do something at the counter of this store. */
    async people({ stores: own }: SignedIn): Promise<{ id: string; name: string }[]> {
      const [storeId = ''] = own ?? [];
      const known = (await tables.allStaff(db.read)).filter(
        (each) => each.pin_hash !== null && mayAt(deps, each, storeId),
      );
      return known.map(({ id, name }) => ({ id, name })).sort((a, b) => a.name.localeCompare(b.name));
    },

    /** Guesses count by person and by station. @throws {AppError} REQUEST_VALIDATION_ERROR for a wrong PIN; RATE_LIMITED */
    async enter(
      { session, stores: own }: SignedIn,
      { person: id, pin }: { person: string; pin: string },
    ): Promise<void> {
      const tried: Attempt[] = [
        ['pinPerson', id],
        ['pinStation', session],
      ];
      await rateLimits.count(tried);
      const person = await tables.findStaff(db.read, 'id', id);
      const isRight = await passwords.verify(person?.pin_hash ?? null, pin, { who: session });
      if (!isRight || !person || !mayAt(deps, person, own?.[0] ?? ''))
        throw validationError({ pin: 'staff.pinWrong' });
      await db.transaction(async (trx) => {
        await rateLimits.undo(trx, tried);
        await rateLimits.reset(trx, tried.slice(0, 1));
        await tables.updateStation(trx, session, { person_id: id, person_until: now() + personMs });
      });
    },
    leave: ({ session }: SignedIn): Promise<void> =>
      db.transaction((trx) => tables.updateStation(trx, session, { person_id: null, person_until: 0 })),

    /** @throws {AppError} REQUEST_VALIDATION_ERROR for a PIN that is tried first */
    async setPin(id: string, pin: string | null): Promise<void> {
      if (pin !== null && isEasy(pin)) throw validationError({ pin: 'staff.pinEasy' });
      const pin_hash = pin === null ? null : await passwords.hash(pin);
      await db.transaction((trx) => tables.updateStaff(trx, id, { pin_hash }));
    },
  };
}

/** One digit again and again, or counting up or down. */
const isEasy = (pin: string) =>
  /^(\d)\1+$/.test(pin) || '01234567890'.includes(pin) || '09876543210'.includes(pin);

function createStationAdmin({ db, now, stores }: StaffDeps) {
  return {
    async list(permit: Permit<'stations.manage'>): Promise<Station[]> {
      const rows = await tables.stationsIn(db.read, now());
      return rows
        .filter(({ store_id }) => permit.reaches(store_id))
        .map((row) => ({ ...deviceIn(row), store: row.store_id }));
    },

    /** Ends the person's own session on this device. Returns the token. @throws 404 for a store that is not the permit's */
    async start(
      { trx, note }: Change,
      permit: Permit<'stations.manage'>,
      storeId: string,
      by: SignedIn,
      { agent }: StaffCaller,
    ) {
      if (!permit.reaches(storeId) || !(await stores.read(trx)).some(({ id }) => id === storeId))
        throw notFound();
      const { token, row } = newDevice(agent, now());
      const nobody = { person_id: null, person_until: 0 };
      const expires_at = row.created_at + stationMs;
      await tables.insertStation(trx, {
        ...row,
        store_id: storeId,
        expires_at,
        started_by: by.id,
        ...nobody,
      });
      await tables.deleteSessions(trx, by.id, by.session);
      note('store', storeId, [{ field: 'station', to: row.device }]);
      return token;
    },

    /** @throws 404 */
    async remove({ trx, note }: Change, permit: Permit<'stations.manage'>, id: string): Promise<void> {
      const station = await tables.findStation(trx, 'id', id, now());
      if (!station || !permit.reaches(station.store_id)) throw notFound();
      await tables.deleteStation(trx, id);
      note('store', station.store_id, [{ field: 'station', from: station.device }]);
    },
  };
}
