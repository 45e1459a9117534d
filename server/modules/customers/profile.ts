/** A customer's profile, addresses and sessions, the export of their data, and the deletion of their account. */
import type { FieldErrors } from '#contract/errors.ts';
import { type AddressType, addressTypes, limits } from '#contract/limits.ts';
import type { Locale } from '#contract/locales.ts';
import { addressListErrors, profileErrors, savedAddressErrors, withAddressDefaults } from '#contract/rules/account.ts';
import { streetOf } from '#contract/rules/address.ts';
import { isClean } from '#contract/rules/fields.ts';
import type { AccountData, AccountSession, OrderBrief, ProfileInput } from '#contract/schemas/account.ts';
import { type Address, type AddressInput, Address as AddressSchema } from '#contract/schemas/order.ts';
import type { SessionInfo, User } from '#contract/schemas/shop.ts';
import type { Trx } from '#db/database.ts';
import { AppError, notFound, validationError } from '#server/platform/errors.ts';
import type { SessionHandle } from '#server/platform/sessions/sessions.service.ts';
import { emailKeyOf, oneLine } from '#server/platform/text.ts';
import {
  addressColumns,
  type CustomerRow,
  deleteCustomer,
  findCustomer,
  lockAddresses,
  updateCustomer,
} from './accounts.repository.ts';
import type { AccountsDeps } from './accounts.service.ts';
import { type ResolvedAddress, readBillingAddress, resolveAddress } from './address.ts';
import { toUser } from './customer.ts';
import type { createPasswordChange } from './password-change.ts';
import { toSessionInfo } from './sign-in.ts';

const ordersAtOnce = 48;

export function createProfile(deps: AccountsDeps, { confirm }: Pick<ReturnType<typeof createPasswordChange>, 'confirm'>) {
  const { db, now, sessions, settings, data, mail } = deps;

  async function own(handle: SessionHandle): Promise<CustomerRow> {
    const { customerId } = await handle.customer();
    const row = await findCustomer(db.read, customerId);
    if (!row) throw accountGone();
    return row;
  }

  /** The caller, where `userId` (an id or an email) is theirs: whether it is anybody else's is not said. */
  async function ownAs(handle: SessionHandle, userId: string): Promise<CustomerRow> {
    const row = await own(handle);
    if (userId !== row.id && emailKeyOf(userId) !== row.email_key)
      throw new AppError('FORBIDDEN', { errorKey: 'account.notYours' });
    return row;
  }

  return {
    /** Changes what is given and leaves the rest. What cannot be changed here may be sent along unchanged. */
    async update(handle: SessionHandle, input: ProfileInput): Promise<SessionInfo> {
      const row = await own(handle);
      const next = {
        firstName: input.firstName ?? row.first_name,
        lastName: input.lastName ?? row.last_name,
        mobilePhone: input.mobilePhone ?? row.mobile_phone,
      };
      const errors: FieldErrors = { ...profileErrors(next), ...fixedErrors(input, row) };
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

    async addresses(handle: SessionHandle, userId: string, type: AddressType): Promise<Address[]> {
      const row = await ownAs(handle, userId);
      return JSON.parse(row[addressColumns[type]]) as Address[];
    },

    /** Replaces the list of a type. The first is the one to begin with. */
    async replaceAddresses(
      handle: SessionHandle,
      userId: string,
      type: AddressType,
      list: readonly AddressInput[],
    ): Promise<{ user: User }> {
      const row = await ownAs(handle, userId);
      const tooMany = addressListErrors(list).body;
      if (tooMany) throw validationError({ body: tooMany });
      const { countries } = await settings.all();
      const readList = type === 'billing' ? readBillingAddress : resolveAddress;
      const read = list.map((address, at) => readList(withAddressDefaults(address), countries, String(at), savedAddressErrors));
      const errors: FieldErrors = Object.assign({}, ...read.map((one) => ('errors' in one ? one.errors : {})));
      if (!isClean(errors)) throw validationError(errors);
      const addresses = read.flatMap((one) => ('address' in one ? [one.address] : []));
      const changed = await db.transaction((trx) =>
        updateCustomer(trx, row.id, { [addressColumns[type]]: JSON.stringify(addresses), updated_at: now() }),
      );
      if (!changed) throw accountGone();
      return { user: toUser(changed) };
    },

    /** Keeps an address of the checkout with the customer's, unless it is there already or there are too many. */
    async saveAddress(trx: Trx, customerId: string, type: AddressType, address: ResolvedAddress): Promise<void> {
      const list = await lockAddresses(trx, customerId, type);
      if (!list || list.length >= limits.addressesMax || list.some((other) => isSameAddress(other, address))) return;
      await updateCustomer(trx, customerId, { [addressColumns[type]]: JSON.stringify([...list, address]), updated_at: now() });
    },

    async orders(handle: SessionHandle, userId: string, from: number, count: number, locale: Locale): Promise<OrderBrief[]> {
      const row = await ownAs(handle, userId);
      return data.orders.list(row.id, from, Math.min(count, ordersAtOnce), locale);
    },

    /** Everything kept about the customer. */
    async takeAway(handle: SessionHandle, locale: Locale): Promise<AccountData> {
      const row = await own(handle);
      const [open, sent, current, placed, likedPosts, written] = await Promise.all([
        sessions.of(row.id),
        mail.to(row.email),
        data.orders.cart(handle, locale),
        data.orders.all(row.id, locale),
        data.content.likedPosts(row.id),
        data.content.messages(senderOf(row)),
      ]);
      return {
        exportedAt: now(),
        user: toUser(row),
        language: row.language,
        registeredAt: row.created_at,
        lastLoginDate: row.last_login_at,
        passwordChangedAt: row.password_changed_at,
        sessions: open.map(({ startedAt, lastSeenAt, expiresAt }) => ({ startedAt, lastSeenAt, expiresAt })),
        mails: sent,
        cart: current.orderID === null ? null : current,
        orders: placed,
        likedPosts,
        messages: written,
      };
    },

    /**
     * Deletes the account, once the password is confirmed. Orders keep what bookkeeping needs.
     * @throws Refusal CONFLICT while a payment is under way
     */
    async remove(handle: SessionHandle, currentPassword: string | undefined): Promise<void> {
      const row = await own(handle);
      await confirm(row, currentPassword);
      await db.transaction(async (trx) => {
        await handle.end(trx);
        if (!(await erase(trx, row))) throw accountGone();
      });
    },

    /** Where the customer is signed in, the session used last first. */
    async sessions(handle: SessionHandle): Promise<AccountSession[]> {
      const { customerId, idHash } = await handle.customer();
      const open = await sessions.of(customerId);
      return open.map(({ idHash: each, ...session }) => ({ ...session, current: each === idHash }));
    },

    /**
     * Ends another session of the caller's, or all others, and answers those that are left.
     * @throws Refusal NOT_FOUND for an `id` that none of them has
     */
    async endSessions(handle: SessionHandle, id: string | undefined): Promise<AccountSession[]> {
      const { customerId, idHash } = await handle.customer();
      await db.transaction(async (trx) => {
        if (id === undefined) await sessions.endAll(trx, customerId, idHash);
        else if (!(await sessions.endOne(trx, customerId, id))) throw notFound();
      });
      return this.sessions(handle);
    },

    erase,

    /**
     * Ends an account of which somebody else knows the password: its password opens nothing from now on, its sessions end, and
     * it is deleted unless one of its orders is being paid. Returns false if there is no such account.
     */
    async withdraw(customerId: string): Promise<boolean> {
      const row = await findCustomer(db.read, customerId);
      if (!row) return false;
      await db.transaction(async (trx) => {
        await updateCustomer(trx, row.id, { password_hash: '', updated_at: now() });
        await sessions.endAll(trx, row.id);
      });
      try {
        await db.transaction((trx) => erase(trx, row));
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
      }
      return true;
    },
  };

  /** Deletes an account. Orders keep what bookkeeping needs. Returns false if it is deleted already. */
  async function erase(trx: Trx, row: CustomerRow): Promise<boolean> {
    const { id, email } = row;
    await data.orders.detachFromCustomer(trx, id);
    await mail.forget(trx, email);
    await data.content.forgetMessages(trx, senderOf(row));
    await data.content.forgetLikes(trx, id);
    await sessions.endAll(trx, id);
    return deleteCustomer(trx, id);
  }
}

/** What this call does not change, where it differs from what is stored. */
function fixedErrors({ id, email, ...lists }: ProfileInput, row: CustomerRow): FieldErrors {
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

/** Whether each given address equals the stored one, field by field. */
function isSameList(given: readonly AddressInput[], stored: readonly Address[]): boolean {
  const isSame = (one: AddressInput, other: Address | undefined) => {
    const filled: AddressInput = { ...one, streetNumberAndNameDetails: streetOf(one) };
    return addressFields.every((field) => (filled[field] ?? '') === other?.[field]);
  };
  return given.length === stored.length && given.every((one, at) => isSame(one, stored[at]));
}

/** The account was deleted meanwhile. */
function accountGone(): AppError {
  return new AppError('AUTHORIZATION_ERROR', { errorKey: 'account.signInNeeded' });
}

/** An email that is only typed into an account must not open what its real owner wrote. */
function senderOf({ id, email, email_confirmed_at }: CustomerRow) {
  return { customerId: id, email: email_confirmed_at === null ? null : email };
}

function isSameAddress(one: Address, other: Address): boolean {
  const fields = ['streetNumberAndNameDetails', 'city', 'province', 'postCode', 'countryISOCode'] as const;
  return fields.every((field) => normalizeForComparison(one[field]) === normalizeForComparison(other[field]));
}

function normalizeForComparison(text: string): string {
  return text.toLowerCase().replace(/[\s.,-]+/g, '');
}
