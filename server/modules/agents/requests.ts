/**
 * What agents send: only what the shop reads, since the protocol lets requests carry more. The same schemas describe the tools of
 * MCP.
 */
import Type, { type Static, type TProperties, type TSchema } from 'typebox';
import { described } from '#contract/schemas/common.ts';

const text = (maxLength: number) => Type.String({ maxLength });
const Text = text(300);
const Name = Type.String({ minLength: 1, maxLength: 200 });
const Quantity = Type.Integer({ minimum: 1 });
/** With a zone. */
const Time = Type.String({ pattern: '([Zz]|[+-][0-9]{2}:[0-9]{2})$', maxLength: 40 });
const optional = Type.Optional;
/** An object whose fields may all be missing. */
const some = <P extends TProperties>(fields: P) => Type.Partial(Type.Object(fields));
const upTo = <S extends TSchema>(maxItems: number, items: S) => Type.Array(items, { maxItems });

const PickupTime = described(
  'When the order is to be picked up: 2026-05-16T15:40:00-04:00, or 15:40 or 2026-05-16T15:40 in the time of the store.',
  text(40),
);
const Country = described('A code such as CA, or a name such as Canada.', text(100));
const Province = described('A code such as QC, or a name such as Quebec.', text(100));
const Context = optional(
  some({
    address_country: Country,
    address_region: Province,
    postal_code: text(40),
    language: described(
      'The language of answers, such as en or zh-CN. It counts before Accept-Language.',
      text(40),
    ),
    requested_fulfillment_time: PickupTime,
  }),
);
const Cents = described(
  'In the smallest unit of the currency: 1850 in CAD is 18.50 dollars.',
  Type.Integer({ minimum: 0 }),
);
const Filters = optional(
  some({
    categories: described('Names or ids of categories of the shop; the first counts.', upTo(20, Name)),
    price: some({ min: Cents, max: Cents }),
  }),
);
export type Filters = Static<typeof Filters>;

/** More than the protocol asks for at least. */
export const mostIds = 50;
/** Unless a request names another. */
export const pageSize = 10;
const found = {
  query: described('Words of names, materials, uses or SKUs; * finds everything.', Text),
  pagination: some({
    cursor: described('Of the answer before, for its next page.', text(40)),
    limit: Quantity,
  }),
};

// Some clients put the page's cursor beside it.
export const SearchInput = some({ ...found, filters: Filters, context: Context, cursor: text(40) });
export const LookupInput = Type.Object({
  ids: described('Ids of products or variants.', Type.Array(Name, { minItems: 1, maxItems: mostIds })),
  filters: Filters,
  context: Context,
});

export const ProductQuery = Type.Object({
  id: Name,
  selected: optional(upTo(20, Type.Object({ name: Name, label: Name }))),
  preferences: optional(upTo(20, Name)),
  filters: Filters,
  context: Context,
});

const modifier = {
  group: optional(
    described('Its group, by id or name. Needed only if several groups have the modifier.', Name),
  ),
  modifier: described('A choice such as Less ice, by id or name.', Name),
  quantity: optional(Type.Integer({ minimum: 1, maximum: 20 })),
};
const opened = <S extends TSchema>(inner: S) =>
  Type.Object({
    ...modifier,
    modifiers: optional(described('In the groups that it opens.', upTo(30, inner))),
  });
const Modifier = opened(opened(Type.Object(modifier)));

const LineInput = Type.Object({
  id: optional(described('Of a line of the answer before, if it stays.', Name)),
  item: Type.Object({
    id: described('The id of a variant, or the id or title of a product with only one.', Name),
  }),
  quantity: Quantity,
  modifiers: optional(
    described('What differs from the defaults; groups that are not named keep theirs.', upTo(30, Modifier)),
  ),
  note: optional(described('For this line, to who makes it. It never changes the price.', text(1000))),
});
export type LineInput = Static<typeof LineInput>;

const person = { first_name: Text, last_name: Text, phone_number: Text };
const Buyer = optional(some({ ...person, email: Text }));

const Region = { address_country: Country, address_region: Province, postal_code: Text };
const postal = { ...person, ...Region, street_address: Text, extended_address: Text, address_locality: Text };
const Postal = some(postal);
export type Postal = Static<typeof Postal>;

const Choice = Type.Union([Text, Type.Null()]);
const Method = some({
  id: Text,
  type: Type.Enum(['shipping', 'pickup']),
  line_item_ids: upTo(200, Text),
  destinations: upTo(20, some({ id: Text, ...postal })),
  selected_destination_id: described(
    'Where it goes: of a destination, or of the store for a pickup.',
    Choice,
  ),
  groups: upTo(
    20,
    some({
      id: Text,
      selected_option_id: described('The chosen option. Shipping takes the cheapest without one.', Choice),
    }),
  ),
  requested_fulfillment_time: PickupTime,
});
export type MethodInput = Static<typeof Method>;

const Fulfillment = optional(some({ methods: upTo(5, Method) }));
const Discounts = optional(some({ codes: upTo(10, text(100)) }));

const cart = { line_items: upTo(100, LineInput), buyer: Buyer, discounts: Discounts, context: Context };
export const CartInput = Type.Object(cart);
export const CheckoutInput = Type.Object({
  ...cart,
  cart_id: optional(Name),
  fulfillment: Fulfillment,
  note: optional(
    described('For the shop, with the order: a gift message, or what the sender asks for.', text(1000)),
  ),
});
export type CheckoutInput = Static<typeof CheckoutInput>;

const Instrument = Type.Object({
  id: optional(Text),
  handler_id: Text,
  type: optional(Text),
  selected: optional(Type.Boolean()),
  billing_address: optional(Postal),
  credential: optional(Type.Object({ type: Text, token: optional(text(4000)) })),
});

export const CompleteInput = Type.Object({
  payment: optional(some({ instruments: upTo(10, Instrument) })),
  // What a checkout still lacks may come last.
  buyer: Buyer,
  fulfillment: Fulfillment,
});
export type CompleteInput = Static<typeof CompleteInput>;

const Geo = Type.Object({
  latitude: Type.Number({ minimum: -90, maximum: 90 }),
  longitude: Type.Number({ minimum: -180, maximum: 180 }),
});
export const LocationFilters = optional(
  some({
    hours: Type.Object({ open_at: Time }),
    amenities: upTo(20, Name),
    inventory: upTo(10, Type.Object({ id: Name, availability_status: optional(Text) })),
  }),
);
const relations = {
  distance: optional(Type.Object({ center: Geo, max: Type.Number({ minimum: 0 }) })),
  // Kinds of targets that are not known have to be refused, so none is left out.
  serves: optional(
    Type.Object(
      { point: optional(Geo), address: optional(some(Region)) },
      { additionalProperties: true, minProperties: 1 },
    ),
  ),
  filters: LocationFilters,
};
export const LocationSearch = some({ ...found, ...relations });
export const LocationLookup = Type.Object({
  ids: Type.Array(Name, { minItems: 1, maxItems: 1000 }),
  ...relations,
});

const FoodMethod = some({
  id: Text,
  type: Type.Enum(['delivery', 'pickup']),
  destination: some({ id: Text, address: Postal, geo: Geo }),
  requested_fulfillment_time: Time,
  selected_option_id: Text,
  notes: text(1000),
});
export type FoodMethod = Static<typeof FoodMethod>;

const Modification = Type.Object({ id: Name, quantity: optional(Type.Integer({ minimum: 1, maximum: 20 })) });
const Dish = Type.Object({
  id: Name,
  modifications: optional(upTo(60, Modification)),
  note: optional(text(1000)),
});

export const FoodInput = Type.Object({
  food_establishment: optional(Type.Object({ id: Name })),
  line_items: upTo(100, Type.Object({ id: optional(Name), dish: Dish, quantity: Quantity })),
  cart_id: optional(Name),
  buyer: Buyer,
  context: Context,
  tip: optional(
    some({ selected_option_id: Text, custom_amount: Type.Integer({ minimum: 0, maximum: 100_000_000 }) }),
  ),
  fulfillment: optional(some({ methods: upTo(1, FoodMethod) })),
});
export type FoodInput = Static<typeof FoodInput>;

export const Nothing = Type.Object({});
