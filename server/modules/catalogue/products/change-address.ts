import { type Change, changedFields } from '#server/modules/changes/index.ts';
import type { RedirectsService } from '#server/modules/settings/index.ts';
import { moveSoldOut } from '#server/modules/stores/index.ts';
import { notFound, validationError } from '#server/platform/errors.ts';
import { inputsOf } from './catalogue-export.ts';
import { moveRelations } from './catalogue-removal.repository.ts';
import { removeProduct } from './catalogue-removal.ts';
import { type CatalogueWriteDeps, changeCatalogueIn } from './catalogue-transaction.ts';
import { loadProductsById } from './product-loader.repository.ts';
import { writeProducts } from './product-writer.ts';

/**
 * Gives a product another id, which is the end of its address. Its SKUs go along with their stock, and the old address leads to the
 * new one. @throws {AppError} 404, or for an id that is taken
 */
export async function changeAddress(
  deps: CatalogueWriteDeps & { redirects: RedirectsService },
  change: Change,
  { from, to }: { from: string; to: string },
): Promise<void> {
  const { trx, actor, note } = change;
  await changeCatalogueIn(deps, trx, async (context) => {
    const stored = await loadProductsById(trx, [from]);
    const [input] = await inputsOf(trx, stored, new Set());
    if (!input) throw notFound();
    if ((await loadProductsById(trx, [to])).length > 0) throw validationError({ id: 'office.goods.taken' });
    await writeProducts(context, [{ ...input, id: to }], change, new Set([from, to]));
    await moveRelations(trx, from, to);
    await moveSoldOut(trx, `product:${from}`, `product:${to}`);
    await removeProduct(context, from, actor);
  });
  note('product', from, changedFields({ id: from }, { id: to }));
  await deps.redirects.put(change, [{ from: `/product/${from}`, to: `/product/${to}` }]);
}
