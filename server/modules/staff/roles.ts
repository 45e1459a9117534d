/** What people may do: the roles that every shop has, and its own. Nobody gives what they do not have themselves. */
import { randomUUID } from 'node:crypto';
import type { OwnRole } from '#contract/staff/accounts.ts';
import type { StaffBody } from '#contract/staff/endpoints.ts';
import {
  guardedPermissions,
  type Permission,
  permissions,
  roles as shipped,
  shopPermissions,
} from '#contract/staff/permissions.ts';
import type { Database, Reader, Trx } from '#db/database.ts';
import { type Change, changedFields } from '#server/modules/changes/index.ts';
import type { Env } from '#server/platform/env.ts';
import { AppError, notFound, validationError } from '#server/platform/errors.ts';
import type { Permit } from '#server/platform/permits.ts';
import { oneLine } from '#server/platform/text.ts';
import * as tables from './staff.repository.ts';

/** Whoever gives permissions. */
type Manager = Permit<'staff.manage'>;

const mostRoles = 50;

/** Of a role that every shop has, or that is the shop's own. */
function permissionsIn(role: string, own: string | null): readonly Permission[] {
  if (Object.hasOwn(shipped, role)) return shipped[role as keyof typeof shipped];
  const ticked = new Set(JSON.parse(own ?? '[]') as string[]);
  return permissions.filter((each) => ticked.has(each));
}

export const grantedTo = ({ role, role_permissions: own }: tables.StaffRow) => permissionsIn(role, own);

/** Without what is of the whole shop if somebody is limited to stores. */
const givenTo = (staff: tables.StaffRow) =>
  grantedTo(staff).filter((each) => !shopPermissions.has(each) || staff.stores === null);

/** What somebody may do once they have a second factor; empty with one. */
export const waitingOf = (staff: tables.StaffRow): readonly Permission[] =>
  isSecured(staff) || tables.isDemo(staff)
    ? []
    : givenTo(staff).filter((each) => guardedPermissions.has(each));

/** What somebody may do now. */
export function permissionsOf(staff: tables.StaffRow): ReadonlySet<Permission> {
  const waiting = waitingOf(staff);
  return new Set(givenTo(staff).filter((each) => !waiting.includes(each)));
}

/** Whether there is a second factor. */
export function isSecured({
  totp_confirmed,
  passkeys,
}: Pick<tables.StaffRow, 'totp_confirmed' | 'passkeys'>): boolean {
  return totp_confirmed === 1 || passkeys > 0;
}

/** Ids of the stores that somebody works in; null: all of them. */
export function storesOf({ stores }: Pick<tables.StaffRow, 'stores'>): string[] | null {
  return stores === null ? null : (JSON.parse(stores) as string[]);
}

/** Whether somebody works in one of the stores of a permit. Who works in all of them is only within a permit for all. */
export const isWithin = (permit: Permit, row: Pick<tables.StaffRow, 'stores'>): boolean =>
  permit.stores === null || (storesOf(row)?.some((id) => permit.reaches(id)) ?? false);

/** Whether somebody can enter at all: not who is blocked, nor the demo's people where the shop is no demo. */
export const canEnter = ({ demoStaff }: Pick<Env, 'demoStaff'>, staff: tables.StaffRow): boolean =>
  staff.blocked_at === null && (demoStaff || !tables.isDemo(staff));

/** Whether a role still gives somebody a permission in a store, whatever their second factor is at the moment. */
export function isGranted(staff: tables.StaffRow, permission: Permission, storeId: string): boolean {
  return grantedTo(staff).includes(permission) && (storesOf(staff)?.includes(storeId) ?? true);
}

/** Null for a role that is neither one that every shop has nor one of this shop. */
export async function permissionsOfRole(db: Reader, role: string): Promise<readonly Permission[] | null> {
  const own = Object.hasOwn(shipped, role) ? null : await tables.findRole(db, role);
  return own === undefined ? null : permissionsIn(role, own?.permissions ?? null);
}

/** @throws {AppError} REQUEST_VALIDATION_ERROR for a role that there is not */
export async function roleGiven(db: Reader, role: string): Promise<readonly Permission[]> {
  const given = await permissionsOfRole(db, role);
  if (given === null) throw validationError({ role: 'staff.roleUnknown' });
  return given;
}

/**
 * For whoever gives permissions in these stores (null: all), or changes somebody who has them: they need them too, else a change of
 * staff would be a way to any permission.
 * @throws {AppError} FORBIDDEN
 */
export async function checkGiving(
  trx: Trx,
  permit: Manager,
  given: readonly Permission[],
  stores: readonly string[] | null,
) {
  if (permit.actor.kind !== 'staff') return;
  const giver = await tables.findStaff(trx, 'id', permit.actor.id);
  if (!giver || !canGive(giver, given, stores)) throw new AppError('FORBIDDEN', { errorKey: 'staff.beyond' });
}

/** Whether somebody has these permissions in all of these stores (null: in every store). */
export function canGive(
  giver: tables.StaffRow,
  given: readonly Permission[],
  stores: readonly string[] | null,
): boolean {
  const [own, ownStores] = [grantedTo(giver), storesOf(giver)];
  const within = ownStores === null || (stores?.every((id) => ownStores.includes(id)) ?? false);
  return within && given.every((each) => own.includes(each));
}

export type RolesService = ReturnType<typeof createRoles>;

export function createRoles({ db, now }: { db: Database; now: () => number }) {
  const shown = ({ name, permissions: own }: tables.RoleRow) => ({
    name,
    permissions: permissionsIn('', own).join(' '),
  });
  return {
    async list(_permit: Manager): Promise<OwnRole[]> {
      const [rows, people] = await Promise.all([
        tables.allRoles(db.read),
        tables.countPeople(db.read, now()),
      ]);
      return rows.map(({ id, name, permissions: own }) => ({
        id,
        name,
        permissions: [...permissionsIn('', own)],
        people: people.get(id) ?? 0,
      }));
    },

    /** @throws {AppError} REQUEST_VALIDATION_ERROR, FORBIDDEN; 404 for an unknown id. `id` null: a new one */
    async save({ trx, note }: Change, permit: Manager, id: string | null, input: StaffBody<'addRole'>) {
      const all = await tables.allRoles(trx);
      const before = all.find((each) => each.id === id);
      if (id !== null && !before) throw notFound();
      const name = oneLine(input.name);
      const isTaken = all.some((each) => each.id !== id && each.name.toLowerCase() === name.toLowerCase());
      if (name === '' || isTaken)
        throw validationError({ name: isTaken ? 'staff.roleThere' : 'staff.roleName' });
      if (!before && all.length >= mostRoles) throw new AppError('CONFLICT', { errorKey: 'staff.rolesMany' });
      await checkGiving(
        trx,
        permit,
        [...input.permissions, ...permissionsIn('', before?.permissions ?? null)],
        null,
      );
      const after = { id: id ?? randomUUID(), name, permissions: JSON.stringify(input.permissions) };
      await tables.putRole(trx, after);
      if (before && before.permissions !== after.permissions)
        await tables.deleteInvitationsOfRole(trx, after.id);
      note('role', after.id, changedFields(before ? shown(before) : undefined, shown(after)));
    },

    /** @throws 404; {AppError} CONFLICT for one that somebody has */
    async remove({ trx, note }: Change, permit: Manager, id: string): Promise<void> {
      const before = await tables.findRole(trx, id);
      if (!before) throw notFound();
      await checkGiving(trx, permit, permissionsIn('', before.permissions), null);
      if ((await tables.countPeople(trx, now())).has(id))
        throw new AppError('CONFLICT', { errorKey: 'staff.roleUsed' });
      await tables.deleteRole(trx, id);
      note('role', id, changedFields(shown(before), undefined));
    },
  };
}
