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

/** All of them are read, so ask for one picture at a time. `count`: of all. */
export async function usesOf(reader: Reader, file: string): Promise<{ count: number; uses: Use[] }> {
  const named = `%"${file.replace(/[\\%_]/g, '\\$&')}"%`;
  const within = (...columns: string[]): RawBuilder<SqlBool> =>
    sql`(${sql.join(
      columns.map((column) => sql`${sql.ref(column)} like ${named} escape '\\'`),
      sql` or `,
    )})`;
  const is = (column: string): RawBuilder<SqlBool> => sql`${sql.ref(column)} = ${file}`;
  const places: [Kind, string, string, RawBuilder<SqlBool>][] = [
    ['product', 'products', 'id', within('images', 'details', 'options')],
    ['brand', 'brands', 'id', is('image')],
    ['category', 'categories', 'id', is('image')],
    ['store', 'stores', 'id', is('image')],
    ['page', 'pages', 'name', within('blocks')],
    ['post', 'blog_posts', 'link', sql`(${is('image')} or ${within('parts')})`],
    ['gallery', 'gallery_photos', 'id', is('image')],
    ['setting', 'settings', 'key', within('value')],
  ];
  const uses: Use[] = [];
  let count = 0;
  for (const [kind, table, id, isUsed] of places) {
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
  const named = `%"${file.replace(/[\\%_]/g, '\\$&')}"%`;
  const rows = await reader
    .selectFrom('products')
    .select('no')
    .where(sql<SqlBool>`(images like ${named} escape '\\' or options like ${named} escape '\\')`)
    .execute();
  return rows.map(({ no }) => no);
}
