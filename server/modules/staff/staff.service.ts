/** Who works in the office: invitations, roles and stores; and the demo's people. */
import { hash, randomBytes, randomUUID } from 'node:crypto';
import { isEmail } from '#contract/rules/email-and-phone.ts';
import { isClean } from '#contract/rules/fields.ts';
import { passwordErrors } from '#contract/rules/password.ts';
import type { StaffBody, StaffResponse } from '#contract/staff/endpoints.ts';
import type { SignInOptions, StaffChange, StaffMember } from '#contract/staff/schemas.ts';
import type { Database, Reader, Trx } from '#db/database.ts';
import { type Change, type ChangesService, changedFields } from '#server/modules/changes/index.ts';
import { isFrequentPassword, type Passwords } from '#server/modules/customers/index.ts';
import type { SettingsService } from '#server/modules/settings/index.ts';
import type { Store, StoresService } from '#server/modules/stores/index.ts';
import type { Env } from '#server/platform/env.ts';
import { AppError, notFound, validationError } from '#server/platform/errors.ts';
import type { Permit } from '#server/platform/permits.ts';
import { networkOf, type RateLimitsService } from '#server/platform/rate-limits/rate-limits.service.ts';
import { emailKeyOf, oneLine } from '#server/platform/text.ts';
import { hourMs } from '#server/platform/time-zone.ts';
import {
  canEnter,
  canGive,
  checkGiving,
  grantedTo,
  isSecured,
  isWithin,
  permissionsOf,
  permissionsOfRole,
  roleGiven,
  storesOf,
} from './roles.ts';
import type { StaffCaller, StaffSessions, StartedSession } from './sign-in.ts';
import * as tables from './staff.repository.ts';

export interface StaffDeps {
  db: Database;
  env: Env;
  now: () => number;
  rateLimits: RateLimitsService;
  changes: ChangesService;
  stores: StoresService;
  settings: SettingsService;
}

const noFactor = { totp_secret: null, totp_confirmed: 0, totp_step: 0, passkeys: 0, pin_hash: null } as const;
const unseen = { last_seen_at: null, blocked_at: null };
/** How long an invitation can be accepted, ms. */
const invitationMs = 72 * hourMs;

export type StaffService = ReturnType<typeof createStaffService>;

export function createStaffService(deps: StaffDeps, passwords: Passwords, sessions: StaffSessions) {
  const { db, now, stores } = deps;
  return {
    ...createInvitations(deps, passwords, sessions),
    /** Everybody, and those who are invited. */
    async list(permit: Permit<'staff.manage'>): Promise<StaffMember[]> {
      const [everybody, everyInvited, stations, keys] = await Promise.all([
        tables.allStaff(db.read),
        tables.allInvitations(db.read, now()),
        tables.stationsIn(db.read, now()),
        tables.keysIn(db.read, now()),
      ]);
      const staff = everybody.filter((row) => isWithin(permit, row));
      const invited = everyInvited.filter((row) => isWithin(permit, row));
      const startedBy = (id: string) => ({
        stations: stations
          .filter(({ started_by }) => started_by === id)
          .map(({ device, store_id: store }) => ({ device, store })),
        invitations: everyInvited.filter(({ invited_by }) => invited_by === id).map(({ email }) => email),
        keys: keys.filter(({ staff_id }) => staff_id === id).map(({ name }) => name),
      });
      const until = new Map(invited.map(({ email_key, expires_at }) => [email_key, expires_at]));
      const known = new Set(staff.map(({ email_key }) => email_key));
      return [
        ...staff.map((row) => ({
          ...memberOf(row),
          invitedUntil: until.get(row.email_key) ?? null,
          started: startedBy(row.id),
        })),
        ...invited
          .filter(({ email_key }) => !known.has(email_key))
          .map(({ email_key, email, role, role_name, stores: ids, expires_at }) => ({
            ...memberOf({
              id: hash('sha256', email_key).slice(0, 20),
              name: '',
              email,
              role,
              role_name,
              stores: ids,
            }),
            invitedUntil: expires_at,
            started: { stations: [], invitations: [], keys: [] },
          })),
      ];
    },

    /**
     * Changes somebody's role and stores, or blocks them. Either ends the invitations to them and theirs to others, and their links
     * to drafts; a block also ends their sessions, their keys, and the stations that they made.
     * @throws 404, also for somebody of other stores; {AppError} CONFLICT for a change that would leave no owner
     */
    async change(
      { trx, note }: Change,
      permit: Permit<'staff.manage'>,
      id: string,
      { role, stores: ids, blocked }: StaffChange,
    ) {
      if (ids !== undefined) checkStores(await stores.read(trx), ids);
      const owners = await tables.lockOwners(trx);
      const before = await tables.findStaff(trx, 'id', id);
      if (!before || !isWithin(permit, before)) throw notFound();
      const after = {
        role: role ?? before.role,
        stores: ids === undefined ? before.stores : ids && JSON.stringify(ids),
        blocked_at: blocked === undefined ? before.blocked_at : blocked ? (before.blocked_at ?? now()) : null,
      };
      const given = role === undefined ? [] : await roleGiven(trx, role);
      // In the stores of before as well: taking them away from somebody is a change of theirs.
      const permissions = [...given, ...grantedTo(before)];
      await checkGiving(trx, permit, permissions, storesOf(before));
      if (ids !== undefined) await checkGiving(trx, permit, permissions, ids);
      const remains = owners.some((each) => each.id !== id && ownsShop(each));
      if (ownsShop(before) && !ownsShop(after) && !remains)
        throw new AppError('CONFLICT', { errorKey: 'staff.lastOwner' });
      await tables.updateStaff(trx, id, after);
      await tables.deleteInvitations(trx, before);
      await tables.deleteDraftLinksBy(trx, id);
      if (after.blocked_at !== null) {
        await tables.deleteSessions(trx, id);
        await tables.deleteDevices(trx, id);
        await tables.deleteKeysOf(trx, id);
        await tables.deleteStationsBy(trx, id);
        await tables.deleteStrayPush(trx);
      }
      const shown = (row: typeof after) => ({
        role: row.role,
        stores: storesOf(row),
        blocked: row.blocked_at !== null,
      });
      note('staff', id, changedFields(shown(before), shown(after)));
    },

    /** The names of people, by id, for the journal. */
    async names(): Promise<ReadonlyMap<string, string>> {
      return new Map((await tables.allStaff(db.read)).map(({ id, name }) => [id, name]));
    },

    async person(id: string): Promise<{ name: string; email: string } | null> {
      const found = await tables.findStaff(db.read, 'id', id);
      return found && { name: found.name, email: found.email };
    },
  };
}

/** An owner of single stores cannot do all that a shop needs somebody for. */
const ownsShop = ({
  role,
  stores,
  blocked_at,
}: Pick<tables.StaffRow, 'role' | 'stores' | 'blocked_at'>): boolean =>
  role === 'owner' && stores === null && blocked_at === null;

function createInvitations(deps: StaffDeps, passwords: Passwords, sessions: StaffSessions) {
  const { db, now, rateLimits, stores } = deps;
  return {
    /**
     * Invites somebody by a link, which the caller passes on. To somebody who has an account it gives a new password and removes the
     * second factor; role and stores stay as they are then.
     * @returns the secret part of the link
     * @throws {AppError} REQUEST_VALIDATION_ERROR
     */
    async invite(
      { trx, note }: Change,
      permit: Permit<'staff.manage'>,
      input: StaffBody<'inviteStaff'>,
    ): Promise<string> {
      if (!isEmail(input.email)) throw validationError({ email: 'rule.emailInvalid' });
      checkStores(await stores.read(trx), input.stores);
      const email = oneLine(input.email);
      const emailKey = emailKeyOf(email);
      const there = await tables.findStaff(trx, 'email_key', emailKey);
      if (there && there.blocked_at !== null) throw validationError({ email: 'staff.isBlocked' });
      const given = there ? grantedTo(there) : await roleGiven(trx, input.role);
      await checkGiving(trx, permit, given, there ? storesOf(there) : input.stores);
      // It ends one to the same address, which is a change of that.
      const open = await tables.invitationTo(trx, emailKey, now());
      if (open)
        await checkGiving(trx, permit, (await permissionsOfRole(trx, open.role)) ?? [], storesOf(open));
      const token = await putNew(trx, now(), {
        email_key: emailKey,
        email,
        role: there?.role ?? input.role,
        stores: there ? there.stores : input.stores && JSON.stringify(input.stores),
        invited_by: permit.actor.kind === 'staff' ? permit.actor.id : null,
      });
      note('staff', there?.id ?? '', [{ field: 'invitation', to: there?.role ?? input.role }]);
      return token;
    },

    /**
     * Ends an invitation, for whoever may give what it gives. Nothing changes if there is none, or none within the permit.
     * @throws {AppError} FORBIDDEN
     */
    async endInvitation({ trx, note }: Change, permit: Permit<'staff.manage'>, email: string): Promise<void> {
      const emailKey = emailKeyOf(email);
      const open = await tables.invitationTo(trx, emailKey, now());
      const there = await tables.findStaff(trx, 'email_key', emailKey);
      if (!open || !isWithin(permit, open)) return note('staff', there?.id ?? '', []);
      await checkGiving(trx, permit, (await permissionsOfRole(trx, open.role)) ?? [], storesOf(open));
      await tables.deleteInvitation(trx, emailKey);
      note('staff', there?.id ?? '', [{ field: 'invitation', from: open.role }]);
    },

    /** Whether nobody works here, and nobody is invited to. */
    async isUnowned(): Promise<boolean> {
      return (await tables.allStaff(db.read)).length === 0 && !(await tables.hasInvitation(db.read, now()));
    },

    /** Invites whoever has the link to be the first owner; it ends as soon as there is somebody. */
    async inviteFirstOwner({ trx, note }: Change): Promise<string> {
      note('staff', '', [{ field: 'invitation', to: 'owner' }]);
      return putNew(trx, now(), { email_key: '', email: '', role: 'owner', stores: null, invited_by: null });
    },

    /** Whom an invitation is for. @throws 404 for one that is over, used or unknown */
    async invitation(token: string, { address }: StaffCaller): Promise<StaffResponse<'invitation'>> {
      await rateLimits.count([['staffAddress', networkOf(address)]]);
      const found = await tables.findInvitation(db.read, hash('sha256', token), now());
      if (!found || !(await isGood(deps, db.read, found))) throw notFound('staff.invitationOver');
      await db.transaction((trx) => rateLimits.undo(trx, [['staffAddress', networkOf(address)]]));
      return { email: found.email, role: found.role, roleName: found.role_name };
    },

    /**
     * Accepts an invitation, once, and signs in. It counts only while who made it may still give what it gives.
     * @throws 404 for one that is over; REQUEST_VALIDATION_ERROR for the name or the password, and the invitation can be used again
     */
    async accept(input: StaffBody<'acceptInvitation'>, caller: StaffCaller): Promise<StartedSession> {
      const name = oneLine(input.name);
      const found = await tables.findInvitation(db.read, hash('sha256', input.token), now());
      if (!found || !(await isGood(deps, db.read, found))) throw notFound('staff.invitationOver');
      const email = found.email || oneLine(input.email ?? '');
      checkPerson({ email, name, password: input.password });
      const password_hash = await passwords.hash(input.password);
      return db.transaction(async (trx) => {
        const staff = await admit(deps, trx, found.token_hash, { name, email, password_hash });
        return sessions.start(trx, staff, caller);
      });
    },
  };
}

/** Whether who made an invitation may still give what it gives, to whoever has its address by now. */
async function isGood(
  { env }: StaffDeps,
  db: Reader,
  { email_key, role, stores, invited_by }: tables.InvitationRow,
): Promise<boolean> {
  const there = email_key === '' ? null : await tables.findStaff(db, 'email_key', email_key);
  if (there && there.blocked_at !== null) return false;
  if (invited_by === null) return true;
  const inviter = await tables.findStaff(db, 'id', invited_by);
  if (!inviter || !canEnter(env, inviter) || !permissionsOf(inviter).has('staff.manage')) return false;
  const given = there ? grantedTo(there) : await permissionsOfRole(db, role);
  return given !== null && canGive(inviter, given, storesOf(there ?? { stores }));
}

/** @throws {AppError} REQUEST_VALIDATION_ERROR for a person who cannot join with this password */
function checkPerson({ email, name, password }: { email: string; name: string; password: string }): void {
  const errors = {
    ...(isEmail(email) ? {} : { email: 'rule.emailInvalid' as const }),
    ...passwordErrors({ password }, [email, name]),
    ...(isFrequentPassword(password) ? { password: 'rule.passwordCommon' as const } : {}),
    ...(name === '' ? { name: 'staff.nameMissing' as const } : {}),
  };
  if (!isClean(errors)) throw validationError(errors);
}

/** Stores an invitation. Returns the secret part of its link. */
async function putNew(
  trx: Trx,
  at: number,
  invited: Omit<tables.InvitationRow, 'token_hash' | 'expires_at'>,
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await tables.putInvitation(trx, {
    ...invited,
    token_hash: hash('sha256', token),
    expires_at: at + invitationMs,
  });
  return token;
}

/** Uses an invitation up: adds the person, or gives one who is there a new password and no second factor. */
async function admit(
  deps: StaffDeps,
  trx: Trx,
  tokenHash: string,
  { email, ...person }: Pick<tables.StaffRow, 'name' | 'email' | 'password_hash'>,
): Promise<tables.StaffRow> {
  const at = deps.now();
  const taken = await tables.takeInvitation(trx, tokenHash, at);
  if (!taken || !(await isGood(deps, trx, taken))) throw notFound('staff.invitationOver');
  // The first owner's link, which names nobody, must not let a second one in.
  if (taken.email_key === '' && (await tables.allStaff(trx)).length > 0)
    throw notFound('staff.invitationOver');
  const email_key = emailKeyOf(email);
  const there = await tables.findStaff(trx, 'email_key', email_key);
  const id = there?.id ?? randomUUID();
  const fresh = { ...person, ...noFactor };
  if (there) {
    await tables.updateStaff(trx, id, fresh);
    await tables.deleteSessions(trx, id);
    await tables.deleteDevices(trx, id);
    await tables.replaceRecoveryCodes(trx, id, []);
    await tables.deletePasskeys(trx, id);
    await tables.deleteKeysOf(trx, id);
  } else {
    const { role, stores } = taken;
    await tables.insertStaff(trx, {
      id,
      email,
      email_key,
      role,
      stores,
      created_at: at,
      ...unseen,
      ...fresh,
    });
  }
  const staff = await tables.findStaff(trx, 'id', id);
  if (!staff) throw new Error('Somebody who was just added is not there');
  return staff;
}

/** @throws {AppError} REQUEST_VALIDATION_ERROR for an unknown store, or none */
export function checkStores(all: readonly Store[], ids: readonly string[] | null): void {
  const known = new Set(all.map(({ id }) => id));
  if (ids?.some((id) => !known.has(id)) || ids?.length === 0)
    throw validationError({ stores: 'staff.storeUnknown' });
}

function memberOf(
  row: Pick<tables.StaffRow, 'id' | 'name' | 'email' | 'role' | 'stores'> & Partial<tables.StaffRow>,
): Omit<StaffMember, 'invitedUntil' | 'started'> {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    role: row.role,
    roleName: row.role_name ?? null,
    stores: storesOf(row),
    demo: row.password_hash === '',
    secondFactor: isSecured({ totp_confirmed: 0, passkeys: 0, ...row }),
    blocked: (row.blocked_at ?? null) !== null,
    lastSeenAt: row.last_seen_at ?? null,
  };
}

/** The secret is behind the #, which no browser sends to a server or another site. */
export function invitationLink(origin: string, token: string): string {
  return `${origin}/office/join#${token}`;
}

export type DemoStaff = Pick<StaffMember, 'id' | 'name' | 'email' | 'role' | 'stores'>;

/** The demo's people, who enter the office by a click where the shop is a demo that only this machine reaches. */
export function createDemoStaff({ db, env, now, stores }: StaffDeps, sessions: StaffSessions) {
  return {
    async people(): Promise<SignInOptions['demo']> {
      if (!env.demoStaff) return [];
      const [people, places] = await Promise.all([tables.allStaff(db.read), stores.all()]);
      return people.filter(tables.isDemo).map(({ id, name, role, stores: ids }) => ({
        id,
        name,
        role,
        storeContent: places.find((store) => storesOf({ stores: ids })?.includes(store.id))?.name ?? null,
      }));
    },

    /** Signs in as one of the demo's people. @throws 404 where the shop is not a demo on this machine */
    async signIn(id: string, caller: StaffCaller): Promise<StartedSession> {
      const staff = env.demoStaff ? await tables.findStaff(db.read, 'id', id) : null;
      if (!staff || !tables.isDemo(staff)) throw notFound();
      return db.transaction((trx) => sessions.start(trx, staff, caller));
    },

    /** Adds the demo's people, who have no password, unless they are there. */
    async import({ trx, note }: Change, people: readonly DemoStaff[]): Promise<void> {
      for (const [place, { stores: ids, ...person }] of people.entries()) {
        note('staff', person.id);
        if (await tables.findStaff(trx, 'id', person.id)) continue;
        const { email } = person;
        const row = {
          ...person,
          email_key: emailKeyOf(email),
          stores: ids && JSON.stringify(ids),
          password_hash: '',
        };
        await tables.insertStaff(trx, { ...row, ...noFactor, ...unseen, created_at: now() + place });
      }
    },

    /** Removes the people without a password, whom only a demo has. Returns whether there were any. */
    withdraw: (): Promise<boolean> => db.transaction(tables.deleteDemoStaff),
  };
}
