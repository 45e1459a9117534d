/**
 * What agents send: only what the shop reads, since the protocol lets requests carry more. The same schemas describe the tools of
 * MCP.
 */
import Type, { type Static } from 'typebox';
import { ModifierSelections } from '#contract/schemas/modifiers.ts';

const Text = Type.String({ maxLength: 300 });
const Name = Type.String({ minLength: 1, maxLength: 200 });
const optional = Type.Optional;

const Context = optional(
  Type.Object({
    address_country: optional(Type.String({ maxLength: 100 })),
    address_region: optional(Type.String({ maxLength: 100 })),
    postal_code: optional(Type.String({ maxLength: 40 })),
    language: optional(Type.String({ maxLength: 40 })),
  }),
);

const Filters = optional(
  Type.Object({
    categories: optional(Type.Array(Name, { maxItems: 20 })),
    price: optional(Type.Object({ min: optional(Type.Integer({ minimum: 0 })), max: optional(Type.Integer({ minimum: 0 })) })),
  }),
);
export type Filters = Static<typeof Filters>;

/** More than the protocol asks for at least. */
export const mostIds = 50;

export const SearchInput = Type.Object({
  query: optional(Type.String({ maxLength: 300 })),
  filters: Filters,
  context: Context,
  pagination: optional(
    Type.Object({ cursor: optional(Type.String({ maxLength: 40 })), limit: optional(Type.Integer({ minimum: 1 })) }),
  ),
  // Where some clients put that of the page.
  cursor: optional(Type.String({ maxLength: 40 })),
});
export const LookupInput = Type.Object({ ids: Type.Array(Name, { minItems: 1 }), filters: Filters, context: Context });

const Chosen = Type.Object({ name: Name, label: Name });
export const ProductQuery = Type.Object({
  id: Name,
  selected: optional(Type.Array(Chosen, { maxItems: 20 })),
  preferences: optional(Type.Array(Name, { maxItems: 20 })),
  filters: Filters,
  context: Context,
});

const LineInput = Type.Object({
  id: optional(Name),
  item: Type.Object({ id: Name }),
  quantity: Type.Integer({ minimum: 1 }),
  modifiers: optional(ModifierSelections),
  note: optional(Type.String({ maxLength: 1000 })),
});
export type LineInput = Static<typeof LineInput>;

const Buyer = optional(
  Type.Object({
    first_name: optional(Text),
    last_name: optional(Text),
    email: optional(Text),
    phone_number: optional(Text),
  }),
);

const PostalAddress = {
  first_name: optional(Text),
  last_name: optional(Text),
  phone_number: optional(Text),
  street_address: optional(Text),
  extended_address: optional(Text),
  address_locality: optional(Text),
  address_region: optional(Text),
  postal_code: optional(Text),
  address_country: optional(Text),
};
export const Postal = Type.Object(PostalAddress);
export type Postal = Static<typeof Postal>;

const Method = Type.Object({
  id: optional(Text),
  type: optional(Type.Enum(['shipping', 'pickup'])),
  line_item_ids: optional(Type.Array(Text, { maxItems: 200 })),
  destinations: optional(Type.Array(Type.Object({ id: optional(Text), ...PostalAddress }), { maxItems: 20 })),
  selected_destination_id: optional(Type.Union([Text, Type.Null()])),
  groups: optional(
    Type.Array(Type.Object({ id: optional(Text), selected_option_id: optional(Type.Union([Text, Type.Null()])) }), {
      maxItems: 20,
    }),
  ),
});
export type MethodInput = Static<typeof Method>;

const Fulfillment = optional(Type.Object({ methods: optional(Type.Array(Method, { maxItems: 5 })) }));

const Discounts = optional(Type.Object({ codes: optional(Type.Array(Type.String({ maxLength: 100 }), { maxItems: 10 })) }));
const lines = Type.Array(LineInput, { maxItems: 100 });

export const CartInput = Type.Object({ line_items: lines, buyer: Buyer, discounts: Discounts, context: Context });

export const CheckoutInput = Type.Object({
  line_items: lines,
  cart_id: optional(Name),
  buyer: Buyer,
  context: Context,
  discounts: Discounts,
  fulfillment: Fulfillment,
});
export type CheckoutInput = Static<typeof CheckoutInput>;

const Instrument = Type.Object({
  id: optional(Text),
  handler_id: Text,
  type: optional(Text),
  selected: optional(Type.Boolean()),
  billing_address: optional(Postal),
  credential: optional(Type.Object({ type: Text, token: optional(Type.String({ maxLength: 4000 })) })),
});

export const CompleteInput = Type.Object({
  payment: optional(Type.Object({ instruments: optional(Type.Array(Instrument, { maxItems: 10 })) })),
  // What a checkout still lacks may come last.
  buyer: Buyer,
  fulfillment: Fulfillment,
});
export type CompleteInput = Static<typeof CompleteInput>;

const Geo = Type.Object({
  latitude: Type.Number({ minimum: -90, maximum: 90 }),
  longitude: Type.Number({ minimum: -180, maximum: 180 }),
});
const Locality = Type.Object({ address_country: optional(Text), address_region: optional(Text), postal_code: optional(Text) });

export const LocationFilters = optional(
  Type.Object({
    hours: optional(Type.Object({ open_at: Type.String({ pattern: '([Zz]|[+-][0-9]{2}:[0-9]{2})$', maxLength: 40 }) })),
    amenities: optional(Type.Array(Name, { maxItems: 20 })),
    inventory: optional(Type.Array(Type.Object({ id: Name, availability_status: optional(Text) }), { maxItems: 10 })),
  }),
);
const relations = {
  distance: optional(Type.Object({ center: Geo, max: Type.Number({ minimum: 0 }) })),
  // Kinds of targets that are not known have to be refused, so none is left out.
  serves: optional(
    Type.Object({ point: optional(Geo), address: optional(Locality) }, { additionalProperties: true, minProperties: 1 }),
  ),
  filters: LocationFilters,
};
export const LocationSearch = Type.Object({
  query: optional(Type.String({ maxLength: 300 })),
  pagination: optional(
    Type.Object({ cursor: optional(Type.String({ maxLength: 40 })), limit: optional(Type.Integer({ minimum: 1 })) }),
  ),
  ...relations,
});
export const LocationLookup = Type.Object({ ids: Type.Array(Name, { minItems: 1, maxItems: 1000 }), ...relations });
const FoodMethod = Type.Object({
  id: optional(Text),
  type: optional(Type.Enum(['delivery', 'pickup'])),
  destination: optional(Type.Object({ id: optional(Text), address: optional(Postal), geo: optional(Geo) })),
  requested_fulfillment_time: optional(Type.String({ pattern: '([Zz]|[+-][0-9]{2}:[0-9]{2})$', maxLength: 40 })),
  selected_option_id: optional(Text),
  notes: optional(Type.String({ maxLength: 1000 })),
});
export type FoodMethod = Static<typeof FoodMethod>;

const Modification = Type.Object({ id: Name, quantity: optional(Type.Integer({ minimum: 1, maximum: 20 })) });
const Dish = Type.Object({
  id: Name,
  modifications: optional(Type.Array(Modification, { maxItems: 60 })),
  note: optional(Type.String({ maxLength: 1000 })),
});

export const FoodInput = Type.Object({
  food_establishment: optional(Type.Object({ id: Name })),
  line_items: Type.Array(Type.Object({ id: optional(Name), dish: Dish, quantity: Type.Integer({ minimum: 1 }) }), {
    maxItems: 100,
  }),
  cart_id: optional(Name),
  buyer: Buyer,
  context: Context,
  tip: optional(
    Type.Object({
      selected_option_id: optional(Text),
      custom_amount: optional(Type.Integer({ minimum: 0, maximum: 100_000_000 })),
    }),
  ),
  fulfillment: optional(Type.Object({ methods: optional(Type.Array(FoodMethod, { maxItems: 1 })) })),
});
export type FoodInput = Static<typeof FoodInput>;

export const Nothing = Type.Object({});
