import type { FieldErrors } from '#contract/errors.ts';
import { addressTypes } from '#contract/limits.ts';
import type { Locale } from '#contract/locales.ts';
import { profileErrors } from '#contract/rules/account.ts';
import { streetOf } from '#contract/rules/address.ts';
import { isClean } from '#contract/rules/fields.ts';
import type { AccountSession, OrderBrief, ProfileInput } from '#contract/schemas/account.ts';
import { type Address, type AddressInput, Address as AddressSchema } from '#contract/schemas/order.ts';
import type { SessionInfo } from '#contract/schemas/shop.ts';
import { notFound, validationError } from '#server/platform/errors.ts';
import type { SessionHandle } from '#server/platform/sessions/sessions.service.ts';
import { emailKeyOf, oneLine } from '#server/platform/text.ts';
import { createAccountData } from './account-data.ts';
import { addressColumns, type CustomerRow, updateCustomer } from './accounts.repository.ts';
import type { AccountsDeps } from './accounts.service.ts';
import { toSessionInfo } from './customer.ts';
import { accountGone, createOwnAccount } from './own-account.ts';
import type { ConfirmPassword } from './password-change.ts';
import { createSavedAddresses } from './saved-addresses.ts';

/** The most orders in one response. */
const maxOrders = 48;

export function createProfile(deps: AccountsDeps, confirmPassword: ConfirmPassword) {
  const { db, now, data } = deps;
  const account = createOwnAccount(deps);

  return {
    ...createSavedAddresses(deps, account),
    ...createAccountData(deps, account, confirmPassword),
    ...createAccountSessions(deps),

    /** Fields left out stay; a read-only field may be sent unchanged. @throws {AppError} REQUEST_VALIDATION_ERROR */
    async update(handle: SessionHandle, input: ProfileInput): Promise<SessionInfo> {
      const row = await account.own(handle);
      const next = {
        firstName: input.firstName ?? row.first_name,
        lastName: input.lastName ?? row.last_name,
        mobilePhone: input.mobilePhone ?? row.mobile_phone,
      };
      const errors: FieldErrors = { ...profileErrors(next), ...fixedFieldErrors(input, row) };
      if (!isClean(errors)) throw validationError(errors);
      const changed = await db.transaction((trx) =>
        updateCustomer(trx, row.id, {
          first_name: oneLine(next.firstName),
          last_name: oneLine(next.lastName),
          mobile_phone: oneLine(next.mobilePhone),
          ...(input.acceptNewsletter === undefined ? {} : { accept_newsletter: input.acceptNewsletter ? 1 : 0 }),
          updated_at: now(),
        }),
      );
      if (!changed) throw accountGone();
      return toSessionInfo(changed);
    },

    /** Latest first, from position `from` on. */
    async orders(handle: SessionHandle, userId: string, from: number, count: number, locale: Locale): Promise<OrderBrief[]> {
      const row = await account.ownAs(handle, userId);
      return data.orders.list(row.id, from, Math.min(count, maxOrders), locale);
    },
  };
}

function fixedFieldErrors({ id, email, ...lists }: ProfileInput, row: CustomerRow): FieldErrors {
  const errors: FieldErrors = {};
  if (id !== undefined && id !== row.id) errors.id = 'rule.userIdFixed';
  if (email !== undefined && emailKeyOf(email) !== row.email_key) errors.email = 'rule.emailFixed';
  for (const type of addressTypes) {
    const field = `${type}Addresses` as const;
    const stored = JSON.parse(row[addressColumns[type]]) as Address[];
    if (lists[field] && !isSameList(lists[field], stored)) errors[field] = 'rule.addressesFixed';
  }
  return errors;
}

const addressFields = Object.keys(AddressSchema.properties) as (keyof Address)[];

/** Field by field. */
function isSameList(given: readonly AddressInput[], stored: readonly Address[]): boolean {
  const isSame = (one: AddressInput, other: Address | undefined) => {
    const filled: AddressInput = { ...one, streetNumberAndNameDetails: streetOf(one) };
    return addressFields.every((field) => (filled[field] ?? '') === other?.[field]);
  };
  return given.length === stored.length && given.every((one, at) => isSame(one, stored[at]));
}

function createAccountSessions({ db, sessions }: Pick<AccountsDeps, 'db' | 'sessions'>) {
  async function openSessions(handle: SessionHandle): Promise<AccountSession[]> {
    const { customerId, idHash } = await handle.customer();
    const open = await sessions.of(customerId);
    return open.map(({ idHash: each, ...session }) => ({ ...session, current: each === idHash }));
  }

  return {
    sessions: openSessions,

    /** All others if `id` is left out. Returns the remaining ones. @throws {AppError} NOT_FOUND if none has the `id` */
    async endSessions(handle: SessionHandle, id: string | undefined): Promise<AccountSession[]> {
      const { customerId, idHash } = await handle.customer();
      await db.transaction(async (trx) => {
        if (id === undefined) await sessions.endAll(trx, customerId, idHash);
        else if (!(await sessions.endOne(trx, customerId, id))) throw notFound();
      });
      return openSessions(handle);
    },
  };
}
