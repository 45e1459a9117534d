/**
 * Every endpoint of SPEC §7 with its schemas, keyed by its name in `paths.ts`. The server registers
 * handlers against this table, OpenAPI is printed from it, and the browser's client takes its types
 * from it (types only: no schema library reaches the browser).
 */
import Type, { type Static, type TSchema } from 'typebox';
import { accountEndpoints } from './account-endpoints.ts';
import { blogEndpoints } from './blog-endpoints.ts';
import { contentEndpoints } from './content-endpoints.ts';
import { couponEndpoints } from './coupon-endpoints.ts';
import { checkoutMethods } from './limits.ts';
import type { EndpointName } from './paths.ts';
import { paymentEndpoints } from './payment-endpoints.ts';
import { PageContent } from './schemas/blocks.ts';
import {
  Brand,
  Category,
  CategoryNode,
  Inventory,
  listFilterFields,
  listPageFields,
  Product,
  ProductFacets,
  ProductList,
  SearchList,
  Suggestions,
  Tag,
} from './schemas/catalogue.ts';
import { Count, EpochMs, Id, LangQuery, Sku, Strict } from './schemas/common.ts';
import {
  AddressInput,
  CartItemInput,
  CheckoutConfig,
  ContactInput,
  Order,
  PaymentConfig,
  PickupSlots,
  ShippingMethod,
} from './schemas/order.ts';
import { AppContent, Country, PickupLocation, Province, SessionInfo, sessionInfoFields } from './schemas/shop.ts';

/**
 * `audience` decides caching: a `public` answer is the same for everybody and is cached by URL and
 * catalogue version; a `session` answer is never cached. `changes` calls need the client header.
 */
export interface Endpoint {
  summary: string;
  audience: 'public' | 'session';
  changes?: boolean;
  params?: TSchema;
  query: TSchema;
  body?: TSchema;
  response: TSchema;
}

const lang = Strict(LangQuery);
const nameLike = Type.String({ minLength: 1, maxLength: 200 });

export const endpoints = {
  pageContent: {
    summary: 'A content page with its blocks, each with what it shows already loaded.',
    audience: 'public',
    query: Strict({ pageName: Id, ...LangQuery }),
    response: PageContent,
  },
  appInfoInit: {
    summary: 'What the shell shows, and who the session belongs to.',
    audience: 'session',
    query: lang,
    response: Type.Object({ appContent: AppContent, ...sessionInfoFields }),
  },
  userInfo: { summary: 'Who the session belongs to.', audience: 'session', query: lang, response: SessionInfo },
  userInfo2: {
    summary: 'Who the session belongs to, asked for after a cached page.',
    audience: 'session',
    query: lang,
    response: SessionInfo,
  },
  supportedCountries: { summary: 'Countries the shop ships to.', audience: 'public', query: lang, response: Type.Array(Country) },
  provinces: {
    summary: 'Provinces or states of a country, by its ISO code.',
    audience: 'public',
    params: Strict({ id: Id }),
    query: lang,
    response: Type.Array(Province),
  },
  pickupLocations: { summary: 'The stores, with hours.', audience: 'public', query: lang, response: Type.Array(PickupLocation) },

  categories: {
    summary: "Children of a category with theirs; 'primary' for the top level.",
    audience: 'public',
    params: Strict({ id: Id }),
    query: lang,
    response: Type.Array(CategoryNode),
  },
  category: { summary: 'One category.', audience: 'public', params: Strict({ name: Id }), query: lang, response: Category },
  tag: { summary: 'One tag.', audience: 'public', params: Strict({ name: Id }), query: lang, response: Tag },
  brand: { summary: 'One brand.', audience: 'public', params: Strict({ name: Id }), query: lang, response: Brand },
  brands: { summary: 'All brands.', audience: 'public', query: lang, response: Type.Array(Brand) },
  inventory: {
    summary: 'Live stock of one combination of options, per store.',
    audience: 'session',
    params: Strict({ productID: Id }),
    query: Strict({ optionPair: Type.Optional(Type.String({ maxLength: 500 })), ...LangQuery }),
    response: Inventory,
  },
  productsByConditions: {
    summary: 'A product list by conditions given in the body.',
    audience: 'session',
    query: lang,
    body: Strict({
      ...listFilterFields,
      sortby: listPageFields.sortby,
      startingPosition: listPageFields.startingPosition,
      numberToLoad: listPageFields.numberToLoad,
    }),
    response: SearchList,
  },
  productsByNameAndCondition: {
    summary: "Search within one condition: 'all', 'onSale', 'clearance', 'newArrival', or a category's name.",
    audience: 'public',
    params: Strict({ nameLike, condition: Id }),
    query: Strict(listPageFields),
    response: SearchList,
  },
  relatedProducts: {
    summary: 'Products that go with one.',
    audience: 'public',
    params: Strict({ productid: Id }),
    query: lang,
    response: ProductList,
  },
  taggedProducts: {
    summary: 'Products of a tag.',
    audience: 'public',
    params: Strict({ tagid: Id }),
    query: Strict(listPageFields),
    response: ProductList,
  },
  productsOnSale: {
    summary: 'Products with a reduced price.',
    audience: 'public',
    query: Strict(listPageFields),
    response: ProductList,
  },
  product: { summary: 'One product, whole.', audience: 'public', params: Strict({ id: Id }), query: lang, response: Product },
  products: {
    summary: 'A page of a product list.',
    audience: 'public',
    query: Strict({ ...listFilterFields, ...listPageFields }),
    response: SearchList,
  },
  productCount: {
    summary: 'How many products a list has.',
    audience: 'public',
    query: Strict({ ...listFilterFields, ...LangQuery }),
    response: Type.Object({ count: Count }),
  },
  productFacets: {
    summary: 'How many products of a list each brand and category has.',
    audience: 'public',
    query: Strict({ ...listFilterFields, ...LangQuery }),
    response: ProductFacets,
  },
  productsByTag: {
    summary: 'Products of a tag, by its name.',
    audience: 'public',
    params: Strict({ tagName: Id }),
    query: Strict(listPageFields),
    response: ProductList,
  },
  productSearch: {
    summary: 'Search results.',
    audience: 'public',
    params: Strict({ nameLike }),
    query: Strict(listPageFields),
    response: SearchList,
  },
  productSearchCount: {
    summary: 'How many products a search finds. `searchTime` is milliseconds.',
    audience: 'public',
    params: Strict({ nameLike }),
    query: lang,
    response: Type.Object({ count: Count, searchTime: Type.Number() }),
  },
  productSuggestions: {
    summary: 'What to offer while somebody types.',
    audience: 'public',
    params: Strict({ nameLike }),
    query: lang,
    response: Suggestions,
  },

  myCart: { summary: 'The cart.', audience: 'session', query: lang, response: Order },
  addToCart: {
    summary: 'Puts a SKU in the cart; a SKU already there grows by the quantity.',
    audience: 'session',
    changes: true,
    params: Strict({ itemName: Sku }),
    query: lang,
    body: CartItemInput,
    response: Order,
  },
  updateCartItem: {
    summary: 'Sets the quantity of a line. A line that is not there stays away: 404.',
    audience: 'session',
    changes: true,
    params: Strict({ itemName: Sku }),
    query: lang,
    body: CartItemInput,
    response: Order,
  },
  deleteCartItem: {
    summary: 'Takes a line out. Taking out what is not there is no error.',
    audience: 'session',
    changes: true,
    query: lang,
    body: Strict({ itemName: Sku }),
    response: Order,
  },
  updateCustomerComment: {
    summary: "The shopper's note to the shop.",
    audience: 'session',
    changes: true,
    query: lang,
    body: Strict({ value: Type.String({ maxLength: 1000 }) }),
    response: Order,
  },
  ...couponEndpoints,
  checkoutConfig: { summary: 'Which ways of checking out are on.', audience: 'session', query: lang, response: CheckoutConfig },
  paymentConfig: { summary: 'Which ways of paying are on.', audience: 'session', query: lang, response: PaymentConfig },
  shippingMethods: {
    summary: 'Shipping methods for this cart to a destination, cheapest first.',
    audience: 'session',
    query: Strict({
      country: Type.String({ maxLength: 2 }),
      province: Type.Optional(Type.String({ maxLength: 100 })),
      ...LangQuery,
    }),
    response: Type.Array(ShippingMethod),
  },
  pickupSlots: {
    summary: "A store's pickup times on one day of its own calendar.",
    audience: 'session',
    query: Strict({ localStoreName: Id, date: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' }), ...LangQuery }),
    response: PickupSlots,
  },
  orderDeliverInfo: {
    summary: 'Check out by shipping: where to, to whom, and by which method.',
    audience: 'session',
    changes: true,
    query: Strict({ localStoreName: Type.Optional(Id), saveToMyProfile: Type.Optional(Type.Boolean()), ...LangQuery }),
    body: Strict({
      address: AddressInput,
      contact: ContactInput,
      shippingContact: Type.Optional(ContactInput),
      shippingMethod: Type.Optional(Id),
    }),
    response: Order,
  },
  orderContactInfo: {
    summary: "Check out by pickup or at a table. `methodName` is 'pickup' or 'instore'.",
    audience: 'session',
    changes: true,
    query: Strict({
      localStoreName: Type.Optional(Id),
      methodName: Type.Optional(Type.Enum(checkoutMethods)),
      tableNumber: Type.Optional(Type.String({ maxLength: 10 })),
      ...LangQuery,
    }),
    body: Strict({ contact: ContactInput }),
    response: Order,
  },
  orderPickupDate: {
    summary: 'When the order will be fetched: the start of a free slot of its store.',
    audience: 'session',
    changes: true,
    query: lang,
    body: Strict({ pickupDate: EpochMs }),
    response: Order,
  },
  reserve: {
    summary: 'Places the order to be paid at the store.',
    audience: 'session',
    changes: true,
    query: lang,
    body: Type.Optional(Strict({ billVersion: Type.Optional(Type.String({ maxLength: 100 })) })),
    response: Type.Object({ orderID: Id }),
  },
  ...paymentEndpoints,

  ...accountEndpoints,
  ...contentEndpoints,
  ...blogEndpoints,

  order: {
    summary: 'One order, for whoever placed it.',
    audience: 'session',
    params: Strict({ id: Id }),
    query: lang,
    response: Order,
  },
} as const satisfies Record<EndpointName, Endpoint>;

export type Endpoints = typeof endpoints;

type Part<E, K extends string> = E extends Record<K, infer S extends TSchema> ? Static<S> : undefined;

/** What a call takes and gives, as plain types. */
export type Params<N extends EndpointName> = Part<Endpoints[N], 'params'>;
export type Query<N extends EndpointName> = Static<Endpoints[N]['query']>;
export type Body<N extends EndpointName> = Part<Endpoints[N], 'body'>;
export type Response<N extends EndpointName> = Static<Endpoints[N]['response']>;
