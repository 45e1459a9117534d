/** Products that tests make for themselves, so that they do not depend on the demo catalogue. */
import type { ProductInput } from '#server/modules/catalogue/products/product-input.ts';
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

type OptionValue = ProductInput['options'][number]['values'][number];

/** A value of an option, without a price or an image of its own. */
export function plainValue(name: string, changes: Partial<OptionValue> = {}): OptionValue {
  return {
    name: { en: name },
    priceDeltaCents: 0,
    overridePriceCents: null,
    skuSuffix: name,
    color: null,
    image: null,
    ...changes,
  };
}

type Shop = Pick<TestApp, 'services'>;

/** That many units at the warehouse and at every store. */
export async function stockEverywhere({ services }: Shop, units: number): Promise<Record<string, number>> {
  const places = ['warehouse', ...(await services.stores.all()).map(({ id }) => id)];
  return Object.fromEntries(places.map((place) => [place, units]));
}

/**
 * Puts a product of one SKU on sale, with its own brand and category, and `units` of it in the warehouse and in every store. A shop
 * without stores has it in the warehouse alone.
 */
export async function sellProduct(
  testApp: Shop,
  sku: string,
  { units = 20, ...changes }: Partial<ProductInput> & { units?: number } = {},
): Promise<void> {
  const { editor } = testApp.services;
  const stock = await stockEverywhere(testApp, units);
  await editor.upsertBrands([{ id: 'kiln', name: { en: 'Kiln', zh: '窑' }, story: { en: '' }, image: null }]);
  await editor.upsertCategories([
    { id: 'cups', parent: null, name: { en: 'Cups', zh: '杯' }, description: { en: '' }, image: null },
  ]);
  const product = plainProduct(sku.toLowerCase(), {
    priceCents: 3200,
    skus: [{ sku, options: {}, stock }],
    ...changes,
  });
  await editor.upsertProducts([product]);
}

/**
 * Puts the product `mug` on sale in three colours: `MUG-OAT` and `MUG-SEA` for 32.00, `MUG-ROSE` for 34.00, 20 units of each
 * everywhere. Its images are those of a demo product, so only a shop with the demo has them.
 */
export async function sellMugInColours(testApp: Shop, changes: Partial<ProductInput> = {}): Promise<void> {
  const stock = await stockEverywhere(testApp, 20);
  const values = [
    plainValue('Oat', { name: { en: 'Oat', zh: '燕麦' }, color: '#ddd0b8', image: 'speckled-mug--oat.jpg' }),
    plainValue('Sea', { name: { en: 'Sea', zh: '海蓝' }, color: '#7b9a9b', image: 'speckled-mug--sea.jpg' }),
    plainValue('Rose', { name: { en: 'Rose', zh: '玫瑰' }, color: '#cf9f94', priceDeltaCents: 200 }),
  ];
  await sellProduct(testApp, 'MUG', {
    name: { en: 'Mug', zh: '马克杯' },
    options: [{ name: { en: 'Colour', zh: '颜色' }, values }],
    skus: values.map(({ name: { en = '' } }) => ({
      sku: `MUG-${en.toUpperCase()}`,
      options: { Colour: en },
      stock,
    })),
    images: ['speckled-mug.jpg', 'speckled-mug--oat.jpg', 'speckled-mug--sea.jpg'],
    ...changes,
  });
}
