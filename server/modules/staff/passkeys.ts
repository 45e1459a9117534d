/**
 * Passkeys of staff. The device checks its owner by a finger, a face or a code, so a passkey is both factors in one. The library is
 * loaded at first use, since it takes memory that a shop without passkeys can save.
 */
import { hash, randomUUID } from 'node:crypto';
import type { VerifiedAuthenticationResponse, VerifiedRegistrationResponse } from '@simplewebauthn/server';
import type { Passkey } from '#contract/staff/accounts.ts';
import type { StaffBody } from '#contract/staff/endpoints.ts';
import type { Trx } from '#db/database.ts';
import type { SignedIn } from '#server/http/staff-endpoint.ts';
import { AppError, notFound } from '#server/platform/errors.ts';
import { networkOf } from '#server/platform/rate-limits/rate-limits.service.ts';
import { minuteMs } from '#server/platform/time-zone.ts';
import { deviceOf, type StaffCaller, type StaffSessions, type StartedSession } from './sign-in.ts';
import * as tables from './staff.repository.ts';
import type { StaffDeps } from './staff.service.ts';

const challengeMs = 5 * minuteMs;
const mostPasskeys = 20;

/** A request's way to the office: its Host header. */
interface Visit {
  /** With the port. */
  host: string;
  hostname: string;
}

export type StaffPasskeys = ReturnType<typeof createPasskeys>;

const library = () => import('@simplewebauthn/server');
/** EdDSA, ES256 and RS256: what devices have. The library's default asks Node for more, which warns of experiments. */
const algorithms = [-8, -7, -257];

export function createPasskeys(deps: StaffDeps, sessions: StaffSessions) {
  const ceremony = createCeremony(deps);
  return { ...signingIn(deps, ceremony, sessions), ...newPasskeys(deps, ceremony), ...ownPasskeys(deps) };
}

type Ceremony = ReturnType<typeof createCeremony>;

function createCeremony({ db, env, now }: StaffDeps) {
  /**
   * Where passkeys belong: the address that the configuration names, since a Host header is the visitor's word; without one, this
   * machine by its name. Null: there can be none.
   */
  function placeOf({ host, hostname }: Visit): { origin: string; rpID: string } | null {
    const address = env.officeUrl ?? env.publicUrl;
    if (address) return { origin: address, rpID: new URL(address).hostname };
    return hostname === 'localhost' ? { origin: `http://${host}`, rpID: hostname } : null;
  }

  function need(visit: Visit): { origin: string; rpID: string } {
    const place = placeOf(visit);
    if (!place) throw new AppError('CONFLICT', { errorKey: 'staff.passkeyAddress' });
    return place;
  }

  const keep = (challenge: string, staffId: string | null) =>
    db.transaction((trx) =>
      tables.insertChallenge(trx, {
        hash: hash('sha256', challenge),
        staff_id: staffId,
        expires_at: now() + challengeMs,
      }),
    );
  /** A challenge is used up by the first answer, right or wrong. */
  const taken = (staffId: string | null) => (challenge: string) =>
    db.transaction((trx) => tables.takeChallenge(trx, hash('sha256', challenge), staffId, now()));

  /** @throws {AppError} AUTHORIZATION_ERROR, the same for an unknown passkey and a wrong signature */
  async function check(input: StaffBody<'passkeySignIn'>, visit: Visit): Promise<tables.PasskeyRow> {
    const { origin, rpID } = need(visit);
    const { id, ...response } = input;
    const row = await tables.findPasskey(db.read, 'credential_id', id);
    const { verifyAuthenticationResponse } = await library();
    const verified: VerifiedAuthenticationResponse | null = row
      ? await verifyAuthenticationResponse({
          response: { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response },
          expectedChallenge: taken(null),
          expectedOrigin: origin,
          expectedRPID: rpID,
          credential: { id, publicKey: Buffer.from(row.public_key, 'base64url'), counter: row.counter },
          requireUserVerification: true,
        }).catch(() => null)
      : null;
    if (!row || !verified?.verified) throw failed();
    const { newCounter } = verified.authenticationInfo;
    const counted = await db.transaction((trx) =>
      tables.updatePasskey(trx, row.id, { counter: newCounter, last_used_at: now() }, row.counter),
    );
    if (!counted) throw failed();
    return row;
  }

  return { placeOf, need, keep, taken, check };
}

function signingIn(
  { db, now, rateLimits }: StaffDeps,
  { placeOf, need, keep, check }: Ceremony,
  sessions: StaffSessions,
) {
  return {
    available: (visit: Visit): boolean => placeOf(visit) !== null,

    /** What a browser needs to sign in, or to show a passkey again. */
    async options(visit: Visit, { address }: StaffCaller) {
      const { rpID } = need(visit);
      await rateLimits.count([['passkeyAddress', networkOf(address)]]);
      const { generateAuthenticationOptions } = await library();
      const options = await generateAuthenticationOptions({ rpID, userVerification: 'required' });
      await keep(options.challenge, null);
      return { options: { ...options } };
    },

    async signIn(
      input: StaffBody<'passkeySignIn'>,
      visit: Visit,
      caller: StaffCaller,
    ): Promise<StartedSession> {
      const tried = [['staffAddress', networkOf(caller.address)]] as const;
      await rateLimits.count(tried);
      const { staff_id } = await check(input, visit);
      return db.transaction(async (trx) => {
        const staff = await tables.findStaff(trx, 'id', staff_id);
        if (!staff || staff.blocked_at !== null) throw failed();
        await rateLimits.undo(trx, tried);
        return sessions.start(trx, staff, caller);
      });
    },

    /** Shows a passkey again, for calls that ask for it. */
    async confirm(signedIn: SignedIn, input: StaffBody<'passkeySignIn'>, visit: Visit): Promise<void> {
      const { staff_id } = await check(input, visit);
      if (staff_id !== signedIn.id) throw failed();
      await db.transaction((trx) => tables.updateSession(trx, signedIn.session, { confirmed_at: now() }));
    },
  };
}

function newPasskeys({ db, now }: StaffDeps, { need, keep, taken }: Ceremony) {
  return {
    /** What a browser needs to make a passkey. */
    async newOptions(id: string, rpName: string, visit: Visit) {
      const { rpID } = need(visit);
      const staff = await tables.findStaff(db.read, 'id', id);
      if (!staff) throw notFound();
      const there = await tables.allPasskeys(db.read, id);
      const { generateRegistrationOptions } = await library();
      const options = await generateRegistrationOptions({
        rpName,
        rpID,
        userName: staff.email,
        userDisplayName: staff.name,
        userID: new TextEncoder().encode(staff.id),
        excludeCredentials: there.map(({ credential_id }) => ({ id: credential_id })),
        supportedAlgorithmIDs: algorithms,
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      });
      await keep(options.challenge, id);
      return { options: { ...options } };
    },

    /** Adds a passkey. Other sessions end: they were begun without a second factor, and would now count as if with one. */
    async add(
      { id: staffId, session }: SignedIn,
      input: StaffBody<'addPasskey'>,
      visit: Visit,
      { agent }: StaffCaller,
    ) {
      const { origin, rpID } = need(visit);
      const { id, ...response } = input;
      const { verifyRegistrationResponse } = await library();
      const verified: VerifiedRegistrationResponse | null = await verifyRegistrationResponse({
        response: { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response },
        expectedChallenge: taken(staffId),
        expectedOrigin: origin,
        expectedRPID: rpID,
        supportedAlgorithmIDs: algorithms,
        requireUserVerification: true,
      }).catch(() => null);
      if (!verified?.verified) throw failed();
      const { credential } = verified.registrationInfo;
      await db.transaction(async (trx) => {
        await store(trx, {
          id: randomUUID(),
          staff_id: staffId,
          credential_id: credential.id,
          public_key: Buffer.from(credential.publicKey).toString('base64url'),
          counter: credential.counter,
          device: deviceOf(agent),
          created_at: now(),
          last_used_at: null,
        });
        await tables.deleteOtherSessions(trx, staffId, session);
      });
    },
  };
}

function ownPasskeys({ db }: StaffDeps) {
  return {
    async list(staffId: string): Promise<Passkey[]> {
      return (await tables.allPasskeys(db.read, staffId)).map(({ id, device, created_at, last_used_at }) => ({
        id,
        device,
        createdAt: created_at,
        lastUsedAt: last_used_at,
      }));
    },

    remove: (staffId: string, id: string): Promise<void> =>
      db.transaction(async (trx) => {
        if (!(await tables.deletePasskey(trx, staffId, id))) throw notFound();
        await tables.updateStaff(trx, staffId, { passkeys: (await tables.allPasskeys(trx, staffId)).length });
      }),
  };
}

async function store(trx: Trx, passkey: tables.PasskeyRow): Promise<void> {
  const there = await tables.allPasskeys(trx, passkey.staff_id);
  if (there.length >= mostPasskeys) throw new AppError('CONFLICT', { errorKey: 'staff.passkeysMany' });
  await tables.insertPasskey(trx, passkey);
  await tables.updateStaff(trx, passkey.staff_id, { passkeys: there.length + 1 });
}

const failed = () => new AppError('AUTHORIZATION_ERROR', { errorKey: 'staff.passkeyFailed' });
