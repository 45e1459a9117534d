/** Where pictures are shown, by their file names. */
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Kind } from '#contract/staff/messages.ts';
import type { Reader } from '#db/database.ts';

export interface Use {
  kind: Kind;
  id: string;
}

/** Of each kind. */
const mostUses = 100;

/** By kind, what changed since all was looked through. */
export type Changed = ReadonlyMap<string, readonly string[]>;

/** As a JSON string of its own, or within HTML in one. */
function within(file: string, ...columns: string[]): RawBuilder<SqlBool> {
  const name = file.replace(/[\\%_]/g, '\\$&');
  const forms = [`%"${name}"%`, `%"${name}\\\\"%`];
  const tests = columns.flatMap((column) =>
    forms.map((form) => sql`${sql.ref(column)} like ${form} escape '\\'`),
  );
  return sql`(${sql.join(tests, sql` or `)})`;
}

/**
 * All of them are read, so ask for one picture at a time, and in a transaction only about what has changed: of products those alone,
 * of the other kinds all. `count`: of all uses.
 */
export async function usesOf(
  reader: Reader,
  file: string,
  changed?: Changed,
): Promise<{ count: number; uses: Use[] }> {
  const is = (column: string): RawBuilder<SqlBool> => sql`${sql.ref(column)} = ${file}`;
  const products = changed?.get('product') ?? [];
  const shown = sql<SqlBool>`(${within(file, 'images', 'details', 'options', 'description_html')}
    or exists (select 1 from skus where skus.product_id = products.id and skus.own_image = ${file}))`;
  const shownOnPage = sql`exists (select 1 from pages where pages.name = drafts.id and ${within(file, 'blocks')})`;
  const shownInPost = sql<SqlBool>`(${is('image')} or ${within(file, 'parts')})`;
  const shownInLivePost = sql`exists (select 1 from blog_posts where blog_posts.id = drafts.id and ${shownInPost})`;
  const places: [Kind, string, string, RawBuilder<SqlBool>][] = [
    [
      'product',
      'products',
      'id',
      changed ? sql`(products.id in (${sql.join(products)}) and ${shown})` : shown,
    ],
    ['brand', 'brands', 'id', is('image')],
    ['category', 'categories', 'id', is('image')],
    ['store', 'stores', 'id', is('image')],
    ['page', 'pages', 'name', within(file, 'blocks')],
    // What is only written yet; what visitors see of it as well is counted above.
    [
      'page',
      'drafts',
      'id',
      sql`(drafts.kind = 'page' and ${within(file, 'content', 'scheduled')} and not ${shownOnPage})`,
    ],
    ['post', 'blog_posts', 'id', shownInPost],
    [
      'post',
      'drafts',
      'id',
      sql`(drafts.kind = 'post' and ${within(file, 'content', 'scheduled')} and not ${shownInLivePost})`,
    ],
    ['gallery', 'gallery_photos', 'id', is('image')],
    ['setting', 'settings', 'key', within(file, 'value')],
  ];
  const uses: Use[] = [];
  let count = 0;
  for (const [kind, table, id, isUsed] of changed ? places.filter(([kind]) => changed.has(kind)) : places) {
    const query = sql<{ id: string; found: number }>`
      select ${sql.ref(id)} as id, count(*) over () as found from ${sql.table(table)} where ${isUsed}
      order by ${sql.ref(id)} limit ${mostUses}`;
    const { rows } = await query.execute(reader);
    count += Number(rows[0]?.found ?? 0);
    uses.push(...rows.map((row) => ({ kind, id: row.id })));
  }
  return { count, uses };
}

/** Numbers of the products that show a picture, for their cards. */
export async function productsWith(reader: Reader, file: string): Promise<number[]> {
  const rows = await reader
    .selectFrom('products')
    .select('no')
    .where(within(file, 'images', 'options'))
    .execute();
  return rows.map(({ no }) => no);
}
