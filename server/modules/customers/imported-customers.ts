/** Accounts from the file of another shop. They have no passwords: no shop gives those away. */
import { randomUUID } from 'node:crypto';
import type { Locale } from '#contract/locales.ts';
import { savedAddressErrors } from '#contract/rules/account.ts';
import type { AddressInput } from '#contract/schemas/order.ts';
import type { Reader } from '#db/database.ts';
import { addNote, deleteNotes, notesOf } from '#db/notes.ts';
import type { Change } from '#server/modules/changes/index.ts';
import { emailKeyOf } from '#server/platform/text.ts';
import {
  type CustomerRow,
  deleteCustomer,
  findByEmailKeys,
  findCustomer,
  insertCustomer,
  updateCustomer,
} from './accounts.repository.ts';
import type { AccountsDeps } from './accounts.service.ts';
import { readBillingAddress, resolveAddress } from './address.ts';

/** As a file has them. */
export interface FoundCustomer {
  email: string;
  firstName: string;
  lastName: string;
  mobilePhone: string;
  /** Only if the file says so. */
  acceptNewsletter: boolean;
  address?: AddressInput;
  /** Of their staff. */
  note: string;
}

const filled = {
  firstName: 'first_name',
  lastName: 'last_name',
  mobilePhone: 'mobile_phone',
  shippingAddresses: 'shipping_addresses',
  billingAddresses: 'billing_addresses',
} as const;
export type FilledField = keyof typeof filled;
type Filled = Partial<Record<FilledField, string>>;

export interface CustomerPlan {
  /** Null: there is no account with this email. */
  before: CustomerRow | null;
  /** Fields that are empty so far. Addresses are JSON. */
  set: Filled;
  /** A part of it is missing, or its country or province is not known. */
  lacksAddress: boolean;
}

export interface WrittenCustomer {
  id: string;
  /** When, epoch ms: whoever changed the account since then keeps what they set. */
  at: number;
  isNew: boolean;
  fields: FilledField[];
  notes: number;
}

export type ImportedCustomers = ReturnType<typeof createImportedCustomers>;

export function createImportedCustomers(deps: AccountsDeps) {
  const { settings } = deps;
  return {
    /** An account that is there gets only what it lacks. */
    async plan(reader: Reader, all: readonly FoundCustomer[]): Promise<CustomerPlan[]> {
      const { countries } = await settings.all();
      const rows = await findByEmailKeys(
        reader,
        all.map(({ email }) => emailKeyOf(email)),
      );
      const byKey = new Map(rows.map((row) => [row.email_key, row]));
      return all.map((found) => {
        const before = byKey.get(emailKeyOf(found.email)) ?? null;
        const addresses = found.address ? addressesOf(found.address, countries) : {};
        const wanted: Filled = {
          firstName: found.firstName,
          lastName: found.lastName,
          mobilePhone: found.mobilePhone,
          ...(hasAddress(before) ? {} : addresses),
        };
        const isLacking = (field: FilledField) => ['', '[]'].includes(before?.[filled[field]] ?? '');
        const set = Object.entries(wanted).filter(
          ([field, value]) => value !== '' && isLacking(field as FilledField),
        );
        return {
          before,
          set: isTheirs(before) ? Object.fromEntries(set) : {},
          lacksAddress: addresses === null,
        };
      });
    },
    /** Ids of accounts by the key of their email, of those who have shown that it is theirs. */
    async ownersOf(reader: Reader, emails: readonly string[]): Promise<ReadonlyMap<string, string>> {
      const rows = await findByEmailKeys(reader, emails.map(emailKeyOf));
      return new Map(rows.filter(isTheirs).map(({ email_key, id }) => [email_key, id]));
    },
    write: (
      change: Change,
      found: FoundCustomer,
      plan: CustomerPlan,
      choice: { language: Locale; invite: boolean },
    ) => write(deps, change, { found, ...plan, ...choice }),
    takeBack: (change: Change, written: WrittenCustomer) => takeBack(deps, change, written),
  };
}

/** Whoever has signed up with an address that they have not shown to be theirs must not learn what another shop knew of its owner. */
const isTheirs = (row: CustomerRow | null) =>
  row === null || row.email_confirmed_at !== null || row.password_hash === '';

const hasAddress = (row: CustomerRow | null) =>
  row !== null && (row.shipping_addresses !== '[]' || row.billing_addresses !== '[]');

/** Where the shop does not deliver, it is an address for bills. Null: it cannot be used. */
function addressesOf(input: AddressInput, countries: Parameters<typeof resolveAddress>[1]): Filled | null {
  const shipping = resolveAddress(input, countries, 'address', savedAddressErrors);
  if ('address' in shipping) return { shippingAddresses: JSON.stringify([shipping.address]) };
  const billing = readBillingAddress(input, countries, 'address', savedAddressErrors);
  return 'address' in billing ? { billingAddresses: JSON.stringify([billing.address]) } : null;
}

/** Null if there is nothing to write. */
async function write(
  { now, mail }: AccountsDeps,
  { trx, note }: Change,
  {
    found,
    before,
    set,
    language,
    invite,
  }: CustomerPlan & { found: FoundCustomer; language: Locale; invite: boolean },
): Promise<WrittenCustomer | null> {
  const at = now();
  const fields = Object.keys(set) as FilledField[];
  const columns = Object.fromEntries(fields.map((field) => [filled[field], set[field] ?? '']));
  if (before) {
    if (fields.length === 0) return null;
    // With the name the words are written by which the customer is found.
    await updateCustomer(trx, before.id, { first_name: before.first_name, ...columns, updated_at: at });
    note(
      'customer',
      before.id,
      fields.map((field) => ({ field })),
    );
    return { id: before.id, at, isNew: false, fields, notes: 0 };
  }
  const id = randomUUID();
  const row = {
    id,
    email: found.email.trim(),
    email_key: emailKeyOf(found.email),
    first_name: '',
    last_name: '',
    mobile_phone: '',
    shipping_addresses: '[]',
    billing_addresses: '[]',
    password_hash: '',
    language,
    ...columns,
    ...({
      accept_newsletter: found.acceptNewsletter ? 1 : 0,
      created_at: at,
      updated_at: at,
      password_changed_at: at,
    } as const),
    last_login_at: null,
    email_confirmed_at: null,
    blocked_at: null,
    tax_exemptions: null,
  };
  // Somebody has just signed up.
  if (!(await insertCustomer(trx, row))) return null;
  if (found.note !== '') await addNote(trx, 'customer', id, { actor: null, text: found.note, at });
  note('customer', id);
  if (invite)
    await mail.enqueue(trx, { kind: 'invitation', recipient: row.email, locale: language, data: {} });
  return { id, at, isNew: true, fields, notes: found.note === '' ? 0 : 1 };
}

/** False if they have signed in since, or somebody has changed the account: it stays as it is then. */
async function takeBack(
  { data }: AccountsDeps,
  { trx, note }: Change,
  { id, at, isNew, fields, notes }: WrittenCustomer,
): Promise<boolean> {
  const row = await findCustomer(trx, id);
  if (!row || row.updated_at !== at) return false;
  if (!isNew) {
    const columns = Object.fromEntries(
      fields.map((field) => [filled[field], field.endsWith('Addresses') ? '[]' : '']),
    );
    await updateCustomer(trx, id, { first_name: row.first_name, ...columns });
    note(
      'customer',
      id,
      fields.map((field) => ({ field })),
    );
    return true;
  }
  const isUsed = row.password_hash !== '' || row.last_login_at !== null || row.blocked_at !== null;
  if (
    isUsed ||
    (await notesOf(trx, 'customer', id)).length > notes ||
    (await data.orders.placedBy([id], null)).has(id)
  )
    return false;
  await deleteNotes(trx, 'customer', id);
  await deleteCustomer(trx, id);
  note('customer', id);
  return true;
}
