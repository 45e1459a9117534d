/** The journal is read by person and by day. */
import type { Migration } from './index.ts';

export const journalFilters: Migration = {
  id: 59,
  name: 'journal filters',
  async up({ schema }) {
    await schema.createIndex('journal_actor').on('journal').columns(['actor', 'no']).execute();
    await schema.createIndex('journal_at').on('journal').columns(['at', 'no']).execute();
  },
};
