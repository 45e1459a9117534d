/** From how many units on a SKU is low at a place: what is set for the two, or else the setting `lowStockThreshold`. */
import { sql } from 'kysely';
import { mostLow, neverLow } from '#contract/limits.ts';
import type { Reader, Trx } from '#db/database.ts';

interface Place {
  sku: string;
  location: string;
}

/** In the order of `places`. `usual`: the setting. */
export async function thresholdsOf(reader: Reader, places: readonly Place[], usual: number): Promise<number[]> {
  if (places.length === 0) return [];
  const rows = await reader
    .selectFrom('stock_thresholds')
    .selectAll()
    .where('sku', 'in', [...new Set(places.map(({ sku }) => sku))])
    .execute();
  return places.map(({ sku, location }) => rows.find((row) => row.sku === sku && row.location_id === location)?.units ?? usual);
}

/** What was set before, and is no longer; null: nothing. */
export async function setThreshold(trx: Trx, { sku, location }: Place, units: number | null): Promise<number | null> {
  const old = await trx
    .deleteFrom('stock_thresholds')
    .where('sku', '=', sku)
    .where('location_id', '=', location)
    .returning('units')
    .executeTakeFirst();
  if (units !== null) await trx.insertInto('stock_thresholds').values({ sku, location_id: location, units }).execute();
  return old?.units ?? null;
}

export interface LowQuery {
  place: string;
  usual: number;
  /** Of the row before, its units and SKU. */
  after?: { units: number; sku: string } | undefined;
  most: number;
}

/** Those that are counted and that a place has or had; also of drafts, since modifiers take units of some. */
async function lowQuery(reader: Reader, { place, usual, after }: Omit<LowQuery, 'most'>) {
  const { highest } = await reader
    .selectFrom('stock_thresholds')
    .select((eb) => eb.fn.max('units').as('highest'))
    .where('location_id', '=', place)
    .executeTakeFirstOrThrow();
  const query = reader
    .selectFrom('stock')
    .innerJoin('skus', 'skus.id', 'stock.sku')
    .innerJoin('products', 'products.id', 'skus.product_id')
    .leftJoin('stock_thresholds as own', (join) =>
      join.onRef('own.sku', '=', 'stock.sku').onRef('own.location_id', '=', 'stock.location_id'),
    )
    .where('stock.location_id', '=', place)
    .where('skus.counted', '=', 1)
    // So much of the index, and no more, is read.
    .where('stock.quantity', '<=', Math.max(usual, Number(highest ?? neverLow)))
    .where(sql<boolean>`stock.quantity <= coalesce(own.units, ${usual})`);
  return after ? query.where(sql<boolean>`(stock.quantity, stock.sku) > (${after.units}, ${after.sku})`) : query;
}

export async function lowLevels(reader: Reader, query: LowQuery) {
  return (await lowQuery(reader, query))
    .select(['skus.id as sku', 'products.id as product', 'products.name', 'skus.option_pairs as options'])
    .select(['stock.quantity as units', 'own.units as own'])
    .orderBy('stock.quantity')
    .orderBy('stock.sku')
    .limit(query.most)
    .execute();
}

/** At most `mostLow` and one. */
export async function countLow(reader: Reader, place: string, usual: number): Promise<number> {
  const low = (await lowQuery(reader, { place, usual })).select('stock.sku').limit(mostLow + 1);
  const { count } = await reader
    .selectFrom(low.as('low'))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}
