/** What goes out in our own forms and in Shopify's comes in again as it was. */
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import type { ProductInput } from '#server/modules/catalogue/index.ts';
import { importing, textOf } from '#tests/importing.ts';
import { repeats } from '#tests/long.ts';
import { createTestApp, forEachEngine, type TestApp } from '#tests/test-app.ts';

const actor = { kind: 'terminal' } as const;
const origin = 'https://shop.example';
const places = new Set(['warehouse', 'toronto-queen-west']);

const signs = [...'abcXYZ0179 /,"\';=+-@é茶&<>%.|()'];
/** Without padding, which is that of spreadsheets, nor blanks side by side, which HTML does not show. */
const text = (maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...signs), maxLength }).map((each) => each.replaceAll(/ +/g, ' ').trim());
const named = (maxLength: number) => text(maxLength).filter((each) => each !== '');
/** Shopify says 0 for none. */
const grams = fc.integer({ min: 1, max: 5000 });
const cents = fc.nat(1_000_000);
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 });
const localText = (inner: fc.Arbitrary<string>) =>
  fc.record({ en: inner, zh: inner }, { requiredKeys: ['en'] });
const gtin = fc.constantFrom('4006381333931', '96385074', '036000291452', '00012345600012');
const html = fc
  .record({ start: text(20), bold: named(10) })
  .map(({ start, bold }) => `<p>${escaped(start)} <strong>${escaped(bold)}</strong></p>`);
const escaped = (plain: string) =>
  plain.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const options = fc
  .uniqueArray(
    named(12).filter((name) => !name.includes(':')),
    { maxLength: 4 },
  )
  .chain((names) =>
    fc.tuple(
      ...names.map((name) =>
        fc.record({
          name: fc.constant({ en: name }),
          values: fc.uniqueArray(
            fc.record({
              name: localText(named(16)),
              priceDeltaCents: fc.oneof(fc.constant(0), fc.nat(500)),
              overridePriceCents: fc.option(cents, { freq: 4 }),
              skuSuffix: fc.constant('x'),
              color: fc.option(fc.constantFrom('#d9c7a3', '#1b2A41'), { freq: 2 }),
              image: fc.constant(null),
            }),
            { minLength: 1, maxLength: 3, selector: (value) => value.name.en },
          ),
        }),
      ),
    ),
  );

type Sku = ProductInput['skus'][number];
const skuFacts = (images: readonly string[]): fc.Arbitrary<Partial<Sku>> =>
  fc.record(
    {
      gtin,
      priceCents: cents,
      compareAtCents: fc.option(cents),
      costCents: cents,
      weightGrams: grams,
      image: fc.constantFrom(...images),
      counted: fc.constant(false as const),
      oversell: fc.constant(true as const),
    },
    { requiredKeys: [] },
  );

interface Shop {
  brands: readonly string[];
  categories: readonly string[];
  tags: readonly string[];
  images: readonly string[];
  modifierGroups: readonly string[];
}

/** Of these each begins later than that before. */
const times = fc.uniqueArray(fc.integer({ min: 1_700_000_000_000, max: 1_900_000_000_000 }), {
  minLength: 2,
  maxLength: 2,
});

function productWith({ brands, categories, tags, images, modifierGroups }: Shop): fc.Arbitrary<ProductInput> {
  const skus = options.chain((all) => {
    const combinations = all.reduce<Record<string, string>[]>(
      (before, { name, values }) =>
        before.flatMap((each) => values.map((value) => ({ ...each, [name.en]: value.name.en }))),
      [{}],
    );
    const chosen = fc.subarray(combinations, { minLength: 1, maxLength: Math.min(8, combinations.length) });
    return chosen.chain((some) =>
      fc.record({
        options: fc.constant(all),
        skus: fc.tuple(
          ...some.map((each) =>
            fc.record({ options: fc.constant(each), name: named(20), facts: skuFacts(images) }),
          ),
        ),
      }),
    );
  });
  const pictures = fc.uniqueArray(fc.constantFrom(...images), { maxLength: 4 }).chain((files) =>
    fc.record({
      images: fc.constant(files),
      texts: fc.tuple(...files.map(() => maybe(localText(named(20))))),
    }),
  );
  return fc
    .record({
      name: localText(named(30)),
      shortDescription: localText(text(30)),
      skus,
      pictures,
      description: fc.record(
        { en: fc.array(named(30), { maxLength: 3 }), zh: fc.array(named(30), { maxLength: 3 }) },
        { requiredKeys: ['en'] },
      ),
      descriptionHtml: maybe(fc.record({ en: html, zh: html }, { requiredKeys: [] })),
      seoTitle: maybe(localText(text(20))),
      seoDescription: maybe(localText(text(20))),
      brand: fc.constantFrom(...brands),
      category: fc.constantFrom(...categories),
      tags: fc.uniqueArray(fc.constantFrom(...tags), { maxLength: 4 }),
      priceCents: cents,
      compareAtCents: fc.option(cents),
      weightGrams: fc.option(grams),
      status: fc.constantFrom('draft', 'active', 'archived'),
      times: times.map((both) => both.toSorted()),
      scheduled: fc.subarray(['publishAt', 'unpublishAt'] as const),
      modifierGroups: fc.subarray([...modifierGroups], { maxLength: 3 }),
    })
    .map(
      ({
        skus: { options: all, skus: some },
        pictures: { images: files, texts },
        descriptionHtml,
        times: at,
        scheduled,
        ...rest
      }) => ({
        id: 'round-trip',
        ...rest,
        images: files,
        options: all,
        clearance: false,
        newArrival: false,
        inStoreOnly: false,
        taxClass: 'standard',
        related: [],
        createdAt: 1_700_000_000_000,
        ...Object.fromEntries(scheduled.map((field) => [field, at[field === 'publishAt' ? 0 : 1]])),
        modifierGroups: rest.modifierGroups.map((group) => ({ group })),
        ...(descriptionHtml && Object.keys(descriptionHtml).length > 0 ? { descriptionHtml } : {}),
        details: {
          imageTexts: Object.fromEntries(files.flatMap((file, at) => (texts[at] ? [[file, texts[at]]] : []))),
        },
        skus: some.map((sku, at) => ({
          sku: `${sku.name} ${at}`,
          options: sku.options,
          stock: {},
          ...sku.facts,
        })),
      }),
    ) as fc.Arbitrary<ProductInput>;
}

/** What Shopify's form has no place for, besides texts in further languages ("Export" in docs/how-to/office-products.md). */
const notInShopify = ({ publishAt, unpublishAt, modifierGroups, options: all }: ProductInput) => ({
  publishAt,
  unpublishAt,
  modifierGroups,
  colours: all.flatMap(({ values }) => values.flatMap(({ color }) => color ?? [])),
});
const nothing = { publishAt: undefined, unpublishAt: undefined, modifierGroups: [], colours: [] };

/** Told apart from others. */
const numbered = (product: ProductInput, no: number): ProductInput => ({
  ...product,
  id: `${product.id}-${no}`,
  skus: product.skus.map((sku) => ({ ...sku, sku: `${sku.sku}-${no}` })),
});

forEachEngine((engine) => {
  let testApp: TestApp;
  let shop: Shop;
  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true });
    const { catalogue, catalogueExport } = testApp.container;
    const { brands, categories, tags } = await catalogue.names();
    const images = new Set<string>();
    for await (const product of catalogueExport.products(places))
      for (const file of product.images) images.add(file);
    shop = {
      brands: [...brands.keys()],
      categories: [...categories.keys()],
      tags: [...tags.keys()],
      images: [...images].slice(0, 12),
      modifierGroups: (await catalogueExport.modifierGroups()).map(({ id }) => id),
    };
  });
  const { send, apply } = importing(() => testApp);
  const exported = (table: 'products' | 'stock', form: 'own' | 'shopify' = 'own') =>
    textOf(testApp.container.exports.table({ table, form, origin }));
  const productsOf = (ids: string[]) => testApp.container.catalogueExport.productsOf(ids, places);
  const inputsOf = async (ids: string[]) => {
    const found = await productsOf(ids);
    return ids.flatMap((id) => found.get(id) ?? []);
  };
  const remove = (ids: readonly string[]) =>
    testApp.container.changes.run(actor, 'products remove', async (change) => {
      for (const id of ids) {
        await testApp.container.catalogueRemoval.removeProduct(change, id);
        change.note('product', id);
      }
    });
  const put = (products: readonly ProductInput[]) =>
    testApp.container.changes.run(actor, 'products change', (change) =>
      testApp.container.editor.upsertProducts(change, [...products]),
    );
  /** What differs, to be read where a test fails. */
  async function problemsOf(judged: Awaited<ReturnType<typeof send>>) {
    const { importRuns } = testApp.container;
    const rows = [];
    for (const outcome of ['changed', 'problem', 'new'] as const)
      rows.push(...(await importRuns.rows(judged.id, { outcome }, 'en')).rows.slice(0, 3));
    return rows;
  }

  it('our own products and stock come back unchanged, and a product that is gone comes back whole', async () => {
    const stock = await send(await exported('stock'));
    expect(await problemsOf(stock)).toEqual([]);
    expect(stock).toMatchObject({ kind: 'stock', warnings: 0, counts: { new: 0, changed: 0, problem: 0 } });
    expect(stock.counts.unchanged).toBeGreaterThan(400);

    const file = await exported('products');
    const judged = await send(file);
    expect(await problemsOf(judged)).toEqual([]);
    expect(judged).toMatchObject({ kind: 'own', warnings: 0, counts: { new: 0, changed: 0, problem: 0 } });
    expect(judged.columns.filter(({ field }) => field === null)).toEqual([]);

    const ids = ['speckled-mug', 'oolong-milk-tea'];
    const before = await productsOf(ids);
    expect(before.size).toBe(2);
    await remove(ids);
    const done = await apply(file);
    expect(done.counts).toMatchObject({ new: 2, problem: 0 });
    expect(await productsOf(ids)).toEqual(before);
    expect((await send(file)).counts).toMatchObject({ new: 0, changed: 0, problem: 0 });
  });

  it('any product that goes out in a form comes in again with all that the form can carry', {
    timeout: 300_000,
  }, async () => {
    const products = fc.array(productWith(shop), { minLength: 6, maxLength: 10 });
    await fc.assert(
      fc.asyncProperty(products, async (some) => {
        const made = some.map(numbered);
        const ids = made.map(({ id }) => id);
        await put(made);
        const stored = await inputsOf(ids);
        expect(stored.map(notInShopify)).toEqual(made.map(notInShopify));
        for (const form of ['shopify', 'own'] as const) {
          const file = await exported('products', form);
          const judged = await send(file);
          expect(await problemsOf(judged)).toEqual([]);
          expect(judged).toMatchObject({ kind: form, counts: { new: 0, changed: 0, problem: 0 } });
          await remove(ids);
          expect((await apply(file)).counts).toMatchObject({ new: ids.length, changed: 0, problem: 0 });
          expect(await exported('products', form)).toBe(file);
          const back = (await inputsOf(ids)).map(notInShopify);
          expect(back).toEqual(form === 'own' ? stored.map(notInShopify) : ids.map(() => nothing));
          await remove(ids);
          if (form === 'shopify') await put(made);
        }
      }),
      { numRuns: engine === 'sqlite' ? repeats(2, 5) : 2, endOnFailure: true },
    );
  });
});
