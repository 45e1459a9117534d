/** Generates products of a plausible catalogue, modelled on the demo's; the same seed gives the same products. */
import { canonicalText } from '#contract/locales.ts';
import { type DemoProduct, demoProduct } from '#demo/load.ts';
import type { ProductInput } from '#server/modules/catalogue/index.ts';
import { type Random, random } from './random.ts';
import { brands, kinds, looks, type Pair, sentences, teaPlaces, tones } from './words.ts';

export interface GeneratedBrand {
  id: string;
  name: { en: string; zh: string };
}

export const generatedBrands: GeneratedBrand[] = brands.map(([en, zh]) => ({
  id: en.toLowerCase().replace(/[^a-z0-9]+/g, '-'),
  name: { en, zh },
}));

export interface GenerateOptions {
  count: number;
  seed: number;
  /** The demo's products, from which images, options and tax class are copied. */
  models: readonly DemoProduct[];
  /** Creation times lie in the three years before this instant, epoch ms. */
  now: number;
}

const yearMs = 365 * 24 * 60 * 60 * 1000;

/** Yields products one at a time, so that a large catalogue need not be in memory. */
export function* generateProducts({ count, seed, models, now }: GenerateOptions): Generator<ProductInput> {
  const chance = random(seed);
  const [first, ...rest] = models;
  if (!first) throw new Error('There is no product to model others on');
  const brandIds = [
    ...new Set(models.map((model) => model.brand)),
    ...generatedBrands.map((brand) => brand.id),
  ] as [string, ...string[]];
  for (let number = 1; number <= count; number++) {
    yield generateProduct(chance, chance.pick([first, ...rest]), number, chance.pick(brandIds), now);
  }
}

function generateProduct(
  chance: Random,
  model: DemoProduct,
  number: number,
  brand: string,
  now: number,
): ProductInput {
  const base = demoProduct(model, 0);
  const look = chance.pick(looks);
  const tone = chance.pick(tones);
  const name = nameOf(chance, model, look, tone, number);
  const price = Math.max(500, Math.round((base.priceCents * (0.5 + chance.next() * 1.5)) / 100) * 100);
  const reduced = chance.chance(0.14);
  const soldOut = chance.chance(0.07);
  const prefix = `G${String(number).padStart(6, '0')}`;
  const [opening, detail, ending] = [chance.pick(sentences), chance.pick(sentences), chance.pick(sentences)];
  return {
    ...base,
    id: `${slug(name.en)}-${number}`,
    name,
    shortDescription: { en: `${name.en}. ${opening[0]}`, zh: `${name.zh}。${opening[1]}` },
    description: {
      en: [`${opening[0]} ${detail[0]}`, `${tone[0]} ${ending[0].toLowerCase()}`],
      zh: [`${opening[1]}${detail[1]}`, `${tone[1]}：${ending[1]}`],
    },
    brand,
    tags: base.tags.filter(() => chance.chance(0.6)),
    priceCents: price,
    compareAtCents: reduced ? Math.round((price * (1.15 + chance.next() * 0.4)) / 100) * 100 : null,
    clearance: reduced && chance.chance(0.3),
    newArrival: chance.chance(0.03),
    options: base.options.map((option) => ({
      ...option,
      values: option.values.map((value) => ({
        ...value,
        overridePriceCents: null,
        priceDeltaCents: value.priceDeltaCents || chance.whole(0, 4) * 100,
      })),
    })),
    related: [],
    createdAt: now - Math.floor(chance.next() * 3 * yearMs),
    skus: base.skus.map((sku, index) => ({
      sku: `${prefix}${suffix(base.options, sku.options, index)}`,
      options: sku.options,
      stock: Object.fromEntries(
        Object.entries(sku.stock).map(([place, units]) => [
          place,
          soldOut || (place === 'warehouse' && base.inStoreOnly)
            ? 0
            : units === 0
              ? chance.whole(0, 2)
              : chance.whole(0, 40),
        ]),
      ),
    })),
  };
}

function suffix(options: ProductInput['options'], chosen: Record<string, string>, index: number): string {
  const parts = options.map(
    (option) =>
      option.values.find((value) => canonicalText(value.name) === chosen[canonicalText(option.name)])
        ?.skuSuffix ?? String(index),
  );
  return parts.length > 0 ? `-${parts.join('-')}` : '';
}

function nameOf(
  chance: Random,
  model: DemoProduct,
  look: Pair,
  tone: Pair,
  number: number,
): { en: string; zh: string } {
  const words = kinds[model.category];
  if (words) {
    const kind = chance.pick(words);
    return { en: `${look[0]} ${tone[0]} ${kind[0]}`, zh: `${look[1]}${tone[1]}${kind[1]}` };
  }
  // Teas and dine-in items stay of their kind and are distinguished by origin and lot.
  const place = chance.pick(teaPlaces);
  return {
    en: `${place[0]} ${model.name.en}, Lot ${number}`,
    zh: `${place[1]}${model.name.zh}（批次 ${number}）`,
  };
}

function slug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 60);
}
