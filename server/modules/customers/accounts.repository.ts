import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import type { AddressType } from '#contract/limits.ts';
import type { TaxExemption } from '#contract/tax-exemptions.ts';
import type { CustomersTable } from '#db/account-tables.ts';
import type { Reader, Trx } from '#db/database.ts';
import { personWords, queryWords } from '#db/order-words.ts';
import type { ResolvedAddress } from './address.ts';

export type CustomerRow = Selectable<CustomersTable>;

export async function findCustomer(db: Reader, id: string): Promise<CustomerRow | null> {
  return (await db.selectFrom('customers').selectAll().where('id', '=', id).executeTakeFirst()) ?? null;
}

export async function findByEmailKey(db: Reader, emailKey: string): Promise<CustomerRow | null> {
  return (
    (await db.selectFrom('customers').selectAll().where('email_key', '=', emailKey).executeTakeFirst()) ??
    null
  );
}

export async function findByEmailKeys(db: Reader, emailKeys: readonly string[]): Promise<CustomerRow[]> {
  if (emailKeys.length === 0) return [];
  return db.selectFrom('customers').selectAll().where('email_key', 'in', emailKeys).execute();
}

export function customersAfter(db: Reader, after: string, count: number): Promise<CustomerRow[]> {
  return db.selectFrom('customers').selectAll().where('id', '>', after).orderBy('id').limit(count).execute();
}

/** False if there is a customer with this email. */
export async function insertCustomer(trx: Trx, row: Insertable<CustomersTable>): Promise<boolean> {
  const result = await trx
    .insertInto('customers')
    .values(row)
    .onConflict((c) => c.doNothing())
    .executeTakeFirst();
  if ((result.numInsertedOrUpdatedRows ?? 0n) === 0n) return false;
  await addCustomerWords(trx, row);
  return true;
}

type Named = Pick<CustomerRow, 'id' | 'first_name' | 'last_name' | 'email' | 'mobile_phone'>;

/** Writes by what the office finds a customer. */
async function addCustomerWords(
  trx: Trx,
  { id, first_name, last_name, email, mobile_phone }: Named,
): Promise<void> {
  const words = personWords({ firstName: first_name, lastName: last_name, email, phoneNumber: mobile_phone });
  if (words.length === 0) return;
  await trx
    .insertInto('customer_words')
    .values(words.map((word) => ({ word, customer_id: id })))
    .execute();
}

/** Null if the customer does not exist (any more), or their password hash is no longer `passwordHash`. */
export async function updateCustomer(
  trx: Trx,
  id: string,
  change: Updateable<CustomersTable>,
  passwordHash?: string,
): Promise<CustomerRow | null> {
  let query = trx.updateTable('customers').set(change).where('id', '=', id);
  if (passwordHash !== undefined) query = query.where('password_hash', '=', passwordHash);
  const row = await query.returningAll().executeTakeFirst();
  if (row && change.first_name !== undefined) {
    await trx.deleteFrom('customer_words').where('customer_id', '=', id).execute();
    await addCustomerWords(trx, row);
  }
  return row ?? null;
}

export async function deleteCustomer(trx: Trx, id: string): Promise<boolean> {
  const result = await trx.deleteFrom('customers').where('id', '=', id).executeTakeFirst();
  return result.numDeletedRows > 0n;
}

export const addressColumns = {
  shipping: 'shipping_addresses',
  billing: 'billing_addresses',
} as const satisfies Record<AddressType, keyof CustomersTable>;

/** On PostgreSQL the row stays locked, so that an address added in parallel is not lost. */
export async function lockAddresses(
  trx: Trx,
  id: string,
  type: AddressType,
): Promise<ResolvedAddress[] | null> {
  const row = await trx
    .updateTable('customers')
    .set((eb) => ({ updated_at: eb.ref('updated_at') }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
  return row ? (JSON.parse(row[addressColumns[type]]) as ResolvedAddress[]) : null;
}

/** `since`: epoch ms. */
export async function knownPlaces(db: Reader, keys: readonly string[], since: number): Promise<string[]> {
  const rows = await db
    .selectFrom('trusted_networks')
    .select('key')
    .where('key', 'in', keys)
    .where('seen_at', '>=', since)
    .execute();
  return rows.map(({ key }) => key);
}

export async function trustNetwork(trx: Trx, key: string, customerId: string, at: number): Promise<void> {
  await trx
    .insertInto('trusted_networks')
    .values({ key, customer_id: customerId, seen_at: at })
    .onConflict((c) => c.column('key').doUpdateSet({ seen_at: at }))
    .execute();
}

/** Deletes a customer's trusted networks and browsers except `kept`. */
export async function deleteTrustedNetworks(
  trx: Trx,
  customerId: string,
  kept: readonly string[],
): Promise<void> {
  const all = trx.deleteFrom('trusted_networks').where('customer_id', '=', customerId);
  await (kept.length === 0 ? all : all.where('key', 'not in', kept)).execute();
}

export async function deleteExpiredTrustedNetworks(trx: Trx, before: number): Promise<void> {
  await trx.deleteFrom('trusted_networks').where('seen_at', '<', before).execute();
}

export async function insertTemporaryPassword(
  trx: Trx,
  row: { mail_id: string; customer_id: string; secret_hash: string; expires_at: number },
): Promise<void> {
  await trx
    .insertInto('temporary_passwords')
    .values(row)
    .onConflict((c) =>
      c.column('mail_id').doUpdateSet({ secret_hash: row.secret_hash, expires_at: row.expires_at }),
    )
    .execute();
}

export function temporaryPasswordsOf(
  db: Reader,
  customerId: string,
  now: number,
): Promise<{ mail_id: string; secret_hash: string }[]> {
  return db
    .selectFrom('temporary_passwords')
    .select(['mail_id', 'secret_hash'])
    .where('customer_id', '=', customerId)
    .where('expires_at', '>', now)
    .execute();
}

/** False if it was used already. */
export async function useTemporaryPassword(trx: Trx, mailId: string): Promise<boolean> {
  const result = await trx.deleteFrom('temporary_passwords').where('mail_id', '=', mailId).executeTakeFirst();
  return result.numDeletedRows > 0n;
}

export async function deleteTemporaryPasswords(trx: Trx, customerId: string): Promise<void> {
  await trx.deleteFrom('temporary_passwords').where('customer_id', '=', customerId).execute();
}

export async function deleteExpiredTemporaryPasswords(trx: Trx, now: number): Promise<void> {
  await trx.deleteFrom('temporary_passwords').where('expires_at', '<=', now).execute();
}

/**
 * Customers after one of them: of a text, by the word that it begins; without a text, the newest first. Null if that one is gone.
 * Both are walks of an index, so a page takes as long for a letter that everybody has as for a name.
 */
export async function customerPage(
  db: Reader,
  text: string,
  after: string | null,
  count: number,
): Promise<CustomerRow[] | null> {
  const [first, ...others] = queryWords(text);
  if (first === undefined) return text.trim() === '' ? newestCustomers(db, after, count) : [];
  const [from, to] = rangeOf(first);
  const last = after === null ? null : await firstWordOf(db, after, from, to);
  if (last === undefined) return null;
  // One lower bound: with two, PostgreSQL walks its index from the lower of them.
  const start = last
    ? sql`(found.word, found.customer_id) > (${last.word}, ${last.customer_id})`
    : sql`found.word >= ${from}`;
  // Cross joins: SQLite then starts from the words. A customer comes once, with the first of their words.
  const found = await sql<CustomerRow>`select customers.* from customer_words as found cross join customers
    where ${start} and found.word < ${to}
      and customers.id = found.customer_id
      and not exists (select 1 from customer_words as earlier where earlier.customer_id = found.customer_id
        and earlier.word >= ${from} and earlier.word < found.word)
      ${sql.join(
        others.map((word) => {
          const [least, beyond] = rangeOf(word);
          return sql`and exists (select 1 from customer_words as other where other.customer_id = found.customer_id
            and other.word >= ${least} and other.word < ${beyond})`;
        }),
        sql` `,
      )}
    order by found.word, found.customer_id limit ${count}`.execute(db);
  return found.rows;
}

async function newestCustomers(
  db: Reader,
  after: string | null,
  count: number,
): Promise<CustomerRow[] | null> {
  let query = db
    .selectFrom('customers')
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(count);
  if (after !== null) {
    const last = await db
      .selectFrom('customers')
      .select('created_at')
      .where('id', '=', after)
      .executeTakeFirst();
    if (!last) return null;
    query = query.where((eb) => eb(eb.refTuple('created_at', 'id'), '<', eb.tuple(last.created_at, after)));
  }
  return query.execute();
}

async function firstWordOf(db: Reader, customerId: string, from: string, to: string) {
  const words = db.selectFrom('customer_words').selectAll().where('customer_id', '=', customerId);
  return words.where('word', '>=', from).where('word', '<', to).orderBy('word').limit(1).executeTakeFirst();
}

/** What begins with a word. The column compares by code points, on PostgreSQL as well. */
const rangeOf = (word: string) => [word, word + String.fromCodePoint(0x10ffff)] as const;

/** What a customer is exempt from, with who has seen the evidence. */
export async function exemptionsOf(db: Reader, customerId: string): Promise<TaxExemption[]> {
  const row = await db
    .selectFrom('customers')
    .select('tax_exemptions')
    .where('id', '=', customerId)
    .executeTakeFirst();
  return exemptionsIn(row?.tax_exemptions ?? null);
}

export const exemptionsIn = (text: string | null): TaxExemption[] =>
  text === null ? [] : (JSON.parse(text) as TaxExemption[]);

/** Who of the staff acts, by name; '' for a command. */
export async function staffNameOf(db: Reader, actor: { kind: string; id?: string }): Promise<string> {
  if (actor.kind !== 'staff' || actor.id === undefined) return '';
  const row = await db.selectFrom('staff').select('name').where('id', '=', actor.id).executeTakeFirst();
  return row?.name ?? '';
}
