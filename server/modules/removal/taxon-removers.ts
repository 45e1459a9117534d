/** Removes brands and categories. Every product has one of each, so their products move to another one. */
import { count, mentions, unknown } from './removal-findings.ts';
import { type RemovalDeps, RemovalError, type Remover } from './removal-types.ts';

export function brandRemover(deps: RemovalDeps): Remover {
  const { catalogueRemoval } = deps;
  return {
    async affected(reader, id, to) {
      const use = await catalogueRemoval.brandUse(reader, id);
      if (!use) throw unknown('brand', id);
      if (to !== null && (to === id || !(await catalogueRemoval.brandUse(reader, to)))) throw noTarget('brand', to);
      if (use.products > 0 && to === null) throw needsTarget('brand', id, use.products);
      const target = { paths: [`/brand/${id}`], collection: { type: 'brand', name: id } } as const;
      return [
        ...(use.products > 0 ? [`${count(use.products, 'product')} will move to the brand ${to}`] : []),
        ...(await mentions(deps, reader, target)),
      ];
    },
    remove: ({ trx }, id, to) => catalogueRemoval.removeBrand(trx, id, to),
  };
}

export function categoryRemover(deps: RemovalDeps): Remover {
  const { catalogueRemoval } = deps;
  return {
    async affected(reader, id, to) {
      const use = await catalogueRemoval.categoryUse(reader, id);
      if (!use) throw unknown('category', id);
      if (to !== null && (to === id || !(await catalogueRemoval.categoryUse(reader, to)))) throw noTarget('category', to);
      const heir = to ?? use.parent;
      if (use.products > 0 && heir === null) throw needsTarget('category', id, use.products);
      const above = use.parent === null ? 'the top level' : `the category ${use.parent}`;
      const target = { paths: [`/products/${id}`], collection: { type: 'category', name: id } } as const;
      return [
        ...(use.products > 0 ? [`${count(use.products, 'product')} will move to the category ${heir}`] : []),
        ...use.children.map((child) => `the category ${child} will move to ${above}`),
        ...(await mentions(deps, reader, target)),
      ];
    },
    async remove({ trx }, id, to) {
      const use = await catalogueRemoval.categoryUse(trx, id);
      await catalogueRemoval.removeCategory(trx, id, to ?? use?.parent ?? null);
    },
  };
}

function noTarget(kind: 'brand' | 'category', to: string): RemovalError {
  return new RemovalError(`--to ${to} is not another ${kind} of the shop.`);
}

function needsTarget(kind: 'brand' | 'category', id: string, products: number): RemovalError {
  const have = products === 1 ? 'has' : 'have';
  return new RemovalError(
    `${count(products, 'product')} ${have} the ${kind} ${id}, and every product needs one. Choose another one with --to <${kind}>.`,
  );
}
