/** Who made an invitation or a station, so that both end with that person's right to make them. */
import type { Migration } from './index.ts';

export const inviters: Migration = {
  id: 70,
  name: 'inviters',
  async up(db) {
    const { schema } = db;
    const refersTo = (table: string, column: string) =>
      schema
        .alterTable(table)
        .addColumn(column, 'text', (c) => c.references('staff.id').onDelete('cascade'))
        .execute();
    await refersTo('staff_invitations', 'invited_by');
    await refersTo('staff_stations', 'started_by');
    // Nobody knows who made those that are open; the first owner's was made by the start of the shop.
    await db.deleteFrom('staff_invitations').where('email_key', '!=', '').execute();
  },
};
