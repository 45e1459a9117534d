/** Fills a shop with the demo's data through its own services. Existing data stays unchanged when it is loaded again. */
import Value from 'typebox/value';
import type { LocalText } from '#contract/locales.ts';
import { ModifierGroupInput } from '#contract/schemas/modifier-input.ts';
import type { CategoryInput } from '#contract/schemas/taxonomy.ts';
import type { Services } from '#server/container.ts';
import type { ProductInput } from '#server/modules/catalogue/index.ts';
import type { BlogInput, GalleryPhoto, PostInput } from '#server/modules/content/index.ts';
import { defaultSettings, type SettingKey, type ShopSettings } from '#server/modules/settings/index.ts';
import type { DemoStaff } from '#server/modules/staff/index.ts';
import type { Store } from '#server/modules/stores/index.ts';
import { minuteMs } from '#server/platform/time-zone.ts';
import { loadDemoCoupons } from './coupons.ts';
import { loadDemoCustomer } from './customer.ts';
import blog from './data/blog.json' with { type: 'json' };
import brands from './data/brands.json' with { type: 'json' };
import categories from './data/categories.json' with { type: 'json' };
import gallery from './data/gallery.json' with { type: 'json' };
import ingredients from './data/ingredients.json' with { type: 'json' };
import modifierGroups from './data/modifier-groups.json' with { type: 'json' };
import pages from './data/pages.json' with { type: 'json' };
import photoTexts from './data/photo-texts.json' with { type: 'json' };
import products from './data/products.json' with { type: 'json' };
import settings from './data/settings.json' with { type: 'json' };
import stores from './data/stores.json' with { type: 'json' };
import tags from './data/tags.json' with { type: 'json' };

export type DemoProduct = (typeof products)[number];

interface DemoCategory {
  slug: string;
  name: LocalText;
  description: LocalText;
  image: string;
  children: DemoCategory[];
}

export type DemoLog = (problem: string) => void;

/** They have no password: whoever tries the demo on their own machine enters by a click. */
const demoStaff: readonly DemoStaff[] = [
  { id: 'demo-mei', name: 'Mei Chen', email: 'mei@maple-and-clay.example', role: 'owner', stores: null },
  {
    id: 'demo-noah',
    name: 'Noah Okafor',
    email: 'noah@maple-and-clay.example',
    role: 'assistant',
    stores: ['toronto-queen-west'],
  },
  {
    id: 'demo-aisha',
    name: 'Aisha Rahman',
    email: 'aisha@maple-and-clay.example',
    role: 'packer',
    stores: null,
  },
  {
    id: 'demo-jonas',
    name: 'Jonas Weber',
    email: 'jonas@maple-and-clay.example',
    role: 'bookkeeper',
    stores: null,
  },
];
const minutesToPickup = 60;
const ordersPerSlot = 4;

/**
 * Loads what the customer has ordered last: the books say of which category each line was. `stocking`: the same shop's services at the
 * time at which its first units came, where it is to have a past; else now.
 */
export async function loadDemo(
  services: Services,
  log: DemoLog = () => {},
  stocking: Pick<Services, 'changes' | 'editor'> = services,
): Promise<void> {
  const {
    media,
    settings: shopSettings,
    stores: places,
    editor,
    blog: { editor: blogEditor },
    content,
    orders,
  } = services;
  const run = services.changes.by({ kind: 'system' }, 'demo');
  await media.importOriginals(run, 'demo', demoPictures());
  await run((change) => shopSettings.update(change, demoSettings()));
  await run((change) => places.upsert(change, stores.map(storeOf)));
  await orders.startNumbersAfter(lastOrderNumber());
  const byId = <E extends { slug: string }>(entries: readonly E[]) =>
    entries.map(({ slug, ...entry }) => ({ id: slug, ...entry }));
  await run((change) => editor.upsertBrands(change, byId(brands)));
  const tree = (categories as DemoCategory[]).flatMap((category) => categoryInputs(category, null));
  await run((change) => editor.upsertCategories(change, tree));
  await run((change) => editor.upsertTags(change, byId(tags)));
  await run((change) => blogEditor.upsertAll(change, demoBlog(), demoPosts()));
  await loadDemoCoupons(services, run);
  for (const { page, problems } of await run((change) => content.upsertPages(change, pages.pages)))
    for (const { path, key } of problems) log(`page ${page}: block left out: /${path.join('/')} ${key}`);
  await run((change) => services.photographs.replaceGallery(change, gallery.map(galleryPhoto)));
  await run((change) => services.demoStaff.import(change, demoStaff));
  const all = [...products, ...(ingredients as object[] as DemoProduct[])];
  const goods = all.map((product, index) => demoProduct(product, products.length - index));
  const skus = new Set(goods.flatMap((product) => product.skus.map(({ sku }) => sku)));
  await run((change) => editor.upsertModifierGroups(change, demoModifierGroups(), skus));
  await stocking.changes.run({ kind: 'system' }, 'demo', (change) =>
    stocking.editor.upsertProducts(change, goods),
  );
  await loadDemoCustomer(services);
}

function demoModifierGroups(): ModifierGroupInput[] {
  return modifierGroups.map(
    (group) => Value.Default(ModifierGroupInput, structuredClone(group)) as ModifierGroupInput,
  );
}

function demoPictures(): string[] {
  const files =
    JSON.stringify([blog, brands, categories, gallery, pages, products, stores]).match(
      /[a-z0-9][a-z0-9-]*\.jpg/g,
    ) ?? [];
  return [...new Set(files)];
}

function demoSettings(): Partial<ShopSettings> {
  const known = Object.keys(defaultSettings).filter((key) => key in settings) as (SettingKey &
    keyof typeof settings)[];
  const values = Object.fromEntries(known.map((key) => [key, settings[key]]));
  return { ...(values as Partial<ShopSettings>), footer: pages.footer };
}

function lastOrderNumber(): number {
  return Math.max(...settings.demoCustomer.orders.map(({ orderID }) => Number(orderID.slice(-6))));
}

function galleryPhoto({ id, caption, photo, timestamp, product }: (typeof gallery)[number]): GalleryPhoto {
  return { id, caption, image: photo, link: `/product/${product}`, takenAt: Date.parse(timestamp) };
}

function storeOf(store: (typeof stores)[number]): Store {
  return {
    ...store,
    specialHours: [],
    pickupLeadMinutes: minutesToPickup,
    pickupSlotCapacity: ordersPerSlot,
  };
}

function categoryInputs(
  { slug, children, ...category }: DemoCategory,
  parent: string | null,
): CategoryInput[] {
  return [{ id: slug, parent, ...category }, ...children.flatMap((child) => categoryInputs(child, slug))];
}

/** Some products have an image of the product in use, a fact for their card, or details of the brand. */
type MoreDetails = Pick<ProductInput['details'], 'scene' | 'keyFact'> & {
  brew?: unknown;
  tea?: unknown;
  outline?: unknown;
};
/** Drinks are chosen in detail, and what only goes into them has no page. */
type TeaBar = Pick<ProductInput, 'published' | 'modifierGroups'>;

function detailsOf(product: DemoProduct): ProductInput['details'] {
  const { materials, care, dimensions } = product;
  const { brew, tea, outline, scene, keyFact } = product as MoreDetails;
  return {
    materials,
    care,
    dimensions,
    ...(brew ? { brew } : {}),
    ...(tea ? { tea } : {}),
    ...(outline ? { outline } : {}),
    ...(scene ? { scene } : {}),
    imageTexts: imageTextsOf(product),
    ...(keyFact ? { keyFact } : {}),
  };
}

/** What the images of a product show; its leading image and those of its colours need no text of their own. */
function imageTextsOf({ images }: DemoProduct): Record<string, LocalText> {
  const texts: Record<string, LocalText> = photoTexts;
  return Object.fromEntries(images.flatMap((image) => (texts[image] ? [[image, texts[image]]] : [])));
}

/** `minute` orders products of the same day: the higher, the newer. @throws {Error} naming fields of the file that no product has */
export function demoProduct(product: DemoProduct, minute: number): ProductInput {
  refuseUnknown(product);
  const { published = true, modifierGroups = [] } = product as TeaBar;
  return {
    id: product.slug,
    published,
    name: product.name,
    shortDescription: product.shortDescription,
    description: product.description,
    brand: product.brand,
    category: product.category,
    tags: product.tags,
    priceCents: product.priceCents,
    compareAtCents: product.compareAtCents,
    clearance: product.clearance,
    newArrival: product.newArrival,
    inStoreOnly: product.inStoreOnly,
    taxClass: product.taxClass,
    weightGrams: product.weightGrams,
    details: detailsOf(product),
    options: product.options.map((option) => ({
      name: option.name,
      values: option.values.map((value) => ({
        name: value.name,
        priceDeltaCents: value.priceDeltaCents ?? 0,
        overridePriceCents: value.overridePriceCents,
        skuSuffix: value.skuSuffix,
        color: value.swatch,
        image: value.photo,
      })),
    })),
    images: product.images,
    related: product.related,
    modifierGroups,
    createdAt: Date.parse(product.createdAt) + minute * minuteMs,
    skus: product.stock.map((entry) => ({
      sku: entry.sku,
      options: entry.optionValue ? { [entry.optionValue.name]: entry.optionValue.value } : {},
      stock: { warehouse: entry.shipping, ...entry.stores },
    })),
  };
}

const productFields = new Set([
  'slug',
  'sku',
  'name',
  'shortDescription',
  'description',
  'brand',
  'category',
  'tags',
  'priceCents',
  'compareAtCents',
  'clearance',
  'newArrival',
  'inStoreOnly',
  'taxClass',
  'weightGrams',
  'materials',
  'care',
  'dimensions',
  'brew',
  'outline',
  'tea',
  'scene',
  'keyFact',
  'published',
  'modifierGroups',
  'options',
  'images',
  'related',
  'createdAt',
  'stock',
]);
const valueFields = new Set([
  'name',
  'priceDeltaCents',
  'overridePriceCents',
  'skuSuffix',
  'swatch',
  'photo',
]);
const stockFields = new Set(['sku', 'optionValue', 'shipping', 'stores']);

/** A field that is not read would be missing in the shop without a word. */
function refuseUnknown(product: DemoProduct): void {
  const odd = (entry: object, fields: ReadonlySet<string>) =>
    Object.keys(entry).filter((field) => !fields.has(field));
  const found = [
    ...odd(product, productFields),
    ...product.options.flatMap(({ values }) => values.flatMap((value) => odd(value, valueFields))),
    ...product.stock.flatMap((entry) => odd(entry, stockFields)),
  ];
  if (found.length > 0)
    throw new Error(
      `data/products.json: product ${product.slug} has unknown fields: ${[...new Set(found)].join(', ')}`,
    );
}

/** Posts are published in the morning, Toronto time. */
const publishedHourUtc = 14;

function demoBlog(): BlogInput {
  return {
    id: blog.blog.id,
    name: blog.blog.name,
    description: blog.blog.description,
    ...blog.config,
    categories: blog.categories.map(({ slug, ...category }) => ({ id: slug, ...category })),
    tags: blog.tags.map(({ slug, ...tag }) => ({ id: slug, ...tag })),
  };
}

function demoPosts(): PostInput[] {
  return blog.posts.map(({ link, title, excerpt, cover, author, date, category, tags, likes, body }) => ({
    blogId: blog.blog.id,
    link,
    title,
    excerpt,
    author: { name: author, role: roleOf(author.en) },
    image: cover,
    category,
    tags,
    publishedAt: Date.parse(date) + publishedHourUtc * 60 * 60 * 1000,
    parts: body,
    likesBefore: likes,
  }));
}

function roleOf(name: string): { en: string; zh: string } {
  return blog.authors.find((author) => author.name.en === name)?.role ?? { en: '', zh: '' };
}
