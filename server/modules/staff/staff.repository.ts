/** Queries the tables of staff. */
import type { Insertable, Selectable, Updateable } from 'kysely';
import type { Reader, Trx } from '#db/database.ts';
import type { StaffTables } from '#db/staff-tables.ts';
import { dayMs } from '#server/platform/time-zone.ts';

/** How long a browser is known after somebody signed in there. */
export const deviceMs = 90 * dayMs;

/** With the name and the permissions of an own role; null for the others. */
export type StaffRow = Selectable<StaffTables['staff']> & {
  role_name: string | null;
  role_permissions: string | null;
};
export type RoleRow = Selectable<StaffTables['staff_roles']>;
export type SessionRow = Selectable<StaffTables['staff_sessions']>;
export type StationRow = Selectable<StaffTables['staff_stations']>;
export type PushRow = Selectable<StaffTables['staff_push']>;
export type InvitationRow = Selectable<StaffTables['staff_invitations']>;
type InvitedRow = InvitationRow & { role_name: string | null };

function staffIn(db: Reader) {
  return db
    .selectFrom('staff')
    .leftJoin('staff_roles', 'staff_roles.id', 'staff.role')
    .selectAll('staff')
    .select(['staff_roles.name as role_name', 'staff_roles.permissions as role_permissions']);
}

function invitationsIn(db: Reader) {
  return db
    .selectFrom('staff_invitations')
    .leftJoin('staff_roles', 'staff_roles.id', 'staff_invitations.role')
    .selectAll('staff_invitations')
    .select('staff_roles.name as role_name');
}

export async function findStaff(db: Reader, by: 'id' | 'email_key', value: string): Promise<StaffRow | null> {
  return (await staffIn(db).where(`staff.${by}`, '=', value).executeTakeFirst()) ?? null;
}

export function allStaff(db: Reader): Promise<StaffRow[]> {
  return staffIn(db).orderBy('staff.created_at').orderBy('staff.id').execute();
}

export async function insertStaff(trx: Trx, row: Insertable<StaffTables['staff']>): Promise<void> {
  await trx.insertInto('staff').values(row).execute();
}

/** The demo's people have no password; an invitation is the only other way to an account, and sets one. */
export function isDemo({ password_hash }: StaffRow): boolean {
  return password_hash === '';
}

/** Deletes the people without a password, with their sessions and what invites them. Returns whether there were any. */
export async function deleteDemoStaff(trx: Trx): Promise<boolean> {
  await trx
    .deleteFrom('staff_invitations')
    .where('email_key', 'in', (eb) =>
      eb.selectFrom('staff').select('email_key').where('password_hash', '=', ''),
    )
    .execute();
  return (
    (await trx.deleteFrom('staff').where('password_hash', '=', '').executeTakeFirst()).numDeletedRows > 0n
  );
}

/** Changes a row, if it is still as `where` says. Returns whether it was. */
export async function updateStaff(
  trx: Trx,
  id: string,
  change: Updateable<StaffTables['staff']>,
  where: { password_hash?: string; totp_step?: number } = {},
): Promise<boolean> {
  let query = trx.updateTable('staff').set(change).where('id', '=', id);
  if (where.password_hash !== undefined) query = query.where('password_hash', '=', where.password_hash);
  if (where.totp_step !== undefined) query = query.where('totp_step', '=', where.totp_step);
  return (await query.executeTakeFirst()).numUpdatedRows > 0n;
}

/** Locks all rows, so that two changes cannot each leave the other's owner as the last. */
export async function lockOwners(trx: Trx): Promise<Selectable<StaffTables['staff']>[]> {
  return trx
    .updateTable('staff')
    .set((eb) => ({ role: eb.ref('role') }))
    .where('role', '=', 'owner')
    .returningAll()
    .execute();
}

/** Those that are for somebody: all but the first owner's. */
export function allInvitations(db: Reader, now: number): Promise<InvitedRow[]> {
  return invitationsIn(db)
    .where('expires_at', '>', now)
    .where('email_key', '!=', '')
    .orderBy('email')
    .execute();
}

export async function hasInvitation(db: Reader, now: number): Promise<boolean> {
  return (await invitationsIn(db).where('expires_at', '>', now).limit(1).execute()).length > 0;
}

export async function findInvitation(db: Reader, tokenHash: string, now: number): Promise<InvitedRow | null> {
  const found = invitationsIn(db).where('token_hash', '=', tokenHash).where('expires_at', '>', now);
  return (await found.executeTakeFirst()) ?? null;
}

/** The open invitation to an address. */
export async function invitationTo(db: Reader, emailKey: string, now: number): Promise<InvitationRow | null> {
  const found = db
    .selectFrom('staff_invitations')
    .selectAll()
    .where('email_key', '=', emailKey)
    .where('expires_at', '>', now);
  return (await found.executeTakeFirst()) ?? null;
}

/** Takes an invitation, which nobody can use again. */
export async function takeInvitation(
  trx: Trx,
  tokenHash: string,
  now: number,
): Promise<InvitationRow | null> {
  const taken = await trx
    .deleteFrom('staff_invitations')
    .where('token_hash', '=', tokenHash)
    .returningAll()
    .executeTakeFirst();
  return taken && taken.expires_at > now ? taken : null;
}

/** Ends the invitation to an address. */
export async function deleteInvitation(trx: Trx, emailKey: string): Promise<void> {
  await trx.deleteFrom('staff_invitations').where('email_key', '=', emailKey).execute();
}

/** Ends what could change somebody's account or was given by them: the invitations to their address, and their own. */
export async function deleteInvitations(
  trx: Trx,
  { id, email_key }: Pick<StaffRow, 'id' | 'email_key'>,
): Promise<void> {
  await trx
    .deleteFrom('staff_invitations')
    .where(({ eb, or }) => or([eb('email_key', '=', email_key), eb('invited_by', '=', id)]))
    .execute();
}

/** Ends the links to drafts that somebody made. */
export async function deleteDraftLinksBy(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom('draft_links').where('created_by', '=', id).execute();
}

/** Ends the invitations to a role, and to the people who have it. */
export async function deleteInvitationsOfRole(trx: Trx, role: string): Promise<void> {
  await trx
    .deleteFrom('staff_invitations')
    .where(({ eb, or, selectFrom }) =>
      or([
        eb('role', '=', role),
        eb('email_key', 'in', selectFrom('staff').select('email_key').where('role', '=', role)),
      ]),
    )
    .execute();
}

/** One invitation for each address: another one replaces it. */
export async function putInvitation(trx: Trx, row: InvitationRow): Promise<void> {
  const { email_key: _key, ...rest } = row;
  await trx
    .insertInto('staff_invitations')
    .values(row)
    .onConflict((c) => c.column('email_key').doUpdateSet(rest))
    .execute();
}

export async function findSession(
  db: Reader,
  by: 'id' | 'token_hash',
  value: string,
  now: number,
): Promise<SessionRow | null> {
  const found = db
    .selectFrom('staff_sessions')
    .selectAll()
    .where(by, '=', value)
    .where('expires_at', '>', now);
  return (await found.executeTakeFirst()) ?? null;
}

export function sessionsOf(db: Reader, staffId: string, now: number): Promise<SessionRow[]> {
  return db
    .selectFrom('staff_sessions')
    .selectAll()
    .where('staff_id', '=', staffId)
    .where('expires_at', '>', now)
    .orderBy('last_seen_at', 'desc')
    .execute();
}

export async function insertSession(trx: Trx, row: SessionRow): Promise<void> {
  await trx.insertInto('staff_sessions').values(row).execute();
}

export async function updateSession(
  trx: Trx,
  id: string,
  change: Updateable<StaffTables['staff_sessions']>,
): Promise<void> {
  await trx.updateTable('staff_sessions').set(change).where('id', '=', id).execute();
}

/** Ends one session of somebody, or all of them. */
export async function deleteSessions(trx: Trx, staffId: string, id?: string): Promise<void> {
  let query = trx.deleteFrom('staff_sessions').where('staff_id', '=', staffId);
  if (id !== undefined) query = query.where('id', '=', id);
  await query.execute();
}

/** All of somebody but this one. */
export async function deleteOtherSessions(trx: Trx, staffId: string, id: string): Promise<void> {
  await trx.deleteFrom('staff_sessions').where('staff_id', '=', staffId).where('id', '!=', id).execute();
}

/** Whether somebody has signed in on a device since a time. */
export async function isDeviceOf(
  db: Reader,
  staffId: string,
  tokenHash: string,
  since: number,
): Promise<boolean> {
  const found = db
    .selectFrom('staff_devices')
    .select('used_at')
    .where('staff_id', '=', staffId)
    .where('token_hash', '=', tokenHash);
  return (await found.where('used_at', '>', since).executeTakeFirst()) !== undefined;
}

export async function putDevice(
  trx: Trx,
  row: { staff_id: string; token_hash: string; used_at: number },
): Promise<void> {
  await trx
    .insertInto('staff_devices')
    .values(row)
    .onConflict((c) => c.columns(['staff_id', 'token_hash']).doUpdateSet({ used_at: row.used_at }))
    .execute();
}

export async function deleteDevices(trx: Trx, staffId: string): Promise<void> {
  await trx.deleteFrom('staff_devices').where('staff_id', '=', staffId).execute();
}

/** Ends the stations that somebody made, and their stay at others. */
export async function deleteStationsBy(trx: Trx, staffId: string): Promise<void> {
  await trx.deleteFrom('staff_stations').where('started_by', '=', staffId).execute();
  await trx
    .updateTable('staff_stations')
    .set({ person_id: null, person_until: 0 })
    .where('person_id', '=', staffId)
    .execute();
}

export async function findStation(
  db: Reader,
  by: 'id' | 'token_hash',
  value: string,
  now: number,
): Promise<StationRow | null> {
  const found = db
    .selectFrom('staff_stations')
    .selectAll()
    .where(by, '=', value)
    .where('expires_at', '>', now);
  return (await found.executeTakeFirst()) ?? null;
}

export function stationsIn(db: Reader, now: number): Promise<StationRow[]> {
  return db
    .selectFrom('staff_stations')
    .selectAll()
    .where('expires_at', '>', now)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

export async function insertStation(trx: Trx, row: StationRow): Promise<void> {
  await trx.insertInto('staff_stations').values(row).execute();
}

export async function updateStation(
  trx: Trx,
  id: string,
  change: Updateable<StaffTables['staff_stations']>,
): Promise<void> {
  await trx.updateTable('staff_stations').set(change).where('id', '=', id).execute();
}

export async function deleteStation(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom('staff_stations').where('id', '=', id).execute();
}

/** Devices whose session or station has ended are told of nothing. */
export async function deleteStrayPush(trx: Trx): Promise<void> {
  await trx
    .deleteFrom('staff_push')
    .where('session_id', 'not in', (eb) => eb.selectFrom('staff_sessions').select('id'))
    .where('session_id', 'not in', (eb) => eb.selectFrom('staff_stations').select('id'))
    .execute();
}

export type KeyRow = Selectable<StaffTables['staff_keys']>;

export async function findKey(
  db: Reader,
  by: 'id' | 'token_hash',
  value: string,
  now: number,
): Promise<KeyRow | null> {
  const found = db.selectFrom('staff_keys').selectAll().where(by, '=', value).where('expires_at', '>', now);
  return (await found.executeTakeFirst()) ?? null;
}

/** Those that have not ended, of one person or of all. */
export function keysIn(db: Reader, now: number, staffId?: string): Promise<KeyRow[]> {
  let query = db.selectFrom('staff_keys').selectAll().where('expires_at', '>', now);
  if (staffId !== undefined) query = query.where('staff_id', '=', staffId);
  return query.orderBy('created_at').orderBy('id').execute();
}

export async function insertKey(trx: Trx, row: KeyRow): Promise<void> {
  await trx.insertInto('staff_keys').values(row).execute();
}

export async function touchKey(trx: Trx, id: string, at: number): Promise<void> {
  await trx.updateTable('staff_keys').set({ last_used_at: at }).where('id', '=', id).execute();
}

export async function deleteKey(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom('staff_keys').where('id', '=', id).execute();
}

/** Ends the keys of somebody. */
export async function deleteKeysOf(trx: Trx, staffId: string): Promise<void> {
  await trx.deleteFrom('staff_keys').where('staff_id', '=', staffId).execute();
}

export function allPush(db: Reader): Promise<PushRow[]> {
  return db.selectFrom('staff_push').selectAll().execute();
}

/** One of a session; a browser that somebody else used before is theirs no more. */
export async function putPush(trx: Trx, row: PushRow): Promise<void> {
  await trx
    .deleteFrom('staff_push')
    .where(({ eb, or }) => or([eb('session_id', '=', row.session_id), eb('endpoint', '=', row.endpoint)]))
    .execute();
  await trx.insertInto('staff_push').values(row).execute();
}

export async function deletePush(trx: Trx, sessionId: string): Promise<void> {
  await trx.deleteFrom('staff_push').where('session_id', '=', sessionId).execute();
}

export async function deleteExpired(trx: Trx, now: number): Promise<void> {
  await trx
    .deleteFrom('staff_devices')
    .where('used_at', '<=', now - deviceMs)
    .execute();
  await trx.deleteFrom('staff_sessions').where('expires_at', '<=', now).execute();
  await trx.deleteFrom('staff_stations').where('expires_at', '<=', now).execute();
  await trx.deleteFrom('staff_keys').where('expires_at', '<=', now).execute();
  await deleteStrayPush(trx);
  await trx.deleteFrom('staff_invitations').where('expires_at', '<=', now).execute();
  await trx.deleteFrom('staff_challenges').where('expires_at', '<=', now).execute();
}

export async function replaceRecoveryCodes(
  trx: Trx,
  staffId: string,
  hashes: readonly string[],
): Promise<void> {
  await trx.deleteFrom('staff_recovery_codes').where('staff_id', '=', staffId).execute();
  if (hashes.length === 0) return;
  await trx
    .insertInto('staff_recovery_codes')
    .values(hashes.map((code_hash) => ({ code_hash, staff_id: staffId })))
    .execute();
}

/** Uses a code up. Returns whether it was one. */
export async function takeRecoveryCode(trx: Trx, staffId: string, hash: string): Promise<boolean> {
  const query = trx
    .deleteFrom('staff_recovery_codes')
    .where('staff_id', '=', staffId)
    .where('code_hash', '=', hash);
  return (await query.executeTakeFirst()).numDeletedRows > 0n;
}

export async function countRecoveryCodes(db: Reader, staffId: string): Promise<number> {
  const { count } = await db
    .selectFrom('staff_recovery_codes')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('staff_id', '=', staffId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

export function allRoles(db: Reader): Promise<RoleRow[]> {
  return db.selectFrom('staff_roles').selectAll().orderBy('name').execute();
}

export function findRole(db: Reader, id: string): Promise<RoleRow | undefined> {
  return db.selectFrom('staff_roles').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function putRole(trx: Trx, row: RoleRow): Promise<void> {
  const { id: _id, ...rest } = row;
  await trx
    .insertInto('staff_roles')
    .values(row)
    .onConflict((c) => c.column('id').doUpdateSet(rest))
    .execute();
}

export async function deleteRole(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom('staff_roles').where('id', '=', id).execute();
}

/** How many have a role, or are invited to it, by its id. */
export async function countPeople(db: Reader, now: number): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  const rows = [
    ...(await db.selectFrom('staff').select('role').execute()),
    ...(await db.selectFrom('staff_invitations').select('role').where('expires_at', '>', now).execute()),
  ];
  for (const { role } of rows) counts.set(role, (counts.get(role) ?? 0) + 1);
  return counts;
}

export type PasskeyRow = Selectable<StaffTables['staff_passkeys']>;

export function allPasskeys(db: Reader, staffId: string): Promise<PasskeyRow[]> {
  return db
    .selectFrom('staff_passkeys')
    .selectAll()
    .where('staff_id', '=', staffId)
    .orderBy('created_at')
    .execute();
}

export async function findPasskey(
  db: Reader,
  by: 'credential_id',
  value: string,
): Promise<PasskeyRow | null> {
  return (await db.selectFrom('staff_passkeys').selectAll().where(by, '=', value).executeTakeFirst()) ?? null;
}

export async function insertPasskey(trx: Trx, row: Insertable<StaffTables['staff_passkeys']>): Promise<void> {
  await trx.insertInto('staff_passkeys').values(row).execute();
}

/** Returns whether it still had this counter: of two answers with one, the first counts. */
export async function updatePasskey(
  trx: Trx,
  id: string,
  change: Updateable<StaffTables['staff_passkeys']>,
  counter: number,
) {
  const query = trx
    .updateTable('staff_passkeys')
    .set(change)
    .where('id', '=', id)
    .where('counter', '=', counter);
  return (await query.executeTakeFirst()).numUpdatedRows > 0n;
}

export async function deletePasskey(trx: Trx, staffId: string, id: string): Promise<boolean> {
  const query = trx.deleteFrom('staff_passkeys').where('staff_id', '=', staffId).where('id', '=', id);
  return (await query.executeTakeFirst()).numDeletedRows > 0n;
}

export async function deletePasskeys(trx: Trx, staffId: string): Promise<void> {
  await trx.deleteFrom('staff_passkeys').where('staff_id', '=', staffId).execute();
}

export async function insertChallenge(
  trx: Trx,
  row: Insertable<StaffTables['staff_challenges']>,
): Promise<void> {
  await trx.insertInto('staff_challenges').values(row).execute();
}

/** Uses a challenge up. Returns whether it was one for this purpose. */
export async function takeChallenge(
  trx: Trx,
  hash: string,
  staffId: string | null,
  now: number,
): Promise<boolean> {
  const taken = await trx
    .deleteFrom('staff_challenges')
    .where('hash', '=', hash)
    .returningAll()
    .executeTakeFirst();
  return taken !== undefined && taken.expires_at > now && taken.staff_id === staffId;
}
