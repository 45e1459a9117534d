/**
 * Signs staff in and out, and says who is signed in. The second factor is a code of an authenticator app (RFC 6238), or a recovery code
 * for a lost one.
 */
import { hash, randomBytes, randomUUID } from 'node:crypto';
import { generateSecret, generateURI, verifySync } from 'otplib';
import type { StaffBody, StaffResponse } from '#contract/staff/endpoints.ts';
import { freshMs } from '#contract/staff/permissions.ts';
import type { Me, StaffSession } from '#contract/staff/schemas.ts';
import type { Database, Trx } from '#db/database.ts';
import type { SignedIn } from '#server/http/staff-endpoint.ts';
import type { Passwords } from '#server/modules/customers/index.ts';
import { AppError } from '#server/platform/errors.ts';
import { type Attempt, networkOf } from '#server/platform/rate-limits/rate-limits.service.ts';
import { emailKeyOf } from '#server/platform/text.ts';
import { dayMs, hourMs, minuteMs } from '#server/platform/time-zone.ts';
import type { StaffKeys } from './keys.ts';
import { canEnter, permissionsOf, storesOf, waitingOf } from './roles.ts';
import * as tables from './staff.repository.ts';
import type { StaffDeps } from './staff.service.ts';
import type { Stations } from './stations.ts';

/** A session ends after this long without a call, and in any case after `longestMs`. */
const idleMs = 12 * hourMs;
export const longestMs = 7 * dayMs;
/** A session in use is prolonged at most this often, since that is a write. */
export const touchEveryMs = 10 * minuteMs;

/** The client's part of a request. */
export interface StaffCaller {
  address: string;
  /** The header user-agent. */
  agent: string;
  /** What the browser keeps of earlier sign-ins; null for nothing. */
  device: string | null;
}

export interface StartedSession {
  token: string;
  /** For the browser to keep. */
  device: string;
  staff: tables.StaffRow;
}

/** What somebody has who is signed in by a device or a key, and not as themselves. */
export const ofADevice = {
  email: '',
  roleName: null,
  demo: false,
  pin: false,
  secondFactor: false,
  waiting: [],
  passkeys: 0,
  recoveryCodes: 0,
};

export type StaffSessions = ReturnType<typeof createStaffSessions>;

export function createStaffSessions({ db, env, now }: StaffDeps, stations: Stations, keys: StaffKeys) {
  async function signedInOf(session: tables.SessionRow, at: number): Promise<SignedIn | null> {
    const staff = await tables.findStaff(db.read, 'id', session.staff_id);
    if (!staff || !canEnter(env, staff)) return null;
    return {
      id: staff.id,
      session: session.id,
      may: permissionsOf(staff),
      waiting: waitingOf(staff),
      stores: storesOf(staff),
      fresh: tables.isDemo(staff) || session.confirmed_at > at - freshMs,
    };
  }

  return {
    /** Starts a session for somebody who has shown password and second factor. */
    async start(
      trx: Trx,
      staff: tables.StaffRow,
      { agent, device: known }: StaffCaller,
    ): Promise<StartedSession> {
      const at = now();
      const { token, row } = newDevice(agent, at);
      await tables.insertSession(trx, {
        ...row,
        staff_id: staff.id,
        expires_at: at + idleMs,
        confirmed_at: at,
      });
      await tables.updateStaff(trx, staff.id, { last_seen_at: at });
      const device = known ?? randomBytes(32).toString('base64url');
      await tables.putDevice(trx, { staff_id: staff.id, token_hash: hash('sha256', device), used_at: at });
      return { token, device, staff };
    },

    /** Who a token belongs to, or which station; null for nobody, and for somebody who is blocked. Prolongs the session. */
    async open(token: string, changes: boolean): Promise<SignedIn | null> {
      const [at, tokenHash] = [now(), hash('sha256', token)];
      const session = await tables.findSession(db.read, 'token_hash', tokenHash, at);
      if (!session) return stations.open(tokenHash, changes);
      const signedIn = await signedInOf(session, at);
      if (signedIn && session.last_seen_at < at - touchEveryMs)
        await db.transaction((trx) => prolong(trx, session, at));
      return signedIn;
    },

    openByKey: keys.openByKey,

    /** Like `open` and `openByKey`, by the id of the session or key and without prolonging it. */
    async check(id: string): Promise<SignedIn | null> {
      const session = await tables.findSession(db.read, 'id', id, now());
      return session ? signedInOf(session, now()) : ((await stations.check(id)) ?? keys.check(id));
    },

    async list({ id, session }: SignedIn): Promise<StaffSession[]> {
      const rows = await tables.sessionsOf(db.read, id, now());
      return rows.map((row) => ({ ...deviceIn(row), current: row.id === session }));
    },

    end: (staffId: string, session: string): Promise<void> =>
      db.transaction((trx) => tables.deleteSessions(trx, staffId, session)),
  };
}

export type StaffSignIn = ReturnType<typeof createStaffSignIn>;

export function createStaffSignIn(deps: StaffDeps, passwords: Passwords, sessions: StaffSessions) {
  const { db, now } = deps;
  return {
    async signIn(
      { email, password, code }: StaffBody<'signIn'>,
      caller: StaffCaller,
    ): Promise<StartedSession> {
      const emailKey = emailKeyOf(email);
      const found = await tables.findStaff(db.read, 'email_key', emailKey);
      // Whoever knows an email can use up its guesses, but not those of the browsers in which its owner signed in.
      const device = caller.device && hash('sha256', caller.device);
      const isKnown =
        found && device && (await tables.isDeviceOf(db.read, found.id, device, now() - tables.deviceMs));
      const tried: Attempt[] = isKnown
        ? [['staffDevice', `${found.id} ${device}`]]
        : [
            ['staffAccount', emailKey],
            ['staffAddress', networkOf(caller.address)],
          ];
      const staff = await check(deps, passwords, found, { password, code, tried });
      return db.transaction((trx) => sessions.start(trx, staff, caller));
    },

    /** Shows password and code again. @throws {AppError} as `signIn` does */
    async confirm(signedIn: SignedIn, { password = '', code }: StaffBody<'confirm'>): Promise<void> {
      const staff = await tables.findStaff(db.read, 'id', signedIn.id);
      await check(deps, passwords, staff, { password, code, tried: [['staffConfirm', signedIn.session]] });
      await db.transaction((trx) => tables.updateSession(trx, signedIn.session, { confirmed_at: now() }));
    },

    /** A new secret for an authenticator app of the shop `issuer`. @throws {AppError} CONFLICT if there is a second factor */
    newFactor: (id: string, issuer: string) => withRow(db, id, (trx, row) => newFactor(trx, row, issuer)),
    /** Sets the second factor up. @throws {AppError} REQUEST_VALIDATION_ERROR for a wrong code */
    confirmFactor: ({ id, session }: SignedIn, code: string) =>
      withRow(db, id, async (trx, row) => {
        const codes = await confirmFactor(trx, row, code, now());
        // They began with the password alone.
        await tables.deleteOtherSessions(trx, id, session);
        return codes;
      }),

    async me(id: string): Promise<Me> {
      const staff = await tables.findStaff(db.read, 'id', id);
      if (!staff) throw refused('staff.signInNeeded');
      return {
        name: staff.name,
        email: staff.email,
        role: staff.role,
        roleName: staff.role_name,
        stores: storesOf(staff),
        may: [...permissionsOf(staff)],
        demo: tables.isDemo(staff),
        secondFactor: staff.totp_confirmed === 1,
        passkeys: staff.passkeys,
        waiting: [...waitingOf(staff)],
        shop: await shopOf(deps),
        recoveryCodes: await tables.countRecoveryCodes(db.read, id),
        pin: staff.pin_hash !== null,
        station: null,
      };
    },
  };
}

/** What a session or a station begins with: the secret that the device keeps, and the row. */
export function newDevice(agent: string, at: number) {
  const token = randomBytes(32).toString('base64url');
  const row = {
    id: randomUUID(),
    token_hash: hash('sha256', token),
    device: deviceOf(agent),
    created_at: at,
    last_seen_at: at,
  };
  return { token, row };
}

/** A row of a device, on the wire. */
export const deviceIn = (row: Pick<tables.SessionRow, 'id' | 'device' | 'created_at' | 'last_seen_at'>) => ({
  id: row.id,
  device: row.device,
  createdAt: row.created_at,
  lastSeenAt: row.last_seen_at,
});

export async function shopOf({
  stores,
  settings,
}: Pick<StaffDeps, 'stores' | 'settings'>): Promise<Me['shop']> {
  const [all, timeZone, { currency, languages }] = await Promise.all([
    stores.all(),
    stores.timeZone(),
    settings.all(),
  ]);
  return { timeZone, currency, languages, stores: all.map(({ id, name }) => ({ id, nameContent: name })) };
}

/** Runs `work` in a transaction with the row of somebody who is signed in. */
function withRow<T>(
  db: Database,
  id: string,
  work: (trx: Trx, row: tables.StaffRow) => Promise<T>,
): Promise<T> {
  return db.transaction(async (trx) => {
    const row = await tables.findStaff(trx, 'id', id);
    if (!row) throw refused('staff.signInNeeded');
    return work(trx, row);
  });
}

/**
 * Checks password and code. The attempt counts before anything is compared, so that parallel guesses cannot all pass; one that is
 * right does not count.
 * @throws {AppError} AUTHORIZATION_ERROR, the same for an unknown email and a wrong password; RATE_LIMITED
 */
async function check(
  { db, now, rateLimits }: StaffDeps,
  passwords: Passwords,
  staff: tables.StaffRow | null,
  { password, code, tried }: { password: string; code: string | undefined; tried: readonly Attempt[] },
): Promise<tables.StaffRow> {
  await rateLimits.count(tried);
  const isRight = await passwords.verify(staff?.password_hash || null, password, { who: tried.join() });
  if (!staff || !isRight || staff.blocked_at !== null) throw refused('staff.signInFailed');
  // What a passkey stands for, a password alone does not.
  if (staff.totp_confirmed === 0 && staff.passkeys > 0) throw refused('staff.passkeyNeeded');
  if (staff.totp_confirmed === 1 && !code) {
    await db.transaction((trx) => rateLimits.undo(trx, tried));
    throw refused('staff.codeNeeded');
  }
  const isUsed = await db.transaction(async (trx) => {
    if (!(await useCode(trx, staff, code ?? '', now()))) return false;
    await rateLimits.undo(trx, tried);
    await rateLimits.reset(trx, tried.slice(0, 1));
    return true;
  });
  if (!isUsed) throw refused('staff.codeWrong');
  return staff;
}

async function prolong(trx: Trx, { id, created_at }: tables.SessionRow, at: number): Promise<void> {
  await tables.updateSession(trx, id, {
    last_seen_at: at,
    expires_at: Math.min(at + idleMs, created_at + longestMs),
  });
}

/** The browser and its system, by the header user-agent: enough to know one's own devices. */
export function deviceOf(agent: string): string {
  const browser = /(Edg|OPR|Firefox|Chrome|Safari)\//.exec(agent)?.[1] ?? '';
  const system = /(Android|iPhone|iPad|Windows|Mac OS X|Linux)/.exec(agent)?.[1] ?? '';
  const names: Readonly<Record<string, string>> = { Edg: 'Edge', OPR: 'Opera', 'Mac OS X': 'Mac' };
  return [browser, system].flatMap((part) => (part ? [names[part] ?? part] : [])).join(', ');
}

function refused(
  errorKey:
    | 'staff.signInFailed'
    | 'staff.codeNeeded'
    | 'staff.codeWrong'
    | 'staff.passkeyNeeded'
    | 'staff.signInNeeded',
): AppError {
  return new AppError('AUTHORIZATION_ERROR', { errorKey });
}

/** A code counts this long before and after its half minute, in seconds, because clocks differ. */
const toleranceSeconds = 30;
const recoveryCodes = 10;

/** Stores a new secret, which counts once `confirmFactor` has seen a code of it. */
async function newFactor(
  trx: Trx,
  staff: tables.StaffRow,
  issuer: string,
): Promise<StaffResponse<'newSecondFactor'>> {
  // The one that counts stays until a code of the new one has come; only somebody without one gets it in its place.
  if (staff.totp_confirmed === 1) throw new AppError('CONFLICT', { errorKey: 'staff.factorThere' });
  const secret = generateSecret();
  await tables.updateStaff(trx, staff.id, { totp_secret: secret, totp_confirmed: 0, totp_step: 0 });
  return { secret, uri: generateURI({ issuer, label: staff.email, secret }) };
}

/**
 * Sets the second factor up.
 * @throws {AppError} REQUEST_VALIDATION_ERROR for a wrong code
 */
async function confirmFactor(
  trx: Trx,
  staff: tables.StaffRow,
  code: string,
  now: number,
): Promise<StaffResponse<'confirmSecondFactor'>> {
  if (!staff.totp_secret || staff.totp_confirmed === 1)
    throw new AppError('CONFLICT', { errorKey: 'staff.factorThere' });
  const step = stepOf(staff, code, now);
  if (step === null)
    throw new AppError('REQUEST_VALIDATION_ERROR', {
      errorKey: 'error.fields',
      errors: { code: 'staff.codeWrong' },
    });
  await tables.updateStaff(trx, staff.id, { totp_confirmed: 1, totp_step: step });
  const codes = Array.from({ length: recoveryCodes }, () =>
    randomBytes(8)
      .toString('hex')
      .replace(/(.{4})(?=.)/g, '$1-'),
  );
  await tables.replaceRecoveryCodes(trx, staff.id, codes.map(hashOfCode));
  return { codes };
}

/** Whether a code is right; it is used up then. Somebody without a second factor needs none. */
async function useCode(trx: Trx, staff: tables.StaffRow, code: string, now: number): Promise<boolean> {
  if (staff.totp_confirmed === 0) return true;
  const step = stepOf(staff, code, now);
  // Two requests with one code: the first to change the step has used it.
  if (step !== null)
    return tables.updateStaff(trx, staff.id, { totp_step: step }, { totp_step: staff.totp_step });
  return tables.takeRecoveryCode(trx, staff.id, hashOfCode(code));
}

/** The time step of a code that is right and was not used; null otherwise. */
function stepOf(
  { totp_secret: secret, totp_step: last }: tables.StaffRow,
  code: string,
  now: number,
): number | null {
  const token = code.replaceAll(/\s/g, '');
  if (!secret || !/^\d{6}$/.test(token)) return null;
  const epoch = Math.floor(now / 1000);
  const result = verifySync({
    secret,
    token,
    epoch,
    epochTolerance: toleranceSeconds,
    ...(last > 0 ? { afterTimeStep: last } : {}),
  });
  return result.valid && 'timeStep' in result ? result.timeStep : null;
}

const hashOfCode = (code: string) => hash('sha256', code.toLowerCase().replaceAll(/[^a-z0-9]/g, ''));
