/** Products, for tests: what one has to have, and no more. */
import type { ProductInput } from '#server/modules/catalogue/product-input.ts';

/** With one SKU, `S-<id>`, of which there are none. Brand 'kiln' and category 'cups' are for the test to make. */
export function plainProduct(id: string, changes: Partial<ProductInput> = {}): ProductInput {
  return {
    id,
    name: { en: id, zh: id },
    shortDescription: { en: '' },
    description: { en: [] },
    brand: 'kiln',
    category: 'cups',
    tags: [],
    priceCents: 1000,
    compareAtCents: null,
    clearance: false,
    newArrival: false,
    inStoreOnly: false,
    taxClass: 'standard',
    weightGrams: null,
    details: {},
    options: [],
    images: [],
    related: [],
    createdAt: 1_700_000_000_000,
    skus: [{ sku: `S-${id}`, options: {}, stock: {} }],
    ...changes,
  };
}
