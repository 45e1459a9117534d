/** Counted searches by day, language and text. */
import { sql } from 'kysely';
import type { Migration } from './index.ts';

export const searches: Migration = {
  id: 19,
  name: 'searches',
  async up({ schema }) {
    await schema
      .createTable('searches')
      .addColumn('day', 'text', (c) => c.notNull())
      .addColumn('language', 'text', (c) => c.notNull())
      .addColumn('text', 'text', (c) => c.notNull())
      .addColumn('times', 'integer', (c) => c.notNull().check(sql`times > 0`))
      .addColumn('found', 'integer', (c) => c.notNull())
      .addColumn('suggestion', 'text')
      .addPrimaryKeyConstraint('searches_key', ['day', 'language', 'text'])
      .execute();
  },
};
