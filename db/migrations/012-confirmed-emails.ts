/** When a customer confirmed that emails to their address reach them. */
import type { Migration } from './index.ts';

export const confirmedEmails: Migration = {
  id: 12,
  name: 'confirmed emails',
  async up({ schema }) {
    await schema.alterTable('customers').addColumn('email_confirmed_at', 'bigint').execute();
  },
};
