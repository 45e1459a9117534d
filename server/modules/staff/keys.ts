/**
 * Keys, by which programs make calls of the office in place of a person. A key has what it was made for, as far as its person has that
 * at the moment, and opens nothing for whoever may not have keys any more.
 */
import { hash, randomBytes, randomUUID } from 'node:crypto';
import type { StaffBody } from '#contract/staff/endpoints.ts';
import { type Key, keyPrefix } from '#contract/staff/keys.ts';
import { keyPermissions, type Permission, shopPermissions } from '#contract/staff/permissions.ts';
import type { Me } from '#contract/staff/schemas.ts';
import type { SignedIn } from '#server/http/staff-endpoint.ts';
import type { Change } from '#server/modules/changes/index.ts';
import { AppError, notFound, validationError } from '#server/platform/errors.ts';
import type { Permit } from '#server/platform/permits.ts';
import { createMeter } from '#server/platform/rate-limits/meter.ts';
import { oneLine } from '#server/platform/text.ts';
import { dayMs } from '#server/platform/time-zone.ts';
import { canEnter, canGive, grantedTo, isWithin, permissionsOf, storesOf, waitingOf } from './roles.ts';
import { ofADevice, shopOf, touchEveryMs } from './sign-in.ts';
import * as tables from './staff.repository.ts';
import { checkStores, type StaffDeps } from './staff.service.ts';

const mostKeys = 20;
/** Calls of one key: a burst, and as many a second for as long as it likes. */
export const keyLimits = { burst: 600, perSecond: 10 };

type Manager = Permit<'keys.manage'>;
export type KeyInput = StaffBody<'addKey'>;
export type StaffKeys = ReturnType<typeof createKeys>;

export const createKeys = (deps: StaffDeps) => ({ ...createKeyAdmin(deps), ...createKeyCalls(deps) });

/** The permissions that a key has now, those that wait for its person's second factor, and its stores. */
function rightsOf({ env }: StaffDeps, key: tables.KeyRow, person: tables.StaffRow) {
  const stores = storesWithin(storesOf(key), storesOf(person));
  const isOpen =
    canEnter(env, person) &&
    grantedTo(person).includes('keys.manage') &&
    (stores === null || stores.length > 0);
  const ticked = new Set(JSON.parse(key.permissions) as string[]);
  const given = keyPermissions.filter(
    (each) => isOpen && ticked.has(each) && (stores === null || !shopPermissions.has(each)),
  );
  const [now, waiting] = [permissionsOf(person), waitingOf(person)];
  return {
    may: given.filter((each) => now.has(each)),
    waiting: given.filter((each) => waiting.includes(each)),
    stores,
  };
}

/** Null: all stores. */
function storesWithin(own: readonly string[] | null, persons: readonly string[] | null) {
  if (own === null) return persons;
  return persons === null ? own : own.filter((id) => persons.includes(id));
}

function createKeyCalls(deps: StaffDeps) {
  const { db, now, settings } = deps;
  const calls = createMeter({ now, ...keyLimits });

  async function signedInOf(key: tables.KeyRow | null): Promise<SignedIn | null> {
    const person = key && (await tables.findStaff(db.read, 'id', key.staff_id));
    if (!person) return null;
    const { may, waiting, stores } = rightsOf(deps, key, person);
    if (may.length === 0 && waiting.length === 0) return null;
    return {
      id: person.id,
      session: key.id,
      may: new Set<Permission>(may),
      waiting,
      stores,
      fresh: true,
      key: key.name,
      mostRefund: (await settings.all()).keyRefundCents,
    };
  }

  return {
    /** Null for one that has ended, or whose person may have none. @throws {AppError} RATE_LIMITED */
    async openByKey(token: string): Promise<SignedIn | null> {
      if (!token.startsWith(keyPrefix)) return null;
      const at = now();
      const key = await tables.findKey(db.read, 'token_hash', hash('sha256', token), at);
      const signedIn = await signedInOf(key);
      if (!key || !signedIn) return null;
      calls.use(key.id, 1);
      if (key.last_used_at === null || key.last_used_at < at - touchEveryMs)
        await db.transaction((trx) => tables.touchKey(trx, key.id, at));
      return signedIn;
    },
    check: async (id: string): Promise<SignedIn | null> =>
      signedInOf(await tables.findKey(db.read, 'id', id, now())),

    async me({ id, may, stores, key = '' }: SignedIn): Promise<Me> {
      const person = await tables.findStaff(db.read, 'id', id);
      return {
        ...ofADevice,
        name: person?.name ?? '',
        role: 'key',
        roleName: key,
        stores: stores && [...stores],
        may: [...may],
        shop: await shopOf(deps),
        station: null,
      };
    },
  };
}

function createKeyAdmin(deps: StaffDeps) {
  const { db, now, stores } = deps;

  /** Whether somebody may see a key, and end it. */
  const isTheirs = (permit: Manager, person: tables.StaffRow) =>
    (permit.actor.kind === 'staff' && permit.actor.id === person.id) ||
    (permit.has('staff.manage') && isWithin(permit, person));

  return {
    async list(permit: Manager): Promise<Key[]> {
      const people = new Map((await tables.allStaff(db.read)).map((each) => [each.id, each]));
      return (await tables.keysIn(db.read, now())).flatMap((key) => {
        const person = people.get(key.staff_id);
        if (!person || !isTheirs(permit, person)) return [];
        const ticked = new Set(JSON.parse(key.permissions) as string[]);
        return {
          id: key.id,
          name: key.name,
          person: { id: person.id, name: person.name },
          permissions: keyPermissions.filter((each) => ticked.has(each)),
          may: rightsOf(deps, key, person).may,
          stores: storesOf(key),
          createdAt: key.created_at,
          expiresAt: key.expires_at,
          lastUsedAt: key.last_used_at,
        };
      });
    },

    /**
     * Makes a key of a person.
     * @returns what is shown once
     * @throws {AppError} REQUEST_VALIDATION_ERROR; FORBIDDEN for what the person does not have; CONFLICT with too many keys
     */
    async add(
      { trx, note }: Change,
      _permit: Manager,
      staffId: string,
      { permissions, stores: ids, days, ...input }: KeyInput,
    ): Promise<string> {
      const person = await tables.findStaff(trx, 'id', staffId);
      if (!person || !grantedTo(person).includes('keys.manage')) throw notFound();
      checkStores(await stores.read(trx), ids);
      // No-op update to lock the person, so that two keys at once do not share a name.
      await tables.updateStaff(trx, staffId, { name: person.name });
      const own = await tables.keysIn(trx, now(), staffId);
      const name = oneLine(input.name);
      if (name === '') throw validationError({ name: 'staff.key.name' });
      if (own.some((each) => each.name.toLowerCase() === name.toLowerCase()))
        throw validationError({ name: 'staff.key.there' });
      if (own.length >= mostKeys) throw new AppError('CONFLICT', { errorKey: 'staff.key.many' });
      if (!canGive(person, permissions, ids ?? storesOf(person)))
        throw new AppError('FORBIDDEN', { errorKey: 'staff.beyond' });
      const token = keyPrefix + randomBytes(32).toString('base64url');
      await tables.insertKey(trx, {
        id: randomUUID(),
        token_hash: hash('sha256', token),
        staff_id: staffId,
        name,
        permissions: JSON.stringify(permissions),
        stores: ids && JSON.stringify(ids),
        created_at: now(),
        expires_at: now() + days * dayMs,
        last_used_at: null,
      });
      note('staff', staffId, [{ field: 'key', to: name }]);
      return token;
    },

    /** @throws 404, also for a key that the permit does not reach */
    async end({ trx, note }: Change, permit: Manager, id: string): Promise<void> {
      const key = await tables.findKey(trx, 'id', id, now());
      const person = key && (await tables.findStaff(trx, 'id', key.staff_id));
      if (!person || !isTheirs(permit, person)) throw notFound();
      await tables.deleteKey(trx, id);
      note('staff', person.id, [{ field: 'key', from: key.name }]);
    },
  };
}
