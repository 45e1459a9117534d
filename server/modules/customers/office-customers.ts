/**
 * Customers as the office shows them. They belong to no store: staff of some stores see who has ordered there. Nobody exports or
 * erases a customer but for the whole shop.
 */
import type { User } from '#contract/schemas/shop.ts';
import {
  type CustomerQuery,
  type CustomerSheet,
  type CustomersPage,
  customersPage,
  type TaxExemptionInput,
} from '#contract/staff/customers.ts';
import { exemptionRules, type TaxExemption } from '#contract/tax-exemptions.ts';
import { addNote, notesOf } from '#db/notes.ts';
import type { Change } from '#server/modules/changes/index.ts';
import { AppError, notFound, validationError } from '#server/platform/errors.ts';
import type { Permit } from '#server/platform/permits.ts';
import { requireRoomForNote } from '#server/platform/staff-notes.ts';
import { emailKeyOf } from '#server/platform/text.ts';
import {
  type CustomerRow,
  customerPage,
  customersAfter,
  exemptionsIn,
  exemptionsOf,
  findCustomer,
  staffNameOf,
  updateCustomer,
} from './accounts.repository.ts';
import type { AccountsDeps } from './accounts.service.ts';
import { toUser } from './customer.ts';
import type { CustomerDesk, Erased, PersonData } from './customer-support.ts';

/** How many customers are looked at for those of some stores, before a page is shown with fewer. */
const mostLookedAt = 2000;
const lookedAtOnce = 250;

type OfficeDeps = Pick<AccountsDeps, 'db' | 'now' | 'data'> & { desk: CustomerDesk };

export function createOfficeCustomers(deps: OfficeDeps) {
  const { db, now, data, desk } = deps;

  /** @throws {AppError} NOT_FOUND for a customer who is not there, or has ordered at none of the permit's stores */
  async function reach(permit: Permit, id: string): Promise<CustomerRow> {
    const row = await findCustomer(db.read, id);
    if (!row || (permit.stores && !(await data.orders.placedBy([id], permit.stores)).has(id)))
      throw notFound();
    return row;
  }

  return {
    page: (permit: Permit<'customers.read'>, query: CustomerQuery): Promise<CustomersPage> =>
      pageOf(deps, permit, query),

    /** @throws {AppError} as `reach` */
    async sheet(
      permit: Permit<'customers.read'> | Permit<'settings.money'>,
      id: string,
    ): Promise<CustomerSheet> {
      const row = await reach(permit, id);
      return {
        customer: toUser(row),
        emailConfirmed: row.email_confirmed_at !== null,
        language: row.language,
        registeredAt: row.created_at,
        lastLoginAt: row.last_login_at,
        blocked: row.blocked_at !== null,
        notes: await notesOf(db.read, 'customer', id),
        taxExemptions: exemptionsIn(row.tax_exemptions),
      };
    },

    /**
     * Whoever saves an exemption has seen its evidence; one that stays as it was keeps who saw it before.
     * @throws {AppError} as `reach`; for a kind that is named twice, or a delivery without its place
     */
    async exempt(
      change: Change,
      permit: Permit<'settings.money'>,
      id: string,
      wanted: readonly TaxExemptionInput[],
    ): Promise<void> {
      await reach(permit, id);
      wanted.forEach(({ kind, postCode }, index) => {
        if (exemptionRules[kind].delivered && postCode.trim() === '')
          throw validationError({ [`exemptions.${index}.postCode`]: 'office.customers.exempt.place' });
        if (wanted.findIndex((each) => each.kind === kind) !== index)
          throw validationError({ [`exemptions.${index}.kind`]: 'office.customers.exempt.twice' });
      });
      const at = now();
      // Locks the customer, so that of two who save the same the second finds it.
      await updateCustomer(change.trx, id, { updated_at: at });
      const before = await exemptionsOf(change.trx, id);
      const by = await staffNameOf(change.trx, change.actor);
      const isSame = (a: TaxExemptionInput, b: TaxExemptionInput) =>
        a.kind === b.kind && a.number === b.number && a.expires === b.expires && a.postCode === b.postCode;
      const after = wanted.map((given): TaxExemption => {
        const plain = { ...given, number: given.number.trim(), postCode: given.postCode.trim() };
        return before.find((each) => isSame(each, plain)) ?? { ...plain, checkedBy: by, checkedAt: at };
      });
      const isUnchanged = after.length === before.length && after.every((each) => before.includes(each));
      change.note(
        'customer',
        id,
        isUnchanged ? [] : [{ field: 'taxExemptions', from: namesOf(before), to: namesOf(after) }],
      );
      if (isUnchanged) return;
      const stored = after.length === 0 ? null : JSON.stringify(after);
      await updateCustomer(change.trx, id, { tax_exemptions: stored, updated_at: at });
    },

    /** @throws {AppError} as `reach` and `requireRoomForNote` */
    async note(
      { trx, actor, note }: Change,
      permit: Permit<'customers.note'>,
      id: string,
      text: string,
    ): Promise<void> {
      await reach(permit, id);
      await requireRoomForNote(trx, 'customer', id);
      await addNote(trx, 'customer', id, { text: text.trim(), at: now(), actor });
      note('customer', id, [{ field: 'staffNote' }]);
    },

    /** Returns what reads the data. @throws {AppError} as `reach` */
    async export(
      change: Change,
      permit: Permit<'customers.export'>,
      id: string,
    ): Promise<() => Promise<PersonData>> {
      return desk.export(change, (await reach(permit, id)).email);
    },

    /** @throws {AppError} as `reach`; for another email than theirs; CONFLICT while a payment is under way, nothing deleted */
    async erase(
      change: Change,
      permit: Permit<'customers.erase'>,
      id: string,
      email: string,
    ): Promise<Erased> {
      const row = await reach(permit, id);
      if (emailKeyOf(email) !== row.email_key)
        throw validationError({ email: 'office.customers.otherEmail' });
      try {
        return await desk.erase(change, row.email);
      } catch (error) {
        if (error instanceof AppError && error.errorType === 'CONFLICT')
          throw new AppError('CONFLICT', { errorKey: 'office.customers.paying' });
        throw error;
      }
    },
  };
}

/** Numbers of certificates are the customer's, so the journal has the kinds alone. */
const namesOf = (exemptions: readonly TaxExemption[]) => exemptions.map(({ kind }) => kind).join(', ');

/** @throws {AppError} NOT_FOUND for a page after a customer who is gone */
async function pageOf(
  { db, data }: OfficeDeps,
  { stores }: Permit,
  { text = '', after }: CustomerQuery,
): Promise<CustomersPage> {
  const size = stores ? lookedAtOnce : customersPage + 1;
  const customers: CustomersPage['customers'] = [];
  let last = after ?? null;
  for (let lookedAt = 0; lookedAt < mostLookedAt; lookedAt += size) {
    const rows = await customerPage(db.read, text, last, size);
    if (!rows) throw notFound();
    const ids = rows.map(({ id }) => id);
    const placedBy = await data.orders.placedBy(ids, stores);
    for (const row of rows) {
      if (customers.length === customersPage) return { customers, after: last };
      last = row.id;
      const placed = placedBy.get(row.id);
      if (placed || !stores)
        customers.push({ ...rowOf(row), ...(placed ?? { orders: 0, lastOrderAt: null }) });
    }
    if (rows.length < size) return { customers, after: null };
  }
  return { customers, after: last };
}

function rowOf({ id, first_name, last_name, email, mobile_phone, created_at }: CustomerRow) {
  return {
    id,
    firstName: first_name,
    lastName: last_name,
    email,
    mobilePhone: mobile_phone,
    registeredAt: created_at,
  };
}

export interface ListedCustomer extends User {
  language: string;
  /** How many they have placed. */
  orders: number;
}

/** Customers of a piece of a file. */
const pieceSize = 250;

export type CustomersExport = ReturnType<typeof createCustomersExport>;

/** Reads all customers, in pieces, for files of any length. */
export function createCustomersExport({ db, data }: Pick<AccountsDeps, 'db' | 'data'>) {
  return {
    /** By id. */
    async *pieces(): AsyncGenerator<ListedCustomer[]> {
      for (let after = ''; ; ) {
        const rows = await customersAfter(db.read, after, pieceSize);
        const last = rows.at(-1);
        if (!last) return;
        const placed = await data.orders.placedBy(
          rows.map(({ id }) => id),
          null,
        );
        yield rows.map((row) => ({
          ...toUser(row),
          language: row.language,
          orders: placed.get(row.id)?.orders ?? 0,
        }));
        after = last.id;
      }
    },
  };
}
