/** Categories, brands, tags, products, stock (SPEC §3). */
import Type, { type Static } from 'typebox';
import { sortValues } from '../limits.ts';
import { filterColourNames, filterRangePattern } from '../list-filters.ts';
import { BrewGuide } from './brewing.ts';
import { Cents, Count, Flag, Id, ImageInfo, LangQuery, LocalText, NamedRef, Nullable, Sku } from './common.ts';
import { ProductSize } from './measures.ts';

/** `price` is charged now, `listPrice` was the price before a reduction; both are cents before tax. */
export const PriceInfo = Type.Object({
  price: Cents,
  listPrice: Nullable(Cents),
  currency: Type.String(),
  /** True if some options cost more, so that a card says "from". */
  from: Flag,
});
export type PriceInfo = Static<typeof PriceInfo>;

const refFields = { categoryName: Id, categoryNameContent: LocalText };
const topCategoryRef = Type.Object({ ...refFields, parent: Type.Null() });
const categoryRef = <T extends Type.TSchema>(parent: T) => Type.Object({ ...refFields, parent: Nullable(parent) });

/** A category with its chain of parents. Trees have at most four levels. */
export const CategoryRef = categoryRef(categoryRef(categoryRef(topCategoryRef)));
export type CategoryRef = Static<typeof CategoryRef>;

const categoryFields = {
  id: Id,
  categoryName: Id,
  categoryNameContent: LocalText,
  description: Type.String(),
  image: Nullable(ImageInfo),
  /** The number of products in this category and its descendants. */
  count: Count,
};

export const CategoryChild = Type.Object(categoryFields);
export const CategoryNode = Type.Object({ ...categoryFields, children: Type.Array(CategoryChild) });
export const Category = Type.Object({ ...categoryFields, children: Type.Array(CategoryChild), parent: Nullable(CategoryRef) });
export type CategoryChild = Static<typeof CategoryChild>;
export type CategoryNode = Static<typeof CategoryNode>;
export type Category = Static<typeof Category>;

export const Brand = Type.Object({
  name: Id,
  nameContent: LocalText,
  story: Type.String(),
  image: Nullable(ImageInfo),
  count: Count,
});
export type Brand = Static<typeof Brand>;

export const Tag = Type.Object({ name: Id, nameContent: LocalText, description: Type.String(), count: Count });
export type Tag = Static<typeof Tag>;

export const Badge = Type.Enum(['SALE', 'CLEARANCE']);
export type Badge = Static<typeof Badge>;

/** The images of a product, the leading one first. */
export const MediaInfo = Type.Object({ imageInfos: Type.Array(ImageInfo) });

/** Units of a product over all SKUs and locations. */
export const ProductStock = Type.Object({ quantity: Count });

const summaryFields = {
  id: Id,
  productName: Type.String(),
  nameContent: LocalText,
  /** Cut to 205 characters plus an ellipsis (SPEC §3, §9). */
  shortDesciption: Type.String(),
  priceInfo: PriceInfo,
  badges: Type.Array(Badge),
  newArrival: Flag,
  /** Sold only in a store, never shipped. */
  inStoreOnly: Flag,
  brand: NamedRef,
  mediaInfo: MediaInfo,
  /**
   * Units over all SKUs and locations. Lists have the number as of the product's last change, but whether it is 0 is always
   * current. The inventory call returns live counts.
   */
  inventory: ProductStock,
};

/** A product as cards show it. `swatches` are the values of its colour option, if it has one. */
export const ProductSummary = Type.Object({
  ...summaryFields,
  /** The one fact that decides between similar products, such as "420 ml". */
  fact: Type.Optional(Type.String()),
  /** Set if the product can be added to the cart without choosing anything. */
  sku: Type.Optional(Sku),
  swatches: Type.Array(
    Type.Object({ value: Type.String(), valueContent: LocalText, color: Type.String(), image: Nullable(ImageInfo) }),
  ),
});
export type ProductSummary = Static<typeof ProductSummary>;

/** `priceInfo` is the surcharge of the value (cents, 0 or more); `overridePrice` replaces the product's price if it is set. */
export const OptionValue = Type.Object({
  value: Type.String(),
  valueContent: LocalText,
  priceInfo: Type.Object({ price: Cents }),
  overridePrice: Nullable(Cents),
  /** The part of the SKU that this value contributes. */
  inventoryAttribute: Type.String(),
  color: Nullable(Type.String()),
  image: Nullable(ImageInfo),
});
export type OptionValue = Static<typeof OptionValue>;

export const ProductOption = Type.Object({ name: Type.String(), nameContent: LocalText, values: Type.Array(OptionValue) });
export type ProductOption = Static<typeof ProductOption>;

/** One sellable combination of option values. `optionPairs` is text of `#name:value` pairs, '' without options. */
export const SkuInfo = Type.Object({
  sku: Sku,
  optionPairs: Type.String(),
  priceInfo: PriceInfo,
  /** Whether any location has stock; current with the catalogue version. */
  inStock: Flag,
  /** The GTIN of its bar code, if it has one. */
  gtin: Type.Optional(Type.String()),
});
export type SkuInfo = Static<typeof SkuInfo>;

/** A sentence with the page or address that says more. */
export const LinkedLine = Type.Object({ textContent: LocalText, link: Type.String() });

export const Product = Type.Object({
  ...summaryFields,
  description: Type.Array(Type.String()),
  category: CategoryRef,
  tags: Type.Array(NamedRef),
  specification: Type.Object({
    options: Type.Array(ProductOption),
    /** Materials, care, size and weight, as displayed. */
    attributes: Type.Array(Type.Object({ name: Type.String(), value: Type.String() })),
  }),
  skus: Type.Array(SkuInfo),
  weightGrams: Nullable(Type.Integer()),
  /** For a scale drawing; null without a width and a height. */
  size: Nullable(ProductSize),
  /** An image of the product in use, which is shown large; null without one. */
  scene: Nullable(ImageInfo),
  /** How to brew it; null if it is no tea. */
  brew: Nullable(BrewGuide),
  /** What the shop says about returns beside each product; null for nothing. */
  returns: Nullable(LinkedLine),
});
export type Product = Static<typeof Product>;

/** A piece of a set, with the combination of its options that is added. `optionText` is '' without options. */
export const SetPiece = Type.Object({
  id: Id,
  nameContent: LocalText,
  image: Nullable(ImageInfo),
  sku: Sku,
  optionPairs: Type.String(),
  optionText: Type.String(),
  priceInfo: PriceInfo,
});
export type SetPiece = Static<typeof SetPiece>;

export const ProductSet = Type.Object({ pieces: Type.Array(SetPiece) });
export type ProductSet = Static<typeof ProductSet>;

export const inventoryStatuses = ['InStock', 'OutOfStock', 'NotAvailable'] as const;

/** Live stock of one SKU. `NotAvailable`: no SKU has these options. */
export const Inventory = Type.Object({
  sku: Nullable(Sku),
  status: Type.Enum(inventoryStatuses),
  priceInfo: Nullable(PriceInfo),
  /** Units that can ship from the warehouse. */
  shippable: Count,
  /** Units that one order can have: the most that any one location has, at most 98. */
  obtainable: Count,
  inventoryStoreInfos: Type.Array(Type.Object({ localStoreName: Id, nameContent: LocalText, number: Count, allowPickup: Flag })),
});
export type Inventory = Static<typeof Inventory>;

export const SortBy = Type.Enum(sortValues);
const sort = Type.Optional(SortBy);

const FilterRange = Type.String({ pattern: filterRangePattern.source });

/** The filters of a product list. Names are slugs. */
export const listFilterFields = {
  categoryName: Type.Optional(Id),
  brandName: Type.Optional(Id),
  tagName: Type.Optional(Id),
  onSale: Type.Optional(Type.Boolean()),
  clearance: Type.Optional(Type.Boolean()),
  newArrival: Type.Optional(Type.Boolean()),
  /** One of the shop's price ranges, as the facets name it: `3000-5999` in cents, both included. */
  priceRange: Type.Optional(FilterRange),
  /** One of the ranges of the facets: `151-350` in millilitres, both included. */
  capacityRange: Type.Optional(FilterRange),
  /** The colour of an option. */
  colour: Type.Optional(Id),
  /** A store in which the product is in stock. */
  localStoreName: Type.Optional(Id),
  /** A search text, so that search results can be filtered like any list. */
  nameLike: Type.Optional(Type.String({ maxLength: 200 })),
};

/** `startingPosition` counts products from 0; `numberToLoad` defaults to 12, 48 at most. */
export const listPageFields = {
  sortby: sort,
  infiniteLoad: Type.Optional(Type.Boolean()),
  startingPosition: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
  numberToLoad: Type.Optional(Type.Integer({ minimum: 1, maximum: 48 })),
  ...LangQuery,
};

export const ProductList = Type.Object({ products: Type.Array(ProductSummary) });
export type ProductList = Static<typeof ProductList>;

/** `correctedTo` is the text that was searched instead because a word had no hits ("showing results for …"). */
export const SearchList = Type.Object({ products: Type.Array(ProductSummary), correctedTo: Nullable(Type.String()) });
export type SearchList = Static<typeof SearchList>;

export const RangeFacet = Type.Object({
  /** As the parameter of the filter takes it. */
  range: Type.String(),
  /** The least value; null: open. */
  from: Nullable(Count),
  /** The greatest value; null: open. */
  to: Nullable(Count),
  count: Count,
});
const NamedFacet = Type.Object({ name: Id, nameContent: LocalText, count: Count });

/** What a list can be filtered by, with the number of products that it would then have. Each ignores its own filter. */
export const ProductFacets = Type.Object({
  count: Count,
  /** Of the prices, ISO 4217. */
  currency: Type.String(),
  brands: Type.Array(NamedFacet),
  categories: Type.Array(Type.Object({ name: Id, nameContent: LocalText, parent: Nullable(Id), count: Count })),
  /** Cents. */
  prices: Type.Array(RangeFacet),
  /** Millilitres. */
  capacities: Type.Array(RangeFacet),
  colours: Type.Array(Type.Object({ name: Type.Enum([...filterColourNames]), color: Type.String(), count: Count })),
  /** Displayed stores in which products are in stock. */
  stores: Type.Array(NamedFacet),
  /** Those that the shop offers as filters. */
  tags: Type.Array(NamedFacet),
});
export type ProductFacets = Static<typeof ProductFacets>;

export const Suggestions = Type.Object({
  products: Type.Array(Type.Object({ id: Id, productName: Type.String(), image: Nullable(ImageInfo), priceInfo: PriceInfo })),
  categories: Type.Array(NamedRef),
  brands: Type.Array(NamedRef),
  correctedTo: Nullable(Type.String()),
});
export type Suggestions = Static<typeof Suggestions>;
