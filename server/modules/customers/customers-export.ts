/** Reads all customers, in pieces, for files of any length. */
import type { User } from '#contract/schemas/shop.ts';
import { customersAfter } from './accounts.repository.ts';
import type { AccountsDeps } from './accounts.service.ts';
import { toUser } from './customer.ts';

export interface ListedCustomer extends User {
  language: string;
  /** How many they have placed. */
  orders: number;
}

const pieceSize = 250;

export type CustomersExport = ReturnType<typeof createCustomersExport>;

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
        yield rows.map((row) => ({ ...toUser(row), language: row.language, orders: placed.get(row.id)?.orders ?? 0 }));
        after = last.id;
      }
    },
  };
}
