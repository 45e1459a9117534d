/** A Kysely driver for connections whose owner opens them, lends them to transactions and closes them. */
import type { Driver } from 'kysely';

export function lentConnections(lend: Pick<Driver, 'acquireConnection' | 'releaseConnection'>): Driver {
  const noTransactions = async () => {
    throw new Error('Use Database.transaction');
  };
  return {
    ...lend,
    init: async () => {},
    beginTransaction: noTransactions,
    commitTransaction: noTransactions,
    rollbackTransaction: noTransactions,
    destroy: async () => {},
  };
}
