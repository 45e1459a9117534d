import Type, { type Static } from 'typebox';
import { mostListed, sortValues } from '../limits.ts';
import { filterColourNames, filterRangePattern } from '../list-filters.ts';
import {
  Cents,
  Count,
  described,
  Extras,
  Flag,
  Id,
  ImageInfo,
  LangQuery,
  LocalText,
  NamedRef,
  Nullable,
  ServedTimes,
  Sku,
} from './common.ts';
import { ModifierGroup } from './modifiers.ts';

/** Cents before tax; `listPrice` was the price before a reduction. */
export const PriceInfo = Type.Object({
  price: described('What is charged now, cents before tax.', Cents),
  listPrice: described(
    'The price before a reduction, cents before tax; null if there is none.',
    Nullable(Cents),
  ),
  currency: described('ISO 4217.', Type.String()),
  from: described('True if some options cost more, so that a card says "from".', Flag),
});
export type PriceInfo = Static<typeof PriceInfo>;

const refFields = {
  categoryName: described('The name in addresses and filters.', Id),
  categoryNameContent: described('The label.', LocalText),
};
const topCategoryRef = Type.Object({ ...refFields, parent: Type.Null() });
const categoryRef = <T extends Type.TSchema>(parent: T) =>
  Type.Object({ ...refFields, parent: Nullable(parent) });

/** With its chain of parents. Trees have at most four levels. */
export const CategoryRef = categoryRef(categoryRef(categoryRef(topCategoryRef)));
export type CategoryRef = Static<typeof CategoryRef>;

const served = Type.Optional(described('When it can be ordered; absent for always.', ServedTimes));
const categoryFields = {
  id: Id,
  categoryName: described('The name in addresses and filters.', Id),
  categoryNameContent: described('The label.', LocalText),
  description: Type.String(),
  image: Nullable(ImageInfo),
  count: described('The number of products in this category and its descendants.', Count),
};

export const CategoryChild = Type.Object(categoryFields);
export const CategoryNode = Type.Object({ ...categoryFields, children: Type.Array(CategoryChild) });
export const Category = Type.Object({
  ...categoryFields,
  children: Type.Array(CategoryChild),
  parent: described('Null for a top category.', Nullable(CategoryRef)),
  served,
});
export type CategoryChild = Static<typeof CategoryChild>;
export type CategoryNode = Static<typeof CategoryNode>;
export type Category = Static<typeof Category>;

export const Brand = Type.Object({
  name: Id,
  nameContent: LocalText,
  story: Type.String(),
  image: Nullable(ImageInfo),
  count: described('The number of its products.', Count),
});
export type Brand = Static<typeof Brand>;

export const Tag = Type.Object({
  name: Id,
  nameContent: LocalText,
  description: Type.String(),
  count: described('The number of its products.', Count),
});
export type Tag = Static<typeof Tag>;

export const Badge = Type.Enum(['SALE', 'CLEARANCE']);
export type Badge = Static<typeof Badge>;

export const MediaInfo = Type.Object({
  imageInfos: described('The leading image first.', Type.Array(ImageInfo)),
});

export const ProductStock = Type.Object({ quantity: described('Units over all SKUs and locations.', Count) });

const summaryFields = {
  id: Id,
  productName: Type.String(),
  nameContent: LocalText,
  shortDesciption: described('Cut to 205 characters plus an ellipsis.', Type.String()),
  priceInfo: PriceInfo,
  badges: described('SALE: reduced. CLEARANCE: reduced and not coming back.', Type.Array(Badge)),
  newArrival: described('Whether it is listed among the new products.', Flag),
  inStoreOnly: described('Sold only in a store, never shipped.', Flag),
  brand: NamedRef,
  mediaInfo: MediaInfo,
  served,
  inventory: described(
    "Units over all SKUs and locations. Lists have the number as of the product's last change, but whether it is 0 is always current. The inventory call returns live counts.",
    ProductStock,
  ),
};

/** `swatches` are the values of the colour option, if it has one. */
export const ProductSummary = Type.Object({
  ...summaryFields,
  fact: Type.Optional(
    described('The one fact that decides between similar products, such as "420 ml".', Type.String()),
  ),
  note: Type.Optional(
    described(
      'Where and when it is sold, if that is limited, each on a line: "In store only", "Served until 11:00".',
      Type.String(),
    ),
  ),
  sku: Type.Optional(
    described('Set if the product can be added to the cart without choosing anything.', Sku),
  ),
  swatches: described(
    'The values of the colour option, if there is one.',
    Type.Array(
      Type.Object({
        value: Type.String(),
        valueContent: LocalText,
        color: described('`#rrggbb`.', Type.String()),
        image: Nullable(ImageInfo),
      }),
    ),
  ),
});
export type ProductSummary = Static<typeof ProductSummary>;

/** `priceInfo` is the surcharge (cents, 0 or more); `overridePrice` replaces the product's price if it is set. */
export const OptionValue = Type.Object({
  value: described('As `optionPairs` has it.', Type.String()),
  valueContent: LocalText,
  priceInfo: described('What the value costs on top, cents.', Type.Object({ price: Cents })),
  overridePrice: described("Replaces the product's price, cents; null if it does not.", Nullable(Cents)),
  inventoryAttribute: described('The part of the SKU that this value contributes.', Type.String()),
  color: described('The colour of its swatch, `#rrggbb`; null for none.', Nullable(Type.String())),
  image: described('Shows the product with this value.', Nullable(ImageInfo)),
});
export type OptionValue = Static<typeof OptionValue>;

export const ProductOption = Type.Object({
  name: described('As `optionPairs` has it.', Type.String()),
  nameContent: LocalText,
  values: Type.Array(OptionValue),
});
export type ProductOption = Static<typeof ProductOption>;

/** `optionPairs` is text of `#name:value` pairs, '' without options. */
export const SkuInfo = Type.Object({
  sku: Sku,
  optionPairs: described(
    "Text of `#name:value` pairs in the default language, '' without options.",
    Type.String(),
  ),
  priceInfo: PriceInfo,
  inStock: described(
    'Whether any location has stock, and the shop takes orders; current with the catalogue version.',
    Flag,
  ),
  image: Type.Optional(described('Shows it, where it has an image of its own.', ImageInfo)),
  backorder: Type.Optional(
    described('Nothing is left, and it is sold beyond stock: an order is fulfilled later.', Flag),
  ),
  gtin: Type.Optional(described('The GTIN of its bar code, if it has one.', Type.String())),
  weightGrams: Type.Optional(described('Of a unit, where it is not that of the product.', Type.Integer())),
});
export type SkuInfo = Static<typeof SkuInfo>;

/** With the page or address that says more. */
export const LinkedLine = Type.Object({
  textContent: LocalText,
  link: described("A path of this shop or a full address; '' for none.", Type.String()),
});

const notForSaleYet = described(
  'The shop offers no way to get an order yet, so nothing can be ordered.',
  Flag,
);

export const Product = Type.Object({
  ...summaryFields,
  description: described('Paragraphs, without formats.', Type.Array(Type.String())),
  descriptionHtml: Type.Optional(
    described('The formatted description, sanitised, in place of the paragraphs.', Type.String()),
  ),
  seoTitle: Type.Optional(
    described('The whole title in search engines, where it is not the name.', Type.String()),
  ),
  seoDescription: Type.Optional(
    described('For search engines, where it is not the short description.', Type.String()),
  ),
  category: described('With its chain of parents.', CategoryRef),
  tags: Type.Array(NamedRef),
  specification: Type.Object({
    options: Type.Array(ProductOption),
    attributes: described(
      'Materials, care, size and weight, as displayed.',
      Type.Array(Type.Object({ name: Type.String(), value: Type.String() })),
    ),
  }),
  skus: described('The combinations of option values that are sold.', Type.Array(SkuInfo)),
  notForSaleYet: Type.Optional(notForSaleYet),
  modifierGroups: Type.Optional(
    described(
      'What is chosen when it is ordered, in this order: its modifier groups, and all that they open. Prices of SKUs do not include them.',
      Type.Array(ModifierGroup),
    ),
  ),
  weightGrams: described('Null if it is unknown.', Nullable(Type.Integer())),
  scene: described(
    'An image of the product in use, which is shown large; null without one.',
    Nullable(ImageInfo),
  ),
  howToGet: Type.Optional(described('How to get it, if it is not shipped.', Type.String())),
  returns: described(
    'What the shop says about returns beside each product; null for nothing.',
    Nullable(LinkedLine),
  ),
  extras: Type.Optional(Extras),
});
export type Product = Static<typeof Product>;

/** With the combination of its options that is added; `optionText` is '' without options. */
export const SetPiece = Type.Object({
  id: Id,
  nameContent: LocalText,
  image: Nullable(ImageInfo),
  sku: described('The combination that is added.', Sku),
  optionPairs: described("Text of `#name:value` pairs, '' without options.", Type.String()),
  optionText: described("The combination for display; '' without options.", Type.String()),
  priceInfo: PriceInfo,
});
export type SetPiece = Static<typeof SetPiece>;

export const ProductSet = Type.Object({ pieces: Type.Array(SetPiece) });
export type ProductSet = Static<typeof ProductSet>;

export const inventoryStatuses = ['InStock', 'OutOfStock', 'NotAvailable'] as const;

/** Of one SKU. */
export const Inventory = Type.Object({
  sku: described('Null if no SKU has these options.', Nullable(Sku)),
  status: described(
    'NotAvailable: no SKU has these options, or nothing is for sale yet.',
    Type.Enum(inventoryStatuses),
  ),
  priceInfo: Nullable(PriceInfo),
  shippable: described('Units that can ship from the warehouse.', Count),
  obtainable: described(
    'Units that one order can have: the most that any one location has, at most 98.',
    Count,
  ),
  inventoryStoreInfos: Type.Array(
    Type.Object({
      localStoreName: Id,
      nameContent: LocalText,
      number: described('Units in stock there.', Count),
      allowPickup: described('Whether orders can be picked up there.', Flag),
      soldOutToday: Type.Optional(described('The store has no more of it today, and `number` is 0.', Flag)),
    }),
  ),
  uncounted: Type.Optional(
    described(
      'Its stock is not counted: it does not run out, and numbers are the most that an order can have.',
      Flag,
    ),
  ),
  notForSaleYet: Type.Optional(notForSaleYet),
  oversell: Type.Optional(described('It is sold beyond stock: more can be ordered than stores have.', Flag)),
  backorder: Type.Optional(
    described('Nothing is left, and it is sold beyond stock: an order is fulfilled later.', Flag),
  ),
});
export type Inventory = Static<typeof Inventory>;

export const SortBy = Type.Enum(sortValues);
const sort = Type.Optional(SortBy);

const FilterRange = Type.String({ pattern: filterRangePattern.source });

/** Names are slugs. */
export const listFilterFields = {
  categoryName: Type.Optional(described('With all categories below it.', Id)),
  brandName: Type.Optional(Id),
  tagName: Type.Optional(Id),
  onSale: Type.Optional(described('Only reduced products.', Type.Boolean())),
  clearance: Type.Optional(described('Only products on clearance.', Type.Boolean())),
  newArrival: Type.Optional(described('Only new products.', Type.Boolean())),
  priceRange: Type.Optional(
    described(
      "One of the shop's price ranges, as the facets name it: `3000-5999` in cents, both included.",
      FilterRange,
    ),
  ),
  capacityRange: Type.Optional(
    described('One of the ranges of the facets: `151-350` in millilitres, both included.', FilterRange),
  ),
  colour: Type.Optional(described('The colour of an option.', Id)),
  localStoreName: Type.Optional(described('A store in which the product is in stock.', Id)),
  nameLike: Type.Optional(
    described(
      'A search text, so that search results can be filtered like any list.',
      Type.String({ maxLength: 200 }),
    ),
  ),
};

/** `startingPosition` counts products from 0; `numberToLoad` defaults to 12, `mostListed` at most. */
export const listPageFields = {
  sortby: sort,
  infiniteLoad: Type.Optional(
    described('Accepted without effect: every list is paged the same way.', Type.Boolean()),
  ),
  startingPosition: Type.Optional(
    described('The number of products to skip.', Type.Integer({ minimum: 0, maximum: 1_000_000 })),
  ),
  numberToLoad: Type.Optional(
    described('12 if it is absent.', Type.Integer({ minimum: 1, maximum: mostListed })),
  ),
  ...LangQuery,
};

export const ProductList = Type.Object({ products: Type.Array(ProductSummary) });
export type ProductList = Static<typeof ProductList>;

const partial = described(
  'No product has all of the words; these have some of them, those with most first.',
  Type.Boolean(),
);

/** `correctedTo` was searched instead because a word had no hits ("showing results for …"). */
export const SearchList = Type.Object({
  products: Type.Array(ProductSummary),
  correctedTo: described(
    'The text that was searched instead because a word had no hits; null if none was.',
    Nullable(Type.String()),
  ),
  partial,
});
export type SearchList = Static<typeof SearchList>;

export const RangeFacet = Type.Object({
  range: described('As the parameter of the filter takes it.', Type.String()),
  from: described('The least value; null: open.', Nullable(Count)),
  to: described('The greatest value; null: open.', Nullable(Count)),
  count: described('The number of products that the list would have.', Count),
});
export const NamedFacet = Type.Object({
  name: Id,
  nameContent: LocalText,
  count: described('The number of products that the list would have.', Count),
});

/** With the number of products that a list would then have. Each ignores its own filter. */
export const ProductFacets = Type.Object({
  count: described('The number of products in the list.', Count),
  currency: described('Of the prices, ISO 4217.', Type.String()),
  brands: Type.Array(NamedFacet),
  categories: Type.Array(
    Type.Object({
      name: Id,
      nameContent: LocalText,
      parent: described('The name of the parent category; null for a top one.', Nullable(Id)),
      count: Count,
    }),
  ),
  prices: described('Cents.', Type.Array(RangeFacet)),
  capacities: described('Millilitres.', Type.Array(RangeFacet)),
  colours: described(
    'Colours of options.',
    Type.Array(
      Type.Object({
        name: Type.Enum([...filterColourNames]),
        color: described('`#rrggbb`, for a swatch.', Type.String()),
        count: Count,
      }),
    ),
  ),
  stores: described('Displayed stores in which products are in stock.', Type.Array(NamedFacet)),
  tags: described('Those that the shop offers as filters.', Type.Array(NamedFacet)),
});
export type ProductFacets = Static<typeof ProductFacets>;

export const Suggestions = Type.Object({
  products: Type.Array(
    Type.Object({ id: Id, productName: Type.String(), image: Nullable(ImageInfo), priceInfo: PriceInfo }),
  ),
  categories: Type.Array(NamedRef),
  brands: Type.Array(NamedRef),
  correctedTo: described(
    'The text that was searched instead because a word had no hits; null if none was.',
    Nullable(Type.String()),
  ),
  partial,
});
export type Suggestions = Static<typeof Suggestions>;
