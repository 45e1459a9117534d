/** The blog: posts in all languages, their categories and tags, and likes. */
import { sql } from 'kysely';
import type { Migration } from './index.ts';

export const blog: Migration = {
  id: 8,
  name: 'blog',
  async up(trx) {
    const { schema } = trx;
    await schema
      .createTable('blogs')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('description', 'text', (c) => c.notNull())
      .addColumn('enable_user_like', 'integer', (c) => c.notNull())
      .addColumn('enable_guest_like', 'integer', (c) => c.notNull())
      .addColumn('position', 'integer', (c) => c.notNull())
      .execute();
    await schema
      .createTable('blog_categories')
      .addColumn('blog_id', 'text', (c) => c.notNull().references('blogs.id'))
      .addColumn('id', 'text', (c) => c.notNull())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('description', 'text', (c) => c.notNull())
      .addColumn('position', 'integer', (c) => c.notNull())
      .addPrimaryKeyConstraint('blog_categories_pk', ['blog_id', 'id'])
      .execute();
    await schema
      .createTable('blog_tags')
      .addColumn('blog_id', 'text', (c) => c.notNull().references('blogs.id'))
      .addColumn('id', 'text', (c) => c.notNull())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('position', 'integer', (c) => c.notNull())
      .addPrimaryKeyConstraint('blog_tags_pk', ['blog_id', 'id'])
      .execute();
    await schema
      .createTable('blog_posts')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('blog_id', 'text', (c) => c.notNull().references('blogs.id'))
      .addColumn('link', 'text', (c) => c.notNull().unique())
      .addColumn('category_id', 'text')
      .addColumn('title', 'text', (c) => c.notNull())
      .addColumn('excerpt', 'text', (c) => c.notNull())
      .addColumn('author', 'text')
      .addColumn('image', 'text')
      .addColumn('parts', 'text', (c) => c.notNull())
      .addColumn('reading_minutes', 'text', (c) => c.notNull())
      .addColumn('published_at', 'bigint', (c) => c.notNull())
      .addColumn('updated_at', 'bigint', (c) => c.notNull())
      .addColumn('released', 'integer', (c) => c.notNull())
      .addForeignKeyConstraint('blog_posts_category', ['blog_id', 'category_id'], 'blog_categories', [
        'blog_id',
        'id',
      ])
      .execute();
    await schema
      .createIndex('blog_posts_newest')
      .on('blog_posts')
      .columns(['blog_id', 'released', 'published_at'])
      .execute();
    await sql`create index blog_posts_due on blog_posts (published_at) where released = 0`.execute(trx);
    await schema
      .createTable('blog_post_tags')
      .addColumn('post_id', 'text', (c) => c.notNull().references('blog_posts.id').onDelete('cascade'))
      .addColumn('tag_id', 'text', (c) => c.notNull())
      .addColumn('position', 'integer', (c) => c.notNull())
      .addPrimaryKeyConstraint('blog_post_tags_pk', ['post_id', 'tag_id'])
      .execute();
    await schema.createIndex('blog_post_tags_tag').on('blog_post_tags').column('tag_id').execute();
    // One like per liker: the primary key ensures that when two requests arrive at once.
    await schema
      .createTable('blog_likes')
      .addColumn('post_id', 'text', (c) => c.notNull().references('blog_posts.id').onDelete('cascade'))
      .addColumn('liker', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('blog_likes_pk', ['post_id', 'liker'])
      .execute();
    await schema.createIndex('blog_likes_liker').on('blog_likes').column('liker').execute();
    await schema
      .createTable('blog_like_counts')
      .addColumn('post_id', 'text', (c) => c.primaryKey().references('blog_posts.id').onDelete('cascade'))
      .addColumn('likes', 'integer', (c) => c.notNull().check(sql`likes >= 0`))
      .execute();
  },
};
