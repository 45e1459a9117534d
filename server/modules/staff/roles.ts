/** What people may do: the roles that every shop has, and its own. Nobody gives what they do not have themselves. */
import { randomUUID } from 'node:crypto';
import type { OwnRole } from '#contract/staff/accounts.ts';
import type { StaffBody } from '#contract/staff/endpoints.ts';
import { type Permission, permissions, roles as shipped } from '#contract/staff/permissions.ts';
import type { Database, Reader, Trx } from '#db/database.ts';
import { type Change, changedFields } from '#server/modules/changes/index.ts';
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

/** @throws {AppError} REQUEST_VALIDATION_ERROR for a role that is neither */
export async function roleGiven(db: Reader, role: string): Promise<readonly Permission[]> {
  const own = Object.hasOwn(shipped, role) ? null : await tables.findRole(db, role);
  if (own === undefined) throw validationError({ role: 'staff.roleUnknown' });
  return permissionsIn(role, own?.permissions ?? null);
}

/**
 * For whoever gives permissions in these stores (null: all), or changes somebody who has them: they need them too, else a change of
 * staff would be a way to any permission.
 * @throws {AppError} FORBIDDEN
 */
export async function checkGiving(trx: Trx, permit: Manager, given: readonly Permission[], stores: readonly string[] | null) {
  if (permit.actor.kind !== 'staff') return;
  const giver = await tables.findStaff(trx, 'id', permit.actor.id);
  const own = new Set(giver ? grantedTo(giver) : []);
  const within = stores === null ? permit.stores === null : stores.every((id) => permit.reaches(id));
  if (!within || given.some((each) => !own.has(each))) throw new AppError('FORBIDDEN', { errorKey: 'staff.beyond' });
}

export type RolesService = ReturnType<typeof createRoles>;

export function createRoles({ db, now }: { db: Database; now: () => number }) {
  const shown = ({ name, permissions: own }: tables.RoleRow) => ({ name, permissions: permissionsIn('', own).join(' ') });
  return {
    async list(_permit: Manager): Promise<OwnRole[]> {
      const [rows, people] = await Promise.all([tables.allRoles(db.read), tables.countPeople(db.read, now())]);
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
      if (name === '' || isTaken) throw validationError({ name: isTaken ? 'staff.roleThere' : 'staff.roleName' });
      if (!before && all.length >= mostRoles) throw new AppError('CONFLICT', { errorKey: 'staff.rolesMany' });
      await checkGiving(trx, permit, [...input.permissions, ...permissionsIn('', before?.permissions ?? null)], null);
      const after = { id: id ?? randomUUID(), name, permissions: JSON.stringify(input.permissions) };
      await tables.putRole(trx, after);
      note('role', after.id, changedFields(before ? shown(before) : undefined, shown(after)));
    },

    /** @throws 404; {AppError} CONFLICT for one that somebody has */
    async remove({ trx, note }: Change, permit: Manager, id: string): Promise<void> {
      const before = await tables.findRole(trx, id);
      if (!before) throw notFound();
      await checkGiving(trx, permit, permissionsIn('', before.permissions), null);
      if ((await tables.countPeople(trx, now())).has(id)) throw new AppError('CONFLICT', { errorKey: 'staff.roleUsed' });
      await tables.deleteRole(trx, id);
      note('role', id, changedFields(shown(before), undefined));
    },
  };
}
