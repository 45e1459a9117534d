import type { Migration } from './index.ts';

export const doneMessages: Migration = {
  id: 50,
  name: 'done-messages',
  async up({ schema }) {
    await schema.alterTable('form_messages').addColumn('done_at', 'bigint').execute();
    await schema.alterTable('form_messages').addColumn('done_by', 'text').execute();
  },
};
