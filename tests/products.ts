/** Products that tests make for themselves, so that they do not depend on the demo catalogue. */
import type { ProductInput } from '#server/modules/catalogue/product-input.ts';
import type { TestApp } from './test-app.ts';

/** A product with one SKU, `S-<id>`, and no stock. The test makes its brand `kiln` and its category `cups`, or uses `sellProduct`. */
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

/** A value of an option, without a price or an image of its own. */
export function plainValue(name: string): ProductInput['options'][number]['values'][number] {
  return { name: { en: name }, priceDeltaCents: 0, overridePriceCents: null, skuSuffix: name, color: null, image: null };
}

/**
 * Puts a product of one SKU on sale, with its own brand and category, and `units` of it in the warehouse and in every store. A shop
 * without stores has it in the warehouse alone.
 */
export async function sellProduct(
  testApp: Pick<TestApp, 'services'>,
  sku: string,
  { units = 20, ...changes }: Partial<ProductInput> & { units?: number } = {},
): Promise<void> {
  const { editor, stores } = testApp.services;
  const places = ['warehouse', ...(await stores.all()).map(({ id }) => id)];
  const stock = Object.fromEntries(places.map((place) => [place, units]));
  await editor.upsertBrands([{ id: 'kiln', name: { en: 'Kiln', zh: '窑' }, story: { en: '' }, image: null }]);
  await editor.upsertCategories([
    { id: 'cups', parent: null, name: { en: 'Cups', zh: '杯' }, description: { en: '' }, image: null },
  ]);
  const product = plainProduct(sku.toLowerCase(), { priceCents: 3200, skus: [{ sku, options: {}, stock }], ...changes });
  await editor.upsertProducts([product]);
}
