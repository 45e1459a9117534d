/** How each kind of part is removed, and what depends on it. */
import { count, mentions, unknown } from './removal-findings.ts';
import { type RemovalDeps, RemovalError, type RemovalKind, type Remover } from './removal-types.ts';
import { brandRemover, categoryRemover } from './taxon-removers.ts';

/** Pages that the shop shows at addresses of its own. */
const placedPages: Readonly<Record<string, string>> = {
  home: 'it is the first page of the shop',
  contact: 'it is shown below the stores on the contact page',
};

export function removers(deps: RemovalDeps): Readonly<Record<RemovalKind, Remover>> {
  return {
    store: storeRemover(deps),
    brand: brandRemover(deps),
    category: categoryRemover(deps),
    tag: tagRemover(deps),
    product: productRemover(deps),
    page: pageRemover(deps),
    post: postRemover(deps),
  };
}

function storeRemover({ now, settings, stores, catalogueRemoval, orderRemoval }: RemovalDeps): Remover {
  return {
    async affected(reader, id) {
      const store = (await stores.read(reader)).find((each) => each.id === id);
      if (!store) throw unknown('store', id);
      if (store.mainStore)
        throw new RemovalError(
          `${id} is the main store. First use \`fill\` to set mainStore to true for another store and to false for ${id}.`,
        );
      const { carts, orders } = await orderRemoval.ordersAtStore(reader, id);
      const units = await catalogueRemoval.unitsAt(reader, id);
      return [
        ...orders.map((number) => `order ${number} is open at the store`),
        ...(carts > 0 ? [`${count(carts, 'cart')} will have to choose another store`] : []),
        ...(units > 0 ? [`${count(units, 'unit')} in stock at the store will be deleted`] : []),
      ];
    },
    async remove(change, id) {
      const { trx } = change;
      // Stock before the catalogue, as sales lock them.
      await catalogueRemoval.clearLocation(trx, id);
      await orderRemoval.removeStoreFromCarts(trx, id);
      const { newOrderEmails } = await settings.read(trx);
      const { [id]: removed, ...addresses } = newOrderEmails.addresses;
      if (removed) await settings.update(change, { newOrderEmails: { ...newOrderEmails, addresses } });
      await stores.remove(trx, id, now());
    },
  };
}

function tagRemover(deps: RemovalDeps): Remover {
  const { catalogueRemoval } = deps;
  return {
    async affected(reader, id) {
      const use = await catalogueRemoval.tagUse(reader, id);
      if (!use) throw unknown('tag', id);
      const target = { paths: [`/tag/${id}`], collection: { type: 'tag', name: id } } as const;
      return [
        ...(use.products > 0 ? [`${count(use.products, 'product')} will lose the tag`] : []),
        ...(await mentions(deps, reader, target)),
      ];
    },
    remove: ({ trx }, id) => catalogueRemoval.removeTag(trx, id),
  };
}

function productRemover(deps: RemovalDeps): Remover {
  const { catalogueRemoval, orderRemoval } = deps;
  return {
    async affected(reader, id) {
      const use = await catalogueRemoval.productUse(reader, id);
      if (!use) throw unknown('product', id);
      const { carts, orders } = await orderRemoval.ordersWithSkus(reader, use.skus);
      return [
        ...orders.map((number) => `order ${number} holds units of it`),
        ...(carts > 0 ? [`${count(carts, 'cart')} will lose it`] : []),
        ...use.relatedFrom.map((other) => `product ${other} names it as related`),
        ...(await mentions(deps, reader, { paths: [`/product/${id}`], collection: null })),
      ];
    },
    async remove({ trx }, id) {
      const use = await catalogueRemoval.productUse(trx, id);
      await orderRemoval.removeSkusFromCarts(trx, use?.skus ?? []);
      await catalogueRemoval.removeProduct(trx, id);
    },
  };
}

function pageRemover(deps: RemovalDeps): Remover {
  const { contentRemoval } = deps;
  return {
    async affected(reader, name) {
      if (!(await contentRemoval.hasPage(reader, name))) throw unknown('page', name);
      const placed = placedPages[name];
      // The addresses of these pages go on to answer.
      if (placed !== undefined) return [placed];
      return mentions(deps, reader, { paths: [`/${name}`, `/page/${name}`], collection: null }, { page: name });
    },
    remove: ({ trx }, name) => contentRemoval.removePage(trx, name),
  };
}

function postRemover(deps: RemovalDeps): Remover {
  const { contentRemoval } = deps;
  return {
    async affected(reader, link) {
      if (!(await contentRemoval.hasPost(reader, link))) throw unknown('post', link);
      return mentions(deps, reader, { paths: [`/blog/post/${link}`], collection: null }, { post: link });
    },
    remove: ({ trx }, link) => contentRemoval.removePost(trx, link),
  };
}
