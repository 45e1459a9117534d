/** Stores a new password, and ends what the old one opened. */
import type { Locale } from '#contract/locales.ts';
import type { Trx } from '#db/database.ts';
import { AppError } from '#server/platform/errors.ts';
import { type CustomerRow, deleteTemporaryPasswords, deleteTrustedNetworks, updateCustomer } from './accounts.repository.ts';
import type { AccountsDeps } from './accounts.service.ts';

/** Ends all sessions but `kept.session`, trusts only `kept.places`, and emails the customer. @throws {AppError} CONFLICT */
export async function replacePassword(
  { now, sessions, mail }: AccountsDeps,
  trx: Trx,
  customer: CustomerRow,
  hash: string,
  locale: Locale,
  kept?: { session: string; places: readonly string[] },
): Promise<void> {
  const at = now();
  const change = { password_hash: hash, password_changed_at: at, updated_at: at };
  if (!(await updateCustomer(trx, customer.id, change, customer.password_hash)))
    throw new AppError('CONFLICT', { errorKey: 'error.busy' });
  await deleteTemporaryPasswords(trx, customer.id);
  await sessions.endAll(trx, customer.id, kept?.session);
  await deleteTrustedNetworks(trx, customer.id, kept?.places ?? []);
  await mail.enqueue(trx, {
    kind: 'passwordChanged',
    recipient: customer.email,
    locale,
    data: { firstName: greetingName(customer) },
  });
}

/** '' while the address is not confirmed as the customer's. */
export function greetingName({ first_name, email_confirmed_at }: CustomerRow): string {
  return email_confirmed_at === null ? '' : first_name;
}
