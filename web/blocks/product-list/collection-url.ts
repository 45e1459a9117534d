import type { ProductListAttribute } from '#contract/schemas/blocks.ts';
import { urls } from '#web/lib/urls.ts';

type Collection = Pick<ProductListAttribute, 'collectiontype' | 'collectionname'>;

/** SPEC §2: where 'see more' of a product list leads, by its collection type (SPEC §9). */
export function collectionUrl({ collectiontype, collectionname }: Collection): string {
  switch (collectiontype) {
    case 'tag':
      return urls.tag(collectionname);
    case 'brand':
      return urls.brand(collectionname);
    case 'category':
      return urls.category(collectionname);
    case 'clearance':
      return urls.clearance();
    case 'newArrival':
      return urls.productList({ newArrival: true });
  }
}
