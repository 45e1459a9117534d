/**
 * What the office asks for among much else: posts by the link that their drafts say, refunds that wait for somebody, products with
 * modifiers, and the latest carts of agents. Each of these questions read a whole table.
 */
import { sql } from 'kysely';
import type { Migration } from './index.ts';

export const readsOfTheOffice: Migration = {
  id: 97,
  name: 'reads of the office',
  async up(trx) {
    const { schema } = trx;
    for (const column of ['link', 'scheduled_link']) {
      await schema.alterTable('drafts').addColumn(column, 'text').execute();
      await schema.createIndex(`drafts_${column}`).on('drafts').columns(['kind', column]).execute();
    }
    for (const { kind, id, content, scheduled } of await trx
      .selectFrom('drafts')
      .select(['kind', 'id', 'content', 'scheduled'])
      .where('kind', '=', 'post')
      .execute()) {
      const links = { link: linkIn(content), scheduled_link: scheduled === null ? null : linkIn(scheduled) };
      await trx.updateTable('drafts').set(links).where('kind', '=', kind).where('id', '=', id).execute();
    }
    await schema
      .createIndex('refunds_attention')
      .on('refunds')
      .column('created_at')
      .where(sql.ref('attention'), '=', sql.lit(1))
      .execute();
    await schema
      .createIndex('products_with_groups')
      .on('products')
      .column('id')
      .where(sql.ref('modifier_groups'), '<>', sql.lit('[]'))
      .execute();
    await schema.createIndex('agent_carts_created').on('agent_carts').column('created_at').execute();
  },
};

const linkIn = (json: string): string | null => (JSON.parse(json) as { link?: string }).link ?? null;
