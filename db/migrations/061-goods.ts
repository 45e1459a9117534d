/** The office lists all products, by what lists of the shop do not know: drafts, missing pictures and translations, bar codes. */
import { sql } from 'kysely';
import { withoutChinese } from '../goods.ts';
import type { Migration } from './index.ts';

export const goods: Migration = {
  id: 61,
  name: 'goods',
  async up({ schema }) {
    const filtered = ['no', 'published', 'brand_id', 'category_id', 'price_cents', 'sold_out'];
    await schema.createIndex('products_goods').on('products').columns(filtered).execute();
    const some = (name: string) => schema.createIndex(name).on('products').column('no');
    await some('products_unpictured').where(sql<boolean>`images = '[]'`).execute();
    await some('products_untranslated').where(withoutChinese).execute();
    await schema
      .createIndex('product_tags_tag')
      .on('product_tags')
      .columns(['tag_id', 'product_no'])
      .execute();
    await schema
      .createIndex('skus_gtin')
      .on('skus')
      .columns(['gtin', 'product_id'])
      .where(sql<boolean>`gtin is not null`)
      .execute();
  },
};
