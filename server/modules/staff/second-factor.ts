/** The second factor: codes of an authenticator app (RFC 6238), and recovery codes for a lost one. */
import { hash, randomBytes } from 'node:crypto';
import { generateSecret, generateURI, verifySync } from 'otplib';
import type { Static } from 'typebox';
import type { NewSecondFactor, RecoveryCodes } from '#contract/staff/schemas.ts';
import type { Trx } from '#db/database.ts';
import { AppError } from '#server/platform/errors.ts';
import { replaceRecoveryCodes, type StaffRow, takeRecoveryCode, updateStaff } from './staff.repository.ts';

/** A code counts this long before and after its half minute, in seconds, because clocks differ. */
const toleranceSeconds = 30;
const recoveryCodes = 10;

/** Stores a new secret, which counts once `confirmFactor` has seen a code of it. */
export async function newFactor(trx: Trx, staff: StaffRow, issuer: string): Promise<Static<typeof NewSecondFactor>> {
  // The one that counts stays until a code of the new one has come; only somebody without one gets it in its place.
  if (staff.totp_confirmed === 1) throw new AppError('CONFLICT', { errorKey: 'staff.factorThere' });
  const secret = generateSecret();
  await updateStaff(trx, staff.id, { totp_secret: secret, totp_confirmed: 0, totp_step: 0 });
  return { secret, uri: generateURI({ issuer, label: staff.email, secret }) };
}

/**
 * Sets the second factor up.
 * @throws {AppError} REQUEST_VALIDATION_ERROR for a wrong code
 */
export async function confirmFactor(trx: Trx, staff: StaffRow, code: string, now: number): Promise<Static<typeof RecoveryCodes>> {
  if (!staff.totp_secret || staff.totp_confirmed === 1) throw new AppError('CONFLICT', { errorKey: 'staff.factorThere' });
  const step = stepOf(staff, code, now);
  if (step === null)
    throw new AppError('REQUEST_VALIDATION_ERROR', { errorKey: 'error.fields', errors: { code: 'staff.codeWrong' } });
  await updateStaff(trx, staff.id, { totp_confirmed: 1, totp_step: step });
  const codes = Array.from({ length: recoveryCodes }, () =>
    randomBytes(8)
      .toString('hex')
      .replace(/(.{4})(?=.)/g, '$1-'),
  );
  await replaceRecoveryCodes(trx, staff.id, codes.map(hashOfCode));
  return { codes };
}

/** Whether a code is right; it is used up then. Somebody without a second factor needs none. */
export async function useCode(trx: Trx, staff: StaffRow, code: string, now: number): Promise<boolean> {
  if (staff.totp_confirmed === 0) return true;
  const step = stepOf(staff, code, now);
  // Two requests with one code: the first to change the step has used it.
  if (step !== null) return updateStaff(trx, staff.id, { totp_step: step }, { totp_step: staff.totp_step });
  return takeRecoveryCode(trx, staff.id, hashOfCode(code));
}

/** The time step of a code that is right and was not used; null otherwise. */
function stepOf({ totp_secret: secret, totp_step: last }: StaffRow, code: string, now: number): number | null {
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
