/** What the office finds orders and customers by is cut as its searches are, so that what is stored is found as it is written. */
import { fillOrderWords } from './048-office-orders.ts';
import { fillCustomerWords } from './054-customer-desk.ts';
import type { Migration } from './index.ts';

export const searchWords: Migration = {
  id: 78,
  name: 'search words',
  async up(trx) {
    await trx.deleteFrom('order_words').execute();
    await fillOrderWords(trx);
    await trx.deleteFrom('customer_words').execute();
    await fillCustomerWords(trx);
  },
};
