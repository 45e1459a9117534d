import { type Selectable, sql } from 'kysely';
import { canonicalText, type LocalText } from '#contract/locales.ts';
import type { ProductModifierGroup } from '#contract/schemas/modifier-input.ts';
import { everything } from '#db/catalogue-version.ts';
import type { Reader, Trx } from '#db/database.ts';
import type { Tables } from '#db/tables.ts';
import type { StoredGroup } from '#server/modules/catalogue/index.ts';
import { levelsOf, type Stocking, type StockLevels } from '#server/modules/inventory/index.ts';
import { optionTextOf } from '#server/platform/option-text.ts';
import { recordReads, topics } from '#server/platform/recorded-reads.ts';
import { recordLines } from '#server/platform/work.ts';
import { chosenLine, type LineWish, modifierSkus, pricedLine, type TakenSku } from './line-units.ts';
import type { OrderLine } from './order.ts';

/** A SKU's units by location, as `quantity:location` separated by commas. Names of locations have neither. */
const stockOfSku = (sku: string) =>
  sql`(select string_agg(stock.quantity || ':' || stock.location_id, ',' order by stock.location_id)
    from stock where stock.sku = ${sql.ref(sku)})`;

const lineColumns = sql`line.id, line.identity, line.modifiers, line.note, line.sku,
  coalesce(sku.product_id, line.product_id) as product_id, line.quantity`;

const productColumns = sql`product.no as product_no, sku.counted, sku.oversell, sku.option_pairs, sku.single_servings, sku.price_cents, sku.compare_at_cents, sku.image,
    product.name, product.images, product.options, product.in_store_only, product.tax_class, product.published, product.category_id,
    product.modifier_groups, brand.name as brand`;

const liveLines = (orderId: string) => sql<LiveRow>`
  select ${lineColumns}, ${productColumns}, ${stockOfSku('line.sku')} as stock
  from order_lines as line
  left join skus as sku on sku.id = line.sku
  left join products as product on product.id = sku.product_id
  left join brands as brand on brand.id = product.brand_id
  where line.order_id = ${orderId} order by line.position, line.sku`;

/** Positions of lines stay below, so the SKU comes last. */
const liveLinesAndSkus = (orderId: string, skus: readonly string[]) => sql<LiveRow>`
  select ${lineColumns}, line.position, ${productColumns}, ${stockOfSku('line.sku')} as stock
  from order_lines as line
  left join skus as sku on sku.id = line.sku
  left join products as product on product.id = sku.product_id
  left join brands as brand on brand.id = product.brand_id
  where line.order_id = ${orderId}
  union all
  select ${sql.lit(freshId)}, sku.id, null, '', sku.id, sku.product_id, 0, ${sql.lit(Number.MAX_SAFE_INTEGER)}, ${productColumns},
    ${stockOfSku('sku.id')} as stock
  from skus as sku join products as product on product.id = sku.product_id
  left join brands as brand on brand.id = product.brand_id
  where sku.id in (${sql.join([...skus])})
  order by 8, 5`;

/** Of a SKU that is gone. */
type Nullable<T> = { [K in keyof T]: T[K] | null };

/** Of a line that is not there yet. */
const freshId = 'fresh';

interface LiveRow extends Nullable<Stocking> {
  id: string;
  identity: string;
  modifiers: string | null;
  note: string;
  sku: string;
  product_id: string;
  quantity: number;
  /** Null if the SKU is gone. */
  product_no: number | null;
  option_pairs: string | null;
  price_cents: number | null;
  compare_at_cents: number | null;
  image: string | null;
  name: string | null;
  images: string | null;
  options: string | null;
  in_store_only: number | null;
  tax_class: string | null;
  single_servings: number | null;
  modifier_groups: string | null;
  published: number | null;
  category_id: string | null;
  brand: string | null;
  stock: string | null;
}

/** A cart's lines with current catalogue data, and their stock. */
export interface LiveLines {
  lines: OrderLine[];
  /** Of their SKUs and of those of their modifiers. */
  stock: StockLevels;
}

/** Reads the groups that products use, by product id: `resolveGroups` of the catalogue. */
export type ReadGroups = (
  db: Reader,
  references: ReadonlyMap<string, readonly ProductModifierGroup[]>,
) => Promise<ReadonlyMap<string, StoredGroup[]>>;

export type LiveLinesReader = ReturnType<typeof createLiveLines>;

export function createLiveLines(readGroups: ReadGroups) {
  return {
    /** A cart's lines in order; `wishes` by the ids of lines whose choices are to be others. */
    async of(db: Reader, orderId: string, wishes?: ReadonlyMap<string, LineWish>): Promise<LiveLines> {
      return linesIn(db, readGroups, (await liveLines(orderId).execute(db)).rows, wishes);
    },

    /** The same, with the line that units of a SKU would start, of quantity 0; null if there is no such SKU. */
    async with(
      db: Reader,
      orderId: string,
      sku: string,
      wish: LineWish,
    ): Promise<LiveLines & { fresh: OrderLine | null }> {
      const { lines, stock, fresh } = await this.withAll(db, orderId, [{ ...wish, sku }]);
      return { lines, stock, fresh: fresh[0] ?? null };
    },

    /** The same for several at once; `wishes` as in `of`. */
    async withAll(
      db: Reader,
      orderId: string,
      wanted: readonly (LineWish & { sku: string })[],
      wishes?: ReadonlyMap<string, LineWish>,
    ): Promise<LiveLines & { fresh: (OrderLine | null)[] }> {
      if (wanted.length === 0) return { ...(await this.of(db, orderId, wishes)), fresh: [] };
      const { rows } = await liveLinesAndSkus(orderId, [...new Set(wanted.map(({ sku }) => sku))]).execute(
        db,
      );
      const own = rows.filter(({ id }) => id !== freshId);
      const bySku = new Map(rows.flatMap((row) => (row.id === freshId ? [[row.sku, row] as const] : [])));
      const started = wanted.map(({ sku }, index) => ({ row: bySku.get(sku), id: `${freshId}${index}` }));
      const all = [...own, ...started.flatMap(({ row, id }) => (row ? [{ ...row, id }] : []))];
      const chosen = new Map([
        ...(wishes ?? []),
        ...wanted.map((wish, index) => [`${freshId}${index}`, wish] as const),
      ]);
      const { lines, stock } = await linesIn(db, readGroups, all, chosen);
      const fresh = new Map(lines.slice(own.length).map((line) => [line.id, line]));
      return {
        lines: lines.slice(0, own.length),
        stock,
        fresh: started.map(({ id }) => fresh.get(id) ?? null),
      };
    },
  };
}

async function linesIn(
  db: Reader,
  readGroups: ReadGroups,
  rows: readonly LiveRow[],
  wishes: ReadonlyMap<string, LineWish> = new Map(),
): Promise<LiveLines> {
  recordLines(rows.length);
  // The names of brands belong to the taxonomy. A SKU that is gone may come back with any product.
  recordReads(
    topics.taxonomy,
    ...rows.map(({ product_no: no }) => (no === null ? everything : topics.product(no))),
  );
  const stock = new Map(rows.map(({ sku, ...row }) => [sku, stockIn(row)]));
  const groups = await groupsOf(db, readGroups, rows);
  const lines = rows.map((row) => {
    const kept = { modifiers: row.modifiers === null ? [] : JSON.parse(row.modifiers), note: row.note };
    return chosenLine(liveLine(row), groups.get(row.product_id) ?? [], kept, wishes.get(row.id));
  });
  const skus = await takenSkus(db, new Set(lines.flatMap(({ chosen }) => modifierSkus(chosen))));
  for (const [sku, { units }] of skus) if (!stock.has(sku)) stock.set(sku, units);
  return { lines: lines.map(({ line, chosen }) => pricedLine(line, chosen, skus)), stock };
}

/** The modifier groups of products, by id. */
async function groupsOf(
  db: Reader,
  readGroups: ReadGroups,
  rows: readonly LiveRow[],
): ReturnType<ReadGroups> {
  const used = rows.flatMap(({ product_id, modifier_groups }) =>
    modifier_groups === null || modifier_groups === '[]'
      ? []
      : [[product_id, JSON.parse(modifier_groups)] as const],
  );
  return used.length > 0 ? readGroups(db, new Map(used)) : new Map();
}

/** The SKUs that modifiers take. */
async function takenSkus(
  db: Reader,
  skus: ReadonlySet<string>,
): Promise<Map<string, TakenSku & { units: ReadonlyMap<string, number> }>> {
  if (skus.size === 0) return new Map();
  type Row = Stocking & {
    id: string;
    price: number;
    tax_class: string;
    single_servings: number;
    stock: string | null;
  };
  const { rows } = await sql<Row>`
    select sku.id, sku.counted, sku.oversell, sku.price_cents as price, product.tax_class, sku.single_servings, ${stockOfSku('sku.id')} as stock
    from skus as sku join products as product on product.id = sku.product_id
    where sku.id in (${sql.join([...skus])})`.execute(db);
  return new Map(
    rows.map(({ id, price, tax_class: taxClass, single_servings: singleServings, ...row }) => [
      id,
      { price, taxClass, singleServings, units: stockIn(row) },
    ]),
  );
}

function stockIn({
  stock,
  counted,
  oversell,
}: Nullable<Stocking> & { stock: string | null }): ReadonlyMap<string, number> {
  const units = (stock?.split(',') ?? []).map((each) => {
    const colon = each.indexOf(':');
    return [each.slice(colon + 1), Number(each.slice(0, colon))] as const;
  });
  return levelsOf(units, { counted: counted ?? 1, oversell: oversell ?? 0 });
}

function liveLine(row: LiveRow): OrderLine {
  const price = row.price_cents ?? 0;
  const pairs = row.option_pairs ?? '';
  return {
    id: row.id,
    identity: row.identity,
    sku: row.sku,
    productId: row.product_id,
    category: row.category_id,
    quantity: row.quantity,
    modifiers: [],
    choice: null,
    note: row.note,
    parts: [],
    name: row.name === null ? { en: row.sku } : JSON.parse(row.name),
    brand: row.brand === null ? null : JSON.parse(row.brand),
    optionPairs: pairs,
    optionText: pairs === '' ? { en: '' } : optionTextOf(pairs, JSON.parse(row.options ?? '[]')),
    unitPrice: price,
    listPrice: row.compare_at_cents !== null && row.compare_at_cents > price ? row.compare_at_cents : null,
    taxClass: row.tax_class ?? 'standard',
    singleServings: row.single_servings ?? 1,
    image: row.image ?? (JSON.parse(row.images ?? '[]') as string[])[0] ?? null,
    inStoreOnly: row.in_store_only === 1,
    offered: row.published === 1,
  };
}

/** Units of an order's lines as its history names them: `2 × Mug, 1 × Bowl`. */
export async function unitsText(
  db: Reader,
  orderId: string,
  lines: readonly { line: string; quantity: number }[],
): Promise<string> {
  const names = await db
    .selectFrom('order_lines')
    .select(['id', 'name'])
    .where('order_id', '=', orderId)
    .execute();
  return lines
    .map(({ line, quantity }) => {
      const name = names.find(({ id }) => id === line)?.name;
      return `${quantity} × ${name ? canonicalText(JSON.parse(name) as LocalText) : line}`;
    })
    .join(', ');
}

type FrozenRow = Selectable<Tables['order_lines']> &
  Nullable<Pick<Selectable<Tables['products']>, 'in_store_only' | 'published' | 'category_id'>> &
  Nullable<Pick<Selectable<Tables['skus']>, 'single_servings'>> & { brand_now: string | null };

/** An order's lines as agreed when it left the cart. */
export async function frozenLinesOf(db: Reader, orderId: string): Promise<OrderLine[]> {
  // As SQL: each view of an order asks it, and making it again takes longer than what it reads.
  const { rows } =
    await sql<FrozenRow>`select line.*, product.in_store_only, product.published, product.category_id,
    brand.name as brand_now, sku.single_servings
    from order_lines as line left join skus as sku on sku.id = line.sku left join products as product on product.id = sku.product_id
    left join brands as brand on brand.id = product.brand_id
    where line.order_id = ${orderId} order by line.position, line.sku`.execute(db);
  return rows.map((row) => ({
    id: row.id,
    identity: row.identity,
    modifiers: JSON.parse(row.modifiers ?? '[]'),
    choice: null,
    note: row.note,
    parts: [],
    sku: row.sku,
    productId: row.product_id,
    category: row.category_id,
    quantity: row.quantity,
    name: JSON.parse(row.name ?? JSON.stringify({ en: row.sku })),
    // Lines of orders from before it was stored take it from the product.
    brand: JSON.parse(row.brand ?? row.brand_now ?? 'null'),
    optionPairs: row.option_pairs ?? '',
    optionText: JSON.parse(row.option_text ?? '{"en":""}'),
    unitPrice: row.unit_price_cents ?? 0,
    listPrice: null,
    taxClass: row.tax_class ?? 'standard',
    // Not agreed on: the agreed bill has the tax.
    singleServings: row.single_servings ?? 1,
    image: row.image,
    inStoreOnly: row.in_store_only === 1,
    offered: row.published === 1,
  }));
}

type AgreedLine = Pick<
  OrderLine,
  'name' | 'brand' | 'optionPairs' | 'optionText' | 'modifiers' | 'unitPrice' | 'taxClass' | 'image'
>;

/** The columns that keep what was agreed on when a line was ordered. */
export function agreedColumns(line: AgreedLine) {
  return {
    modifiers: line.modifiers.length > 0 ? JSON.stringify(line.modifiers) : null,
    name: JSON.stringify(line.name),
    brand: line.brand && JSON.stringify(line.brand),
    option_pairs: line.optionPairs,
    option_text: JSON.stringify(line.optionText),
    unit_price_cents: line.unitPrice,
    tax_class: line.taxClass,
    image: line.image,
  };
}

/** Writes the lines that a placed order has after a change; those that changed are unticked. `at`: epoch ms. */
export async function replaceLines(
  trx: Trx,
  orderId: string,
  {
    before,
    after,
    changed,
  }: { before: readonly OrderLine[]; after: readonly OrderLine[]; changed: readonly OrderLine[] },
  at: number,
): Promise<void> {
  const known = new Set(before.map(({ id }) => id));
  const kept = new Set(after.map(({ id }) => id));
  const own = trx.deleteFrom('order_lines').where('order_id', '=', orderId);
  const gone = [...known].filter((id) => !kept.has(id));
  if (gone.length > 0) await own.where('id', 'in', gone).execute();
  // Out of the way, since lines may exchange what they are.
  for (const { id } of changed)
    await trx.updateTable('order_lines').set({ identity: id }).where('id', '=', id).execute();
  for (const line of changed) {
    const { id, identity, sku, productId: product_id, quantity, note } = line;
    const columns = {
      ...agreedColumns(line),
      identity,
      sku,
      product_id,
      quantity,
      note,
      changed_at: at,
      ticked_at: null,
    };
    if (known.has(id)) await trx.updateTable('order_lines').set(columns).where('id', '=', id).execute();
    else
      await trx
        .insertInto('order_lines')
        .values({ ...columns, id, order_id: orderId, position: nextPosition(orderId) })
        .execute();
  }
}

const nextPosition = (orderId: string) =>
  sql<number>`(select coalesce(max(position), 0) + 1 from order_lines where order_id = ${orderId})`;

/** Stores the agreed data with each line, so that later changes of the catalogue do not affect the order. */
export async function freezeLines(trx: Trx, orderId: string, lines: readonly OrderLine[]): Promise<void> {
  for (const line of lines)
    await trx
      .updateTable('order_lines')
      .set(agreedColumns(line))
      .where('order_id', '=', orderId)
      .where('id', '=', line.id)
      .execute();
}

/** The id of the product that has a SKU, however it is written; null if there is none. */
export async function productOfSku(db: Reader, sku: string): Promise<string | null> {
  const row = await db
    .selectFrom('skus')
    .select('product_id')
    .where('id', 'in', [sku, sku.toUpperCase()])
    .limit(1)
    .executeTakeFirst();
  return row?.product_id ?? null;
}
