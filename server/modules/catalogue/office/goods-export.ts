/** Reads products whole, in pieces, for files of any length. */
import type { GoodsFilter } from '#contract/staff/goods.ts';
import type { Database } from '#db/database.ts';
import type { StoresService } from '#server/modules/stores/index.ts';
import { warehouse } from '#server/platform/locations.ts';
import type { CatalogueService } from '../lists/catalogue.service.ts';
import { inputsOf } from '../products/catalogue-export.ts';
import type { CatalogueProduct } from '../products/product.ts';
import type { ProductInput } from '../products/product-input.ts';
import { loadAfter, loadProducts, type StoredProduct } from '../products/product-loader.repository.ts';
import { goodsBelow } from './goods.repository.ts';
import { foundBy } from './office-goods.ts';

/** As it is imported, and with the prices that its SKUs have. */
export interface WholeProduct {
  input: ProductInput;
  facts: CatalogueProduct;
}

/** So few that what a piece takes is young garbage: with 100 an export took 90 MB more. */
const pieceSize = 20;

/** The next piece is read while one is written. */
async function* readAhead<T>(pieces: AsyncGenerator<T>): AsyncGenerator<T> {
  for (let next = pieces.next(); ; ) {
    const { value, done } = await next;
    if (done) return;
    next = pieces.next();
    // Whoever takes no more of them does not see it fail.
    next.catch(() => {});
    yield value;
  }
}

export type GoodsExport = ReturnType<typeof createGoodsExport>;

export function createGoodsExport(deps: { db: Database; stores: Pick<StoresService, 'all'>; catalogue: CatalogueService }) {
  const { db, stores, catalogue } = deps;

  async function* all(): AsyncGenerator<StoredProduct[]> {
    for (let after = 0; ; ) {
      const stored = await loadAfter(db.read, after, { limit: pieceSize, unpublished: true, groups: false });
      const last = stored.at(-1);
      if (!last) return;
      yield stored;
      after = last.row.no;
    }
  }

  async function* found(filter: GoodsFilter): AsyncGenerator<StoredProduct[]> {
    const wanted = await foundBy(catalogue, filter);
    for (let below: number | null = null; ; ) {
      const next: { no: number; id: string }[] = await goodsBelow(db, wanted, below, pieceSize);
      const last = next.at(-1);
      if (!last) return;
      const stored = await loadProducts(
        db.read,
        next.map(({ no }) => no),
      );
      yield stored.toSorted((a, b) => b.row.no - a.row.no);
      below = last.no;
    }
  }

  async function* whole(pieces: AsyncIterable<StoredProduct[]>, locations: ReadonlySet<string>): AsyncGenerator<WholeProduct[]> {
    for await (const stored of pieces) {
      const inputs = await inputsOf(db.read, stored, locations);
      yield inputs.flatMap((input, index) => {
        const facts = stored[index]?.facts;
        return facts ? [{ input, facts }] : [];
      });
    }
  }

  return {
    /** Of a filter as the office lists them, the newest first; without one all, the oldest first. */
    async *pieces(filter: GoodsFilter | null): AsyncGenerator<WholeProduct[]> {
      const locations = new Set([warehouse, ...(await stores.all()).map(({ id }) => id)]);
      const isAll = filter === null || Object.keys(filter).length === 0;
      yield* readAhead(whole(isAll ? all() : found(filter), locations));
    },
  };
}
