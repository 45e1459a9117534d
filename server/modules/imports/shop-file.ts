import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import Type, { type Static } from 'typebox';
import Value from 'typebox/value';
import { isLocale, offerLocales } from '#contract/locales.ts';
import { pictureName } from '#contract/media.ts';
import { type Problem, problem, shown } from '#contract/problems.ts';
import { described, Id, LocalText, Nullable, Sku, withDefault } from '#contract/schemas/common.ts';
import { CouponInput } from '#contract/schemas/coupon.ts';
import { ModifierGroupInput } from '#contract/schemas/modifier-input.ts';
import { StoreInput } from '#contract/schemas/store.ts';
import { BrandInput, CategoryInput, TagInput } from '#contract/schemas/taxonomy.ts';
import { WebhookDocument } from '#contract/schemas/webhook.ts';
import { ProductInput } from '#server/modules/catalogue/index.ts';
import type { RunChange } from '#server/modules/changes/index.ts';
import {
  BlogInput,
  PageInput,
  PostInput,
  picturesOfParts,
  validateParts,
} from '#server/modules/content/index.ts';
import type { MediaService } from '#server/modules/media/index.ts';
import { RedirectInput, ShopSettings } from '#server/modules/settings/index.ts';
import { fieldOf, nameOf, schemaProblems } from '#server/platform/schema-problems.ts';
import { instantOf, isInstant } from '#server/platform/time-zone.ts';

const Units = Type.Integer({ minimum: 0, maximum: 1_000_000_000 });
const noText = { en: '' };

const brand = BrandInput.properties;
const Brand = Type.Object({
  ...brand,
  story: withDefault(brand.story, noText),
  image: withDefault(brand.image, null),
});

const category = CategoryInput.properties;
const Category = Type.Object({
  ...category,
  parent: withDefault(category.parent, null),
  description: withDefault(category.description, noText),
  image: withDefault(category.image, null),
});

const Tag = Type.Object({
  ...TagInput.properties,
  description: withDefault(TagInput.properties.description, noText),
});

const store = StoreInput.properties;
const Store = Type.Object({
  ...store,
  description: withDefault(store.description, noText),
  specialHours: withDefault(store.specialHours, []),
  mainStore: withDefault(store.mainStore, false),
  display: withDefault(store.display, true),
  allowPickup: withDefault(store.allowPickup, true),
  tables: withDefault(store.tables, 0),
  image: withDefault(store.image, null),
  pickupLeadMinutes: withDefault(store.pickupLeadMinutes, 60),
  pickupSlotCapacity: withDefault(store.pickupSlotCapacity, 4),
  deliveryZones: withDefault(store.deliveryZones, []),
});

const { properties } = ProductInput;
const Product = Type.Object({
  ...properties,
  shortDescription: withDefault(properties.shortDescription, noText),
  description: withDefault(properties.description, { en: [] }),
  tags: withDefault(properties.tags, []),
  compareAtCents: withDefault(properties.compareAtCents, null),
  clearance: withDefault(properties.clearance, false),
  newArrival: withDefault(properties.newArrival, false),
  inStoreOnly: withDefault(properties.inStoreOnly, false),
  taxClass: withDefault(properties.taxClass, 'standard'),
  weightGrams: withDefault(properties.weightGrams, null),
  details: withDefault(properties.details, {}),
  options: withDefault(properties.options, []),
  images: withDefault(properties.images, []),
  modifierGroups: withDefault(properties.modifierGroups, []),
  related: withDefault(properties.related, []),
  createdAt: withDefault(
    described(
      'When the product was created, epoch ms; 0 is the time of its first import. The newest come first in lists.',
      properties.createdAt,
    ),
    0,
  ),
});

const coupon = CouponInput.properties;
const Coupon = Type.Object({
  ...coupon,
  percent: withDefault(coupon.percent, 0),
  amount: withDefault(coupon.amount, 0),
  minSubtotal: withDefault(coupon.minSubtotal, 0),
  countries: withDefault(coupon.countries, []),
  products: withDefault(coupon.products, []),
  categories: withDefault(coupon.categories, []),
  startsAt: withDefault(
    described(
      'When it becomes valid: `2026-12-01`, `2026-12-01T09:00-05:00`, or without a zone in the local time of the main store; null: at once.',
      Nullable(Type.String()),
    ),
    null,
  ),
  endsAt: withDefault(
    described(
      'When it is no longer valid, written so: after 31 December, it is `2027-01-01`; null: never.',
      Nullable(Type.String()),
    ),
    null,
  ),
  totalLimit: withDefault(coupon.totalLimit, null),
  customerLimit: withDefault(coupon.customerLimit, null),
});

const Page = Type.Object({
  ...PageInput.properties,
  metaDescription: withDefault(PageInput.properties.metaDescription, noText),
});

const Photo = Type.Object({
  id: described('Identifies the photo.', Id),
  caption: withDefault(described('The caption.', LocalText), noText),
  image: described('The file name of the image.', Type.String()),
  link: withDefault(
    described('A page of the shop that shows the same subject; empty for none.', Type.String()),
    '',
  ),
  takenAt: described(
    'When it was taken: `2026-11-21T09:00-05:00`, or without a zone in the local time of the main store. The newest come first.',
    Type.String(),
  ),
});

export const ShopFile = Type.Object({
  $schema: Type.Optional(
    described(
      'The JSON Schema of this file, for editors: `./shop.schema.json`. The import ignores it.',
      Type.String(),
    ),
  ),
  settings: Type.Optional(
    described(
      'Settings. Those left out stay unchanged. `npm run shop -- settings list` shows them all.',
      Type.Partial(ShopSettings),
    ),
  ),
  brands: withDefault(described('Brands.', Type.Array(Brand)), []),
  categories: withDefault(described('Categories, parents before their children.', Type.Array(Category)), []),
  tags: withDefault(described('Tags.', Type.Array(Tag)), []),
  modifierGroups: withDefault(
    described(
      'Modifier groups, which products share (docs/how-to/sell-drinks-and-food.md).',
      Type.Array(ModifierGroupInput),
    ),
    [],
  ),
  stores: withDefault(described('Stores.', Type.Array(Store)), []),
  products: withDefault(described('Products.', Type.Array(Product)), []),
  stock: withDefault(
    described(
      'Units of each SKU by location, `warehouse` or the id of a store: `{ "RM-INK": { "warehouse": 9 } }`. Set at every import.',
      Type.Record(Sku, Type.Record(Id, Units)),
    ),
    {},
  ),
  coupons: withDefault(
    described(
      'Coupons. Those of the shop that the file does not name stay, and so does how often each was used.',
      Type.Array(Coupon),
    ),
    [],
  ),
  webhooks: withDefault(
    described(
      'Endpoints that receive events, without their secrets. New ones are paused, and get a secret of their own.',
      Type.Array(
        Type.Object({
          ...WebhookDocument.properties,
          paused: withDefault(WebhookDocument.properties.paused, false),
        }),
      ),
    ),
    [],
  ),
  pages: withDefault(described('Content pages.', Type.Array(Page)), []),
  redirects: withDefault(
    described(
      'Old addresses that lead to new ones. Those of the shop that the file does not name stay.',
      Type.Array(RedirectInput),
    ),
    [],
  ),
  gallery: Type.Optional(
    described('The photos of the gallery. They replace the whole gallery.', Type.Array(Photo)),
  ),
});
export type ShopFile = Static<typeof ShopFile>;

/** As people edit it; a time that cannot be read is null. `timeZone` is for times without one. */
export function couponOfFile(
  { startsAt, endsAt, ...coupon }: ShopFile['coupons'][number],
  timeZone: string,
): CouponInput {
  const at = (text: string | null) => (text !== null && isInstant(text) ? instantOf(text, timeZone) : null);
  return { ...coupon, startsAt: at(startsAt), endsAt: at(endsAt) };
}

/** As far as it is valid in itself. */
export interface ShopFileReading {
  /** Those that fit the schema, with defaults filled in. */
  file: ShopFile;
  /** With its entry and the place in it. */
  problems: Problem[];
  /** Also of entries that do not fit: they are no unknown references. */
  ids: Readonly<Record<ListName, ReadonlySet<string>>>;
  /** Also of products that do not fit. */
  skus: ReadonlySet<string>;
}

type ListName = 'brands' | 'categories' | 'tags' | 'modifierGroups' | 'stores';

/** Separates the entries that fit the schema from those that do not (docs/how-to/fill-a-shop.md). */
export function inspectShopFile(content: unknown): ShopFileReading {
  const whole = Value.Default(ShopFile, Value.Clone(content));
  const languages = fieldOf(fieldOf(whole, 'settings'), 'languages');
  // Texts are required in the default language that the file sets.
  if (Array.isArray(languages) && isLocale(languages[0])) offerLocales(languages.filter(isLocale));
  const problems = schemaProblems(ShopFile, whole);
  const ids = {
    brands: namesIn(whole, 'brands'),
    categories: namesIn(whole, 'categories'),
    tags: namesIn(whole, 'tags'),
    modifierGroups: namesIn(whole, 'modifierGroups'),
    stores: namesIn(whole, 'stores'),
  };
  return {
    file: Value.Default(ShopFile, withoutInvalid(whole, problems)) as ShopFile,
    problems,
    ids,
    skus: new Set(entriesOf(whole, 'products').flatMap(skusOf)),
  };
}

function namesIn(content: unknown, list: ListName): Set<string> {
  return new Set(entriesOf(content, list).flatMap((entry) => nameOf(entry) ?? []));
}

function skusOf(product: unknown): string[] {
  return entriesOf(product, 'skus').flatMap((entry) => {
    const sku = fieldOf(entry, 'sku');
    return typeof sku === 'string' ? [sku] : [];
  });
}

/** By id, name or link. */
export function repeatedEntries(list: string, entries: readonly unknown[]): Problem[] {
  const names = entries.map(nameOf);
  const repeated = new Set(
    names.filter((name, index) => name !== undefined && names.indexOf(name) !== index),
  );
  return [...repeated].map((name) => problem([list, name ?? ''], 'problem.repeated'));
}

/** Problems lead into entries of lists, single settings, or whole parts, which are left out. */
function withoutInvalid(content: unknown, problems: readonly Problem[]): Record<string, unknown> {
  if (typeof content !== 'object' || content === null || problems.some(({ path }) => path.length === 0))
    return {};
  const invalid = new Set(problems.map(({ path }) => path.slice(0, 2).join('/')));
  const parts = Object.entries(content).flatMap(([part, value]: [string, unknown]) => {
    if (invalid.has(part)) return [];
    if (Array.isArray(value))
      return [
        [part, value.filter((entry, index) => !invalid.has(`${part}/${nameOf(entry) ?? index}`))] as const,
      ];
    if (typeof value !== 'object' || value === null) return [[part, value] as const];
    return [
      [
        part,
        Object.fromEntries(Object.entries(value).filter(([name]) => !invalid.has(`${part}/${name}`))),
      ] as const,
    ];
  });
  return Object.fromEntries(parts);
}

function entriesOf(content: unknown, list: string): readonly unknown[] {
  const entries = fieldOf(content, list);
  return Array.isArray(entries) ? entries : [];
}

/** docs/how-to/write-a-post.md */
const Post = Type.Object({
  ...PostInput.properties,
  publishedAt: described(
    'When the post is published, in ISO 8601: `2026-12-01T09:00-05:00`, or without a zone in the local time of the main store. A time in the past sets the date of the post.',
    Type.String(),
  ),
});

export const PostFile = Type.Object({
  $schema: Type.Optional(
    described(
      'The JSON Schema of this file, for editors: `./posts.schema.json`. The import ignores it.',
      Type.String(),
    ),
  ),
  blog: Type.Optional(described('The blog. Required the first time, and whenever it changes.', BlogInput)),
  posts: withDefault(described('The posts.', Type.Array(Post)), []),
});
export type PostFile = Static<typeof PostFile>;

export interface PostFileReading {
  blog: BlogInput | null;
  posts: PostInput[];
  /** With the post and the place in it. */
  problems: Problem[];
}

/** `timeZone` is for times without one. */
export function inspectPostFile(content: unknown, timeZone: string): PostFileReading {
  const whole = Value.Default(PostFile, Value.Clone(content));
  const problems = schemaProblems(PostFile, whole);
  const { blog, posts } = Value.Default(PostFile, withoutInvalid(whole, problems)) as PostFile;
  const undated = posts.filter(({ publishedAt }) => !isInstant(publishedAt));
  return {
    blog: problems.some(({ path }) => path[0] === 'blog') ? namesOfBlog(content) : (blog ?? null),
    posts: posts.map((post) => ({
      ...post,
      publishedAt: undated.includes(post) ? 0 : instantOf(post.publishedAt, timeZone),
    })),
    problems: [
      ...problems,
      ...undated.map(({ link, publishedAt }) =>
        problem(['posts', link, 'publishedAt'], 'problem.instant', { found: shown(publishedAt) }),
      ),
    ],
  };
}

/** Its posts are checked as if it were valid. It is never written. */
function namesOfBlog(content: unknown): BlogInput | null {
  const blog = fieldOf(content, 'blog');
  const id = nameOf(blog);
  const named = (list: string) => entriesOf(blog, list).flatMap((entry) => nameOf(entry) ?? []);
  const noText = { en: '' };
  return id === undefined
    ? null
    : {
        id,
        name: noText,
        description: noText,
        enableUserLike: false,
        enableGuestLike: false,
        categories: named('categories').map((category) => ({
          id: category,
          name: noText,
          description: noText,
        })),
        tags: named('tags').map((tag) => ({ id: tag, name: noText })),
      };
}

export function picturesOfPosts(posts: readonly PostInput[]): NamedPicture[] {
  return posts.flatMap(({ link, image, parts }) =>
    [...(image === null ? [] : [image]), ...picturesOfParts(validateParts(parts).parts)].map((file) => ({
      owner: ['posts', link],
      file,
    })),
  );
}

/** An image that an entry of a file names, and that lies beside the file. */
export interface NamedPicture {
  /** Such as `['products', 'river-mug']`. */
  owner: readonly string[];
  file: string;
}

export interface FoundPictures {
  folder: string;
  /** Of the images that lie in the folder. */
  files: string[];
  /** Images that are neither there nor in the shop, or are not images. */
  problems: Problem[];
}

/** In `folder` and in the shop. Imports nothing. */
export async function findPictures(
  media: MediaService,
  named: readonly NamedPicture[],
  folder: string,
): Promise<FoundPictures> {
  const owners = Map.groupBy(named, ({ file }) => file);
  const inShop = await media.images([...owners.keys()]);
  const found: FoundPictures = { folder, files: [], problems: [] };
  for (const [file, users] of owners) {
    const result = await lookFor(media, file, { folder, isInShop: inShop.has(file) });
    if (result === 'beside') found.files.push(file);
    else if (result !== 'inShop')
      found.problems.push(
        ...users.map(({ owner }) => problem(owner, result.key, { file, folder, ...result.values })),
      );
  }
  return found;
}

async function lookFor(
  media: MediaService,
  file: string,
  { folder, isInShop }: { folder: string; isInShop: boolean },
): Promise<'beside' | 'inShop' | Pick<Problem, 'key' | 'values'>> {
  const heic = { key: 'problem.image.heic', values: { jpeg: `${file.replace(/\.\w+$/, '')}.jpg` } } as const;
  if (/\.hei[cf]$/i.test(file)) return heic;
  if (!pictureName.test(file)) return { key: 'problem.image.name', values: { file: JSON.stringify(file) } };
  const bytes = await readFile(join(folder, file)).catch(() => null);
  if (!bytes && isInShop) return 'inShop';
  if (!bytes) {
    const similar = (await readdir(folder).catch(() => [])).find(
      (name) => name.toLowerCase() === file.toLowerCase(),
    );
    return similar === undefined
      ? { key: 'problem.image.missing', values: {} }
      : { key: 'problem.image.letters', values: { other: similar } };
  }
  return media.requireImage(file, bytes).then(
    () => 'beside',
    (error: unknown) =>
      isHeic(bytes)
        ? heic
        : {
            key: 'problem.image.invalid',
            values: { reason: error instanceof Error ? error.message : String(error) },
          },
  );
}

/** Whatever its name: a "file type" box with one of the brands that phones write. */
function isHeic(bytes: Buffer): boolean {
  return /^ftyp(?:hei[cxms]|hev[cxms]|mif1|msf1)/.test(bytes.toString('latin1', 4, 12));
}

/** Every image of a shop has a unique name. */
export async function importPictures(
  media: MediaService,
  run: RunChange,
  { files, folder }: FoundPictures,
  { replaced }: { replaced(image: string): void },
): Promise<void> {
  const before = await media.images(files);
  for (const file of files) await media.addOriginal(run, file, await readFile(join(folder, file)));
  const after = await media.images(files);
  for (const file of files) {
    const old = before.get(file);
    if (old && old.imageURL !== after.get(file)?.imageURL) replaced(file);
  }
}
