/** What is written of a document and not yet published. Who could write pages until now could publish them, in own roles too. */
import { sql } from 'kysely';
import type { Migration } from './index.ts';

export const drafts: Migration = {
  id: 90,
  name: 'drafts',
  async up(trx) {
    const { schema } = trx;
    await schema
      .createTable('drafts')
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('id', 'text', (c) => c.notNull())
      .addColumn('content', 'text', (c) => c.notNull())
      .addColumn('publish_at', 'bigint')
      .addColumn('scheduled', 'text')
      .addColumn('failed_at', 'bigint')
      .addPrimaryKeyConstraint('drafts_key', ['kind', 'id'])
      .addCheckConstraint('drafts_scheduled', sql`(publish_at is null) = (scheduled is null)`)
      .execute();
    for (const { id, permissions } of await trx
      .selectFrom('staff_roles')
      .select(['id', 'permissions'])
      .execute()) {
      const held = JSON.parse(permissions) as string[];
      if (!held.includes('content.write')) continue;
      const all = JSON.stringify([...held, 'content.publish']);
      await trx.updateTable('staff_roles').set({ permissions: all }).where('id', '=', id).execute();
    }
  },
};
