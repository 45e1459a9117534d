/** Reads products whole, in pieces, for files of any length. */
import { warehouse } from '#contract/limits.ts';
import type { GoodsFilter } from '#contract/staff/goods.ts';
import type { Database } from '#db/database.ts';
import type { StoresService } from '#server/modules/stores/index.ts';
import type { CatalogueService } from '../lists/catalogue.service.ts';
import { type WholeProduct, wholeProducts } from '../products/catalogue-export.ts';
import { loadProducts } from '../products/product-loader.repository.ts';
import { goodsAfter, goodsBelow } from './goods.repository.ts';
import { foundBy } from './office-goods.ts';

/**
 * Products of a piece, and pieces that are read while one is written. SQLite reads in this thread, and so little at once that it
 * is young garbage: with 100 an export took 90 MB more. PostgreSQL reads pieces at the same time.
 */
const reading = { sqlite: { size: 20, ahead: 1 }, postgres: { size: 50, ahead: 3 } };
const numbersAtOnce = 1000;

/** In the order of `items`. */
async function* readAhead<I, O>(
  items: AsyncIterable<I>,
  ahead: number,
  read: (item: I) => Promise<O>,
): AsyncGenerator<O> {
  const begun: Promise<O>[] = [];
  for await (const item of items) {
    const next = read(item);
    // Whoever takes no more of them does not see it fail.
    next.catch(() => {});
    const first = begun.push(next) > ahead && begun.shift();
    if (first) yield await first;
  }
  for (const rest of begun) yield await rest;
}

export type GoodsExport = ReturnType<typeof createGoodsExport>;

export function createGoodsExport(deps: {
  db: Database;
  stores: Pick<StoresService, 'all' | 'read'>;
  catalogue: CatalogueService;
}) {
  const { db, stores, catalogue } = deps;
  const { size, ahead } = reading[db.engine];

  async function* nosOf(filter: GoodsFilter | null): AsyncGenerator<number[]> {
    const wanted =
      filter === null || Object.keys(filter).length === 0 ? null : await foundBy(catalogue, filter);
    for (let last: number | null = null; ; ) {
      const page: { no: number }[] = await (wanted
        ? goodsBelow(db, wanted, last, numbersAtOnce)
        : goodsAfter(db, last ?? 0, numbersAtOnce));
      const nos = page.map(({ no }) => no);
      for (let start = 0; start < nos.length; start += size) yield nos.slice(start, start + size);
      last = nos.at(-1) ?? null;
      if (last === null) return;
    }
  }

  /** In the order of `nos`. */
  async function whole(nos: readonly number[], locations: ReadonlySet<string>): Promise<WholeProduct[]> {
    const stored = await loadProducts(db.read, nos, { groups: false });
    stored.sort((a, b) => nos.indexOf(a.row.no) - nos.indexOf(b.row.no));
    return wholeProducts(db.read, stored, locations);
  }

  return {
    /** Of a filter as the office lists them, the newest first; without one all, the oldest first. */
    async *pieces(filter: GoodsFilter | null): AsyncGenerator<WholeProduct[]> {
      const locations = new Set([warehouse, ...(await stores.all()).map(({ id }) => id)]);
      yield* readAhead(nosOf(filter), ahead, (nos) => whole(nos, locations));
    },
  };
}
