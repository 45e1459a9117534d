/** The decisions that products ask for when they are ordered, shared between products. */
import type { Migration } from './index.ts';

export const modifierGroups: Migration = {
  id: 37,
  name: 'modifier groups',
  async up({ schema }) {
    await schema
      .createTable('modifier_groups')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('text', 'text')
      .addColumn('min', 'integer', (c) => c.notNull())
      .addColumn('max', 'integer', (c) => c.notNull())
      .addColumn('quantities', 'integer', (c) => c.notNull())
      .addColumn('free', 'integer', (c) => c.notNull())
      .addColumn('set_parts', 'integer', (c) => c.notNull())
      .addColumn('modifiers', 'text', (c) => c.notNull())
      .addColumn('position', 'integer', (c) => c.notNull())
      .execute();
    await schema
      .alterTable('products')
      .addColumn('modifier_groups', 'text', (c) => c.notNull().defaultTo('[]'))
      .execute();
  },
};
