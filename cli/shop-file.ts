/** The schema of the file that describes a merchant's shop (docs/how-to/fill-a-shop.md). */
import Type, { type Static, type TSchema } from 'typebox';
import Value from 'typebox/value';
import { localeCodes } from '#contract/locales.ts';
import { Id, LocalText, Nullable, Sku } from '#contract/schemas/common.ts';
import { PickupLocation } from '#contract/schemas/shop.ts';
import { ProductInput } from '#server/modules/catalogue/index.ts';
import { ShopSettings } from '#server/modules/settings/index.ts';
import { isCalendarDay } from '#server/platform/time-zone.ts';

const Picture = Nullable(Type.String());
const Units = Type.Integer({ minimum: 0, maximum: 1_000_000_000 });
const noText = { en: '' };

const Brand = Type.Object({ id: Id, name: LocalText, story: withDefault(LocalText, noText), image: withDefault(Picture, null) });
const Category = Type.Object({
  id: Id,
  parent: withDefault(Nullable(Id), null),
  name: LocalText,
  description: withDefault(LocalText, noText),
  image: withDefault(Picture, null),
});
const Tag = Type.Object({ id: Id, name: LocalText, description: withDefault(LocalText, noText) });

const Store = Type.Object({
  id: Id,
  name: LocalText,
  description: withDefault(LocalText, noText),
  address: Type.Object({
    street: Type.String(),
    city: Type.String(),
    province: Type.String(),
    provinceCode: Type.String(),
    postCode: Type.String(),
    country: Type.String(),
    countryISOCode: Type.String({ pattern: '^[A-Z]{2}$' }),
  }),
  lat: Type.Number({ minimum: -90, maximum: 90 }),
  lng: Type.Number({ minimum: -180, maximum: 180 }),
  phone: Type.String(),
  email: Type.String(),
  timeZone: Type.String(),
  openingHours: PickupLocation.properties.openingHours,
  specialHours: withDefault(PickupLocation.properties.specialHours, []),
  mainStore: withDefault(Type.Boolean(), false),
  display: withDefault(Type.Boolean(), true),
  allowPickup: withDefault(Type.Boolean(), true),
  tables: withDefault(Type.Integer({ minimum: 0, maximum: 9999 }), 0),
  image: withDefault(Picture, null),
  pickupLeadMinutes: withDefault(Type.Integer({ minimum: 0, maximum: 100_000 }), 60),
  pickupSlotCapacity: withDefault(Type.Integer({ minimum: 1, maximum: 100_000 }), 4),
});

const { properties } = ProductInput;
const Product = Type.Object({
  ...properties,
  shortDescription: withDefault(LocalText, noText),
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
  related: withDefault(properties.related, []),
  createdAt: withDefault(properties.createdAt, 0),
});

/** Top-level paths of the shop's own routes: a page with such a name could not be reached. */
const taken = [
  ...['account', 'api', 'blog', 'brand', 'brands', 'cart', 'checkout', 'clearance', 'media', 'myFavorite', 'page', 'payment'],
  ...['product', 'productlist', 'products', 'search', 'tag', ...localeCodes],
];

const Page = Type.Object({
  name: Type.String({ pattern: `^(?!(?:${taken.join('|')})$)[A-Za-z0-9][A-Za-z0-9-]{0,59}$` }),
  title: LocalText,
  metaDescription: withDefault(LocalText, noText),
  /** Validated one by one later: invalid blocks are left out and reported. */
  blocks: Type.Array(Type.Unknown(), { maxItems: 200 }),
});

const Photo = Type.Object({
  id: Id,
  caption: withDefault(LocalText, noText),
  image: Type.String(),
  link: withDefault(Type.String(), ''),
  /** Such as 2026-11-21T09:00-05:00. */
  takenAt: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}(:\\d{2})?(Z|[+-]\\d{2}:\\d{2})?)?$' }),
});

export const ShopFile = Type.Object({
  /** Named as in `settings list`; absent ones stay unchanged. */
  settings: Type.Optional(Type.Partial(ShopSettings)),
  brands: withDefault(Type.Array(Brand), []),
  categories: withDefault(Type.Array(Category), []),
  tags: withDefault(Type.Array(Tag), []),
  stores: withDefault(Type.Array(Store), []),
  products: withDefault(Type.Array(Product), []),
  /** SKU to units by location, 'warehouse' or a store's id. */
  stock: withDefault(Type.Record(Sku, Type.Record(Id, Units)), {}),
  pages: withDefault(Type.Array(Page), []),
  /** Replaces the whole gallery. */
  gallery: Type.Optional(Type.Array(Photo)),
});
export type ShopFile = Static<typeof ShopFile>;

/** The schema with a default. Copying descriptors preserves its kind, which is a non-enumerable property. */
function withDefault<T extends TSchema>(schema: T, value: unknown): T {
  const described = Object.getOwnPropertyDescriptors<object>(schema);
  return Object.defineProperties({}, { ...described, default: { value, enumerable: true } }) as T;
}

/** Returns the file with defaults filled in, or its problems, each with its location. */
export function readShopFile(content: unknown): { file: ShopFile } | { problems: string[] } {
  const whole = Value.Default(ShopFile, Value.Clone(content));
  const problems = [...Value.Errors(ShopFile, whole)].map(
    ({ instancePath, message }) => `${instancePath || 'the file'}: ${message}`,
  );
  if (problems.length > 0) return { problems };
  const file = Value.Clean(ShopFile, Value.Clone(whole)) as ShopFile;
  const more = [...unknownFields(whole, file, ''), ...oddTimes(file)];
  return more.length > 0 ? { problems: more } : { file };
}

/** Fields that are in no schema, so that a misspelt name is reported. */
function unknownFields(given: unknown, kept: unknown, path: string): string[] {
  if (typeof given !== 'object' || given === null) return [];
  return Object.entries(given).flatMap(([name, value]) => {
    const at = `${path}/${name}`;
    const inside = typeof kept === 'object' && kept !== null && name in kept;
    return inside ? unknownFields(value, (kept as Record<string, unknown>)[name], at) : [`${at}: unknown field`];
  });
}

/** Times that a schema cannot validate. */
function oddTimes({ stores, gallery = [] }: ShopFile): string[] {
  return [
    ...stores.flatMap(({ timeZone }, index) =>
      isTimeZone(timeZone) ? [] : [`/stores/${index}/timeZone: ${timeZone} is not a valid time zone`],
    ),
    ...stores.flatMap(({ specialHours }, index) =>
      specialHours.flatMap(({ date }, at) =>
        isCalendarDay(date) ? [] : [`/stores/${index}/specialHours/${at}/date: ${date} is not a valid date`],
      ),
    ),
    ...gallery.flatMap(({ takenAt }, index) =>
      Number.isNaN(Date.parse(takenAt)) ? [`/gallery/${index}/takenAt: ${takenAt} is not a valid date`] : [],
    ),
  ];
}

function isTimeZone(timeZone: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone }));
  } catch {
    return false;
  }
}
