/** Why a customer does not pay a tax, with who has seen the evidence: a JSON list. */
import type { Migration } from './index.ts';

export const taxExemptions: Migration = {
  id: 82,
  name: 'tax exemptions',
  async up({ schema }) {
    await schema.alterTable('customers').addColumn('tax_exemptions', 'text').execute();
  },
};
