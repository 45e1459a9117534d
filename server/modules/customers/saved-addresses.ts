/** One list for shipping and one for billing. */
import type { FieldErrors } from '#contract/errors.ts';
import { type AddressType, limits } from '#contract/limits.ts';
import { addressListErrors, savedAddressErrors, withAddressDefaults } from '#contract/rules/account.ts';
import { isClean } from '#contract/rules/fields.ts';
import type { Address, AddressInput } from '#contract/schemas/order.ts';
import type { User } from '#contract/schemas/shop.ts';
import type { Trx } from '#db/database.ts';
import { validationError } from '#server/platform/errors.ts';
import type { SessionHandle } from '#server/platform/sessions/sessions.service.ts';
import { addressColumns, lockAddresses, updateCustomer } from './accounts.repository.ts';
import type { AccountsDeps } from './accounts.service.ts';
import { type ResolvedAddress, readBillingAddress, resolveAddress } from './address.ts';
import { toUser } from './customer.ts';
import { accountGone, type OwnAccount } from './own-account.ts';

export function createSavedAddresses({ db, now, settings }: AccountsDeps, { ownAs }: OwnAccount) {
  /** @throws {AppError} REQUEST_VALIDATION_ERROR, fields by the position of their address */
  async function resolveAll(type: AddressType, list: readonly AddressInput[]): Promise<ResolvedAddress[]> {
    const tooMany = addressListErrors(list).body;
    if (tooMany) throw validationError({ body: tooMany });
    const { countries } = await settings.all();
    const resolve = type === 'billing' ? readBillingAddress : resolveAddress;
    const results = list.map((address, at) => resolve(withAddressDefaults(address), countries, String(at), savedAddressErrors));
    const errors: FieldErrors = Object.assign({}, ...results.map((result) => ('errors' in result ? result.errors : {})));
    if (!isClean(errors)) throw validationError(errors);
    return results.flatMap((result) => ('address' in result ? [result.address] : []));
  }

  return {
    async addresses(handle: SessionHandle, userId: string, type: AddressType): Promise<Address[]> {
      const row = await ownAs(handle, userId);
      return JSON.parse(row[addressColumns[type]]) as Address[];
    },

    /** The first address is the default. @throws {AppError} REQUEST_VALIDATION_ERROR by field */
    async replaceAddresses(
      handle: SessionHandle,
      userId: string,
      type: AddressType,
      list: readonly AddressInput[],
    ): Promise<{ user: User }> {
      const row = await ownAs(handle, userId);
      const addresses = await resolveAll(type, list);
      const changed = await db.transaction((trx) =>
        updateCustomer(trx, row.id, { [addressColumns[type]]: JSON.stringify(addresses), updated_at: now() }),
      );
      if (!changed) throw accountGone();
      return { user: toUser(changed) };
    },

    /** From checkout, unless they have it already or have reached the limit. */
    async saveAddress(trx: Trx, customerId: string, type: AddressType, address: ResolvedAddress): Promise<void> {
      const list = await lockAddresses(trx, customerId, type);
      if (!list || list.length >= limits.addressesMax || list.some((other) => isSameAddress(other, address))) return;
      await updateCustomer(trx, customerId, { [addressColumns[type]]: JSON.stringify([...list, address]), updated_at: now() });
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
