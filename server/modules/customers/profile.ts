import type { FieldErrors } from '#contract/errors.ts';
import { type AddressType, addressTypes, limits } from '#contract/limits.ts';
import type { Locale } from '#contract/locales.ts';
import {
  addressListErrors,
  profileErrors,
  savedAddressErrors,
  withAddressDefaults,
} from '#contract/rules/account.ts';
import { streetOf } from '#contract/rules/address.ts';
import { isClean } from '#contract/rules/fields.ts';
import { addressesVersion } from '#contract/rules/saved-addresses.ts';
import type { AccountData, AccountSession, OrderBrief, ProfileInput } from '#contract/schemas/account.ts';
import { type Address, type AddressInput, Address as AddressSchema } from '#contract/schemas/order.ts';
import type { SessionInfo, User } from '#contract/schemas/shop.ts';
import type { Database, Trx } from '#db/database.ts';
import { deleteNotes, notesOf } from '#db/notes.ts';
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
import { toSessionInfo, toUser } from './customer.ts';
import type { MessageSender } from './customer-data.ts';
import type { ConfirmPassword } from './password-change.ts';

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
          ...(input.acceptNewsletter === undefined
            ? {}
            : { accept_newsletter: input.acceptNewsletter ? 1 : 0 }),
          updated_at: now(),
        }),
      );
      if (!changed) throw accountGone();
      return toSessionInfo(changed);
    },

    /** Latest first, from position `from` on. */
    async orders(
      handle: SessionHandle,
      userId: string,
      from: number,
      count: number,
      locale: Locale,
    ): Promise<OrderBrief[]> {
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

/** As customers read it: what is resolved besides is no part of it. */
const asShown = (address: Address): Partial<Address> =>
  Object.fromEntries(addressFields.map((field) => [field, address[field]]));

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

function createAccountData(deps: AccountsDeps, { own }: OwnAccount, confirmPassword: ConfirmPassword) {
  const { db, now, sessions } = deps;

  /** Orders keep what bookkeeping needs. False if it is deleted already. */
  const erase = (trx: Trx, row: CustomerRow): Promise<boolean> => eraseAccount(deps, trx, row);

  return {
    erase,

    async exportData(handle: SessionHandle, locale: Locale): Promise<AccountData> {
      return collectAccountData(deps, await own(handle), handle, locale);
    },

    /** Orders keep what bookkeeping needs. @throws {AppError} CONFLICT while a payment is under way */
    async deleteAccount(handle: SessionHandle, currentPassword: string | undefined): Promise<void> {
      const row = await own(handle);
      await confirmPassword(row, currentPassword);
      await db.transaction(async (trx) => {
        await handle.end(trx);
        if (!(await erase(trx, row))) throw accountGone();
      });
    },

    /** For an account whose password is known: it is deleted, unless an order is being paid. False if there is none. */
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
}

async function collectAccountData(
  { db, now, sessions, data, mail }: AccountsDeps,
  row: CustomerRow,
  handle: SessionHandle,
  locale: Locale,
): Promise<AccountData> {
  const [openSessions, mails, cart, orders, likedPosts, messages, notes] = await Promise.all([
    sessions.of(row.id),
    mail.to(row.email),
    data.orders.cart(handle, locale),
    data.orders.all(row.id, locale),
    data.content.likedPosts(row.id),
    data.content.messages(senderOf(row)),
    notesOf(db.read, 'customer', row.id),
  ]);
  return {
    exportedAt: now(),
    user: toUser(row),
    language: row.language,
    registeredAt: row.created_at,
    lastLoginDate: row.last_login_at,
    passwordChangedAt: row.password_changed_at,
    sessions: openSessions.map(({ startedAt, lastSeenAt, expiresAt }) => ({
      startedAt,
      lastSeenAt,
      expiresAt,
    })),
    mails,
    cart: cart.orderID === null ? null : cart,
    orders,
    likedPosts,
    messages,
    staffNotes: notes.map(({ text, at }) => ({ text, at })),
  };
}

async function eraseAccount(
  { sessions, data, mail }: AccountsDeps,
  trx: Trx,
  row: CustomerRow,
): Promise<boolean> {
  const { id, email } = row;
  await data.orders.detachFromCustomer(trx, id);
  await mail.forget(trx, email);
  await data.content.forgetMessages(trx, senderOf(row));
  await data.content.forgetLikes(trx, id);
  if (row.email_confirmed_at !== null) await data.imports.forget(trx, email);
  await sessions.endAll(trx, id);
  await deleteNotes(trx, 'customer', id);
  return deleteCustomer(trx, id);
}

/** An unconfirmed email must not show what the owner of that email wrote. */
function senderOf({ id, email, email_confirmed_at }: CustomerRow): MessageSender {
  return { customerId: id, email: email_confirmed_at === null ? null : email };
}

/** One list for shipping and one for billing. */
function createSavedAddresses({ db, now, settings }: AccountsDeps, { ownAs }: OwnAccount) {
  /** @throws {AppError} REQUEST_VALIDATION_ERROR, fields by the position of their address */
  async function resolveAll(type: AddressType, list: readonly AddressInput[]): Promise<ResolvedAddress[]> {
    const tooMany = addressListErrors(list).body;
    if (tooMany) throw validationError({ body: tooMany });
    const { countries } = await settings.all();
    const resolve = type === 'billing' ? readBillingAddress : resolveAddress;
    const results = list.map((address, at) =>
      resolve(withAddressDefaults(address), countries, String(at), savedAddressErrors),
    );
    const errors: FieldErrors = Object.assign(
      {},
      ...results.map((result) => ('errors' in result ? result.errors : {})),
    );
    if (!isClean(errors)) throw validationError(errors);
    return results.flatMap((result) => ('address' in result ? [result.address] : []));
  }

  return {
    async addresses(handle: SessionHandle, userId: string, type: AddressType): Promise<Address[]> {
      const row = await ownAs(handle, userId);
      return JSON.parse(row[addressColumns[type]]) as Address[];
    },

    /**
     * The first address is the default. `seen`: the version of the list that it replaces.
     * @throws {AppError} REQUEST_VALIDATION_ERROR by field; CONFLICT for a list that was changed since, such as in another tab
     */
    async replaceAddresses(
      handle: SessionHandle,
      userId: string,
      type: AddressType,
      { list, seen }: { list: readonly AddressInput[]; seen: string | undefined },
    ): Promise<{ user: User }> {
      const row = await ownAs(handle, userId);
      const addresses = await resolveAll(type, list);
      const changed = await db.transaction(async (trx) => {
        const there = (await lockAddresses(trx, row.id, type)) ?? [];
        // A request whose answer was lost finds what it saved.
        const known = [there, addresses].map((each) => addressesVersion(each.map(asShown)));
        if (seen !== undefined && seen !== known[0] && known[0] !== known[1])
          throw new AppError('CONFLICT', { errorKey: 'account.address.changed' });
        return updateCustomer(trx, row.id, {
          [addressColumns[type]]: JSON.stringify(addresses),
          updated_at: now(),
        });
      });
      if (!changed) throw accountGone();
      return { user: toUser(changed) };
    },

    /** From checkout, unless they have it already or have reached the limit. */
    async saveAddress(
      trx: Trx,
      customerId: string,
      type: AddressType,
      address: ResolvedAddress,
    ): Promise<void> {
      const list = await lockAddresses(trx, customerId, type);
      if (!list || list.length >= limits.addressesMax || list.some((other) => isSameAddress(other, address)))
        return;
      await updateCustomer(trx, customerId, {
        [addressColumns[type]]: JSON.stringify([...list, address]),
        updated_at: now(),
      });
    },
  };
}

function isSameAddress(one: Address, other: Address): boolean {
  const fields = ['streetNumberAndNameDetails', 'city', 'province', 'postCode', 'countryISOCode'] as const;
  return fields.every((field) => normalizeForComparison(one[field]) === normalizeForComparison(other[field]));
}

function normalizeForComparison(text: string): string {
  return text.toLowerCase().replace(/[\s.,-]+/g, '');
}

type OwnAccount = ReturnType<typeof createOwnAccount>;

/** Checks that a named account is the caller's. */
function createOwnAccount({ db }: { db: Database }) {
  async function own(handle: SessionHandle): Promise<CustomerRow> {
    const { customerId } = await handle.customer();
    const row = await findCustomer(db.read, customerId);
    if (!row) throw accountGone();
    return row;
  }

  return {
    own,

    /** By id or email. @throws {AppError} FORBIDDEN for any other account, whether or not it exists */
    async ownAs(handle: SessionHandle, userId: string): Promise<CustomerRow> {
      const row = await own(handle);
      if (userId !== row.id && emailKeyOf(userId) !== row.email_key)
        throw new AppError('FORBIDDEN', { errorKey: 'account.notYours' });
      return row;
    },
  };
}

function accountGone(): AppError {
  return new AppError('AUTHORIZATION_ERROR', { errorKey: 'account.signInNeeded' });
}
