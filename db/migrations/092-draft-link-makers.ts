/** Who made a link to a draft, so that it ends with that person's right to make it. */
import type { Migration } from './index.ts';

export const draftLinkMakers: Migration = {
  id: 92,
  name: 'makers of draft links',
  async up(db) {
    await db.schema
      .alterTable('draft_links')
      .addColumn('created_by', 'text', (c) => c.references('staff.id').onDelete('cascade'))
      .execute();
    await db.schema.createIndex('draft_links_created_by').on('draft_links').column('created_by').execute();
    // Nobody knows who made those that are open; they can be made again.
    await db.deleteFrom('draft_links').execute();
  },
};
