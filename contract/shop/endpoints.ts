/** SPEC §7. OpenAPI is generated from it; the browser's client takes only types from it, so that no schema library is loaded. */
import Type from 'typebox';
import type { Carried, Endpoint } from '../endpoint.ts';
import { PageContent } from '../schemas/blocks.ts';
import {
  CheckoutConfig,
  DeliveryPromise,
  LocalDelivery,
  PartySize,
  PickupSlots,
  ShippingMethod,
} from '../schemas/checkout.ts';
import { CalendarDay, Id, LangQuery, Nullable, Sku, Strict } from '../schemas/common.ts';
import { CartLineInput, LastChoice } from '../schemas/modifiers.ts';
import {
  AddressInput,
  Bill,
  CartItemInput,
  CartSetInput,
  ContactInput,
  DeliveryMethod,
  Order,
  PickupTime,
} from '../schemas/order.ts';
import { BillVersion } from '../schemas/payment.ts';
import { PaymentConfig } from '../schemas/payment-config.ts';
import {
  AddressForm,
  AppContent,
  Country,
  OfferTerms,
  PickupLocation,
  Province,
  SessionInfo,
  sessionInfoFields,
} from '../schemas/shop.ts';
import { accountEndpoints } from './account.ts';
import { catalogueEndpoints } from './catalogue.ts';
import { contentEndpoints } from './content.ts';
import { paymentEndpoints } from './payment.ts';

const lang = Strict(LangQuery);

export const endpoints = {
  pageContent: {
    route: 'GET common3/pageContent',
    summary: 'A content page with its blocks, each with what it shows already loaded.',
    audience: 'public',
    query: Strict({ pageName: Id, ...LangQuery }),
    response: PageContent,
  },
  appInfoInit: {
    route: 'GET common3/appInfoInit',
    summary: 'What the shell shows, and who the session belongs to.',
    audience: 'session',
    query: lang,
    response: Type.Object({ appContent: AppContent, ...sessionInfoFields }),
  },
  userInfo: {
    route: 'GET common3/userInfo',
    summary: 'Who the session belongs to.',
    audience: 'session',
    query: lang,
    response: SessionInfo,
  },
  userInfo2: {
    route: 'GET common3/userInfo2',
    summary: 'Who the session belongs to, asked for after a cached page.',
    audience: 'session',
    query: lang,
    response: SessionInfo,
  },
  supportedCountries: {
    route: 'GET common3/supportedCountries',
    summary: 'Countries the shop ships to.',
    audience: 'public',
    query: lang,
    response: Type.Array(Country),
  },
  provinces: {
    route: 'GET common3/provinces/:id',
    summary: 'Provinces or states of a country, by its ISO code.',
    audience: 'public',
    params: Strict({ id: Id }),
    query: lang,
    response: Type.Array(Province),
  },
  addressForm: {
    route: 'GET common3/addressForm/:id',
    summary:
      'What an address in a country consists of, by its ISO code: fields, labels, postal codes, provinces.',
    audience: 'public',
    params: Strict({ id: Id }),
    query: lang,
    response: AddressForm,
  },
  pickupLocations: {
    route: 'GET common3/pickupLocations',
    summary: 'The stores, with hours.',
    audience: 'public',
    query: lang,
    response: Type.Array(PickupLocation),
  },

  offerTerms: {
    route: 'GET common3/offerTerms',
    summary: 'What applies to every offer: shipping methods with their rates, and the rule for returns.',
    audience: 'public',
    query: lang,
    response: OfferTerms,
  },

  ...catalogueEndpoints,

  myCart: {
    route: 'GET shoppingManagement4/myCart',
    summary: 'The cart.',
    audience: 'session',
    query: lang,
    response: Order,
  },
  addToCart: {
    route: 'POST shoppingManagement4/myCart/:itemName',
    summary: 'Puts a SKU in the cart. A line with the same SKU, modifiers and note grows by the quantity.',
    audience: 'session',
    changes: true,
    repeat: 'key',
    params: Strict({ itemName: Sku }),
    query: lang,
    body: CartItemInput,
    response: Order,
  },
  addSetToCart: {
    route: 'POST shoppingManagement4/addSetToCart',
    repeat: 'same',
    summary:
      'Puts one unit of each SKU that is not in the cart yet in it: all, or none. Repeating it changes nothing.',
    audience: 'session',
    changes: true,
    query: lang,
    body: CartSetInput,
    response: Order,
  },
  updateCartItem: {
    route: 'PUT shoppingManagement4/myCart/:itemName',
    repeat: 'same',
    summary:
      'Sets the quantity of the line with a SKU. A line that is not there stays away: 404. 409 if several lines have it.',
    audience: 'session',
    changes: true,
    params: Strict({ itemName: Sku }),
    query: lang,
    body: CartItemInput,
    response: Order,
  },
  deleteCartItem: {
    route: 'POST shoppingManagement4/myCart/delete',
    repeat: 'same',
    summary:
      'Takes out the line with a SKU. Taking out what is not there is no error. 409 if several lines have it.',
    audience: 'session',
    changes: true,
    query: lang,
    body: Strict({ itemName: Sku }),
    response: Order,
  },
  updateCartLine: {
    route: 'PUT shoppingManagement4/myCartLine/:line',
    repeat: 'same',
    summary:
      'Changes the quantity, options, modifiers or note of a line. If another line is the same then, the two become one.',
    audience: 'session',
    changes: true,
    params: Strict({ line: Id }),
    query: lang,
    body: CartLineInput,
    response: Order,
  },
  deleteCartLine: {
    route: 'POST shoppingManagement4/myCartLine/delete',
    repeat: 'same',
    summary: 'Takes a line out by its id. Taking out what is not there is no error.',
    audience: 'session',
    changes: true,
    query: lang,
    body: Strict({ line: Id }),
    response: Order,
  },
  lastChoice: {
    route: 'GET shoppingManagement4/lastChoice',
    summary:
      'What the signed-in customer chose when they last ordered a product; null if they never did, and for guests.',
    audience: 'session',
    query: Strict({ product: Id, ...LangQuery }),
    response: Nullable(LastChoice),
  },
  updateCustomerComment: {
    route: 'POST shoppingManagement4/updateCustomerComment',
    repeat: 'same',
    summary: "The shopper's note to the shop.",
    audience: 'session',
    changes: true,
    query: lang,
    body: Strict({ value: Type.String({ maxLength: 1000 }) }),
    response: Order,
  },
  checkoutConfig: {
    route: 'GET shoppingManagement4/checkoutConfig',
    summary: 'Which ways of checking out are on.',
    audience: 'session',
    query: lang,
    response: CheckoutConfig,
  },
  paymentConfig: {
    route: 'GET shoppingManagement4/paymentConfig',
    summary: 'Which ways of paying are on.',
    audience: 'session',
    query: lang,
    response: PaymentConfig,
  },
  shippingMethods: {
    route: 'GET shoppingManagement4/shippingMethods',
    summary: 'Shipping methods for this cart to a destination, cheapest first.',
    audience: 'session',
    query: Strict({
      country: Type.String({ maxLength: 2 }),
      province: Type.Optional(Type.String({ maxLength: 100 })),
      ...LangQuery,
    }),
    response: Type.Array(ShippingMethod),
  },
  localDelivery: {
    route: 'POST shoppingManagement4/localDelivery',
    repeat: 'own',
    summary:
      'Whether a store delivers this cart to an address itself, and what that costs. Nothing is stored with the cart.',
    audience: 'session',
    changes: true,
    query: lang,
    body: Strict({ address: AddressInput }),
    response: LocalDelivery,
  },
  deliveryPromise: {
    route: 'GET shoppingManagement4/deliveryPromise',
    summary:
      'When a parcel ordered now would arrive at the default destination, and what it costs; null if nothing ships there.',
    audience: 'session',
    query: lang,
    response: Nullable(DeliveryPromise),
  },
  billEstimate: {
    route: 'GET shoppingManagement4/billEstimate',
    summary: 'The bill of this cart if it were ordered this way. Nothing is stored.',
    audience: 'session',
    query: Strict({
      methodName: DeliveryMethod,
      localStoreName: Type.Optional(Id),
      country: Type.Optional(Type.String({ maxLength: 2 })),
      province: Type.Optional(Type.String({ maxLength: 100 })),
      shippingMethod: Type.Optional(Id),
      partySize: Type.Optional(PartySize),
      ...LangQuery,
    }),
    response: Bill,
  },
  pickupSlots: {
    route: 'GET shoppingManagement4/pickupSlots',
    summary: "A store's pickup times on one day of its own calendar.",
    audience: 'session',
    query: Strict({ localStoreName: Id, date: CalendarDay, ...LangQuery }),
    response: PickupSlots,
  },
  orderDeliverInfo: {
    route: 'POST shoppingManagement4/orderDeliverInfo',
    repeat: 'same',
    summary: 'Check out by shipping: where to, to whom, and by which method.',
    audience: 'session',
    changes: true,
    query: Strict({
      localStoreName: Type.Optional(Id),
      saveToMyProfile: Type.Optional(Type.Boolean()),
      ...LangQuery,
    }),
    body: Strict({
      address: AddressInput,
      contact: ContactInput,
      shippingContact: Type.Optional(ContactInput),
      shippingMethod: Type.Optional(Id),
    }),
    response: Order,
  },
  orderContactInfo: {
    route: 'POST shoppingManagement4/orderContactInfo',
    repeat: 'same',
    summary: "Check out by pickup or at a table. `methodName` is 'pickup' or 'instore'.",
    audience: 'session',
    changes: true,
    query: Strict({
      localStoreName: Type.Optional(Id),
      methodName: Type.Optional(DeliveryMethod),
      tableNumber: Type.Optional(Type.String({ maxLength: 10 })),
      tableCard: Type.Optional(Type.String({ maxLength: 40 })),
      partySize: Type.Optional(PartySize),
      ...LangQuery,
    }),
    body: Strict({ contact: ContactInput }),
    response: Order,
  },
  orderPickupDate: {
    route: 'POST shoppingManagement4/orderPickupDate',
    repeat: 'same',
    summary: 'When the order will be collected: the start of a free slot of its store.',
    audience: 'session',
    changes: true,
    query: lang,
    body: PickupTime,
    response: Order,
  },
  reserve: {
    route: 'POST shoppingManagement4/reserve',
    repeat: 'seen',
    summary: 'Places the order to be paid at the store.',
    audience: 'session',
    changes: true,
    query: lang,
    body: Type.Optional(Strict({ billVersion: Type.Optional(BillVersion) })),
    response: Type.Object({ orderID: Id }),
  },

  ...paymentEndpoints,

  ...accountEndpoints,
  ...contentEndpoints,

  order: {
    route: 'GET admin/orderManagement/order/:id',
    summary: 'One order, for whoever placed it.',
    audience: 'session',
    params: Strict({ id: Id }),
    query: lang,
    response: Order,
  },
} as const satisfies Record<string, Endpoint>;

export type Endpoints = typeof endpoints;

interface Calls extends Carried<Endpoints> {}

/** The input and output of a call, as plain types. */
export type Params<N extends keyof Endpoints> = Calls[N]['params'];
export type Query<N extends keyof Endpoints> = Calls[N]['query'];
export type Body<N extends keyof Endpoints> = Calls[N]['body'];
export type Response<N extends keyof Endpoints> = Calls[N]['response'];
