/** Names of three tables that say what they hold. */
import type { Migration } from './index.ts';

const renamed = [
  ['known_places', 'trusted_networks'],
  ['attempts', 'rate_limits'],
  ['outside_sources', 'external_sources'],
] as const;

export const tableNames: Migration = {
  id: 21,
  name: 'table names',
  async up({ schema }) {
    for (const [from, to] of renamed) await schema.alterTable(from).renameTo(to).execute();
  },
};
