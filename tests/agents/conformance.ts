/** What vishkaty/ucp-conformance needs to know of the demo shop, and why some of its checks do not apply to it. */

const version = '2026-04-08';
const names = ['catalog.search', 'catalog.lookup', 'cart', 'checkout', 'order', 'fulfillment', 'discount'];
const all = Object.fromEntries(names.map((name) => [`dev.ucp.shopping.${name}`, [{ version }]]));
const profile = (ucp: object, keys: readonly object[] = []) =>
  JSON.stringify({ ucp: { version, services: {}, payment_handlers: {}, capabilities: all, ...ucp }, signing_keys: keys });

export const signedProfile = {
  of: (keys: readonly object[]) => profile({}, keys),
  pages: {
    '/old': profile({ version: '2020-01-01' }),
    '/nothing-shared': profile({ capabilities: { 'com.example.other': [{ version }] } }),
    '/malformed': '{"ucp": "none"}',
  } as Readonly<Record<string, string>>,
};

const sku = 'MC-HT-02';
const buyer = { first_name: 'Ada', last_name: 'Bell', email: 'ada@example.com', phone_number: '+1 416 555 0100' };
const destination = {
  id: 'd1',
  street_address: '12 Queen Street West',
  address_locality: 'Toronto',
  address_region: 'ON',
  postal_code: 'M5H 3X4',
  address_country: 'CA',
};
const details = {
  buyer,
  fulfillment: { methods: [{ id: 'm1', type: 'shipping', destinations: [destination], selected_destination_id: 'd1' }] },
};
const payment = (token: string) => ({
  payment: {
    instruments: [{ id: 'i1', handler_id: 'house', type: 'card', selected: true, credential: { type: 'token', token } }],
  },
  // The suite creates checkouts without a buyer; the demo ships to people.
  ...details,
});

export interface ShopifyResult {
  id: string;
  status: string;
  products?: object[];
  order?: { label: string };
  fulfillment?: {
    methods: { type: string; destinations: { id: string }[]; groups: { options: { id: string }[] }[] }[];
  };
}

interface Choice {
  store?: string | undefined;
  slot?: string | undefined;
}

/** What Shopify's client orders: by shipping, and by pickup at a store and time. */
export const shopifyOrders = [
  (_choice: Choice) => ({ line_items: [{ item: { id: sku }, quantity: 1 }], ...details }),
  ({ store, slot }: Choice) => ({
    line_items: [{ item: { id: sku }, quantity: 1 }],
    buyer,
    fulfillment: {
      methods: [
        {
          type: 'pickup',
          ...(store ? { selected_destination_id: store } : {}),
          ...(slot ? { groups: [{ selected_option_id: slot }] } : {}),
        },
      ],
    },
  }),
];
export const shopifyPayment = { payment: payment('house_approve').payment };

export function conformanceConfig(profiles: string, jwk: object, { query, total }: { query: string; total: number }) {
  return {
    product_id: sku,
    currency: 'CAD',
    complete_payment: payment('house_approve'),
    fail_payment: payment('house_decline'),
    payment: { escalation_payment: payment('house_challenge') },
    out_of_stock_id: 'MC-PL-03',
    unavailable: { business_outcome: true },
    discount: { valid_code: 'WELCOME10', invalid_code: 'NOT-A-CODE', rejected_messages: true, case_insensitive: true },
    catalog: {
      variant_id: 'MC-BT-02-50',
      configurable_product_id: 'lapsang',
      max_batch: 50,
      paginated_query: query,
      paginated_total: total,
    },
    cart: { second_product_id: 'MC-WP-01-50' },
    order: { second_product_id: 'MC-WP-01-50' },
    negotiation: {
      validates_profile_url: true,
      unsupported_version_profile_url: `${profiles}/old`,
      incompatible_caps_profile_url: `${profiles}/nothing-shared`,
      unreachable_profile_url: `${profiles}/away`,
      malformed_profile_url: `${profiles}/malformed`,
      harness: true,
    },
    signature: { responses: true, request_private_jwk: jwk, platform_profile_url: 'https://signed.example/agent' },
    webhooks: { simulate: true, signed: true, retries: true, wait_seconds: 25 },
  };
}

const reasons: readonly (readonly [RegExp, string])[] = [
  [/oauth|identity/, 'the shop offers no identity linking'],
  [/ap2/, 'the shop offers no AP2 mandates'],
  [/a2a/, 'the shop does not serve A2A'],
  [/discount\.(?:multiple|codes_replacement)/, 'an order of this shop takes one code'],
  [/discount/, 'codes of this shop count for the whole order, and none applies by itself'],
  [/eligibility/, 'the shop has no prices for eligible buyers'],
  [
    /simulate|webhook.update|order\.(?:line|adj)/,
    'the suite needs a door that changes orders, which the shop does not have; its own tests cover it',
  ],
  [
    /idempotency|rotation|algorithm/,
    'the suite needs a door into the clock or the store, which the shop does not have; its own tests cover it',
  ],
  [/sublines/, 'the totals of this shop have no lines within'],
  [/filtered/, 'the one handler serves every cart'],
  [/leaf/, 'the shop speaks one version'],
  [/auth/, 'orders are read by signature; the suite tests tokens'],
];

export function notTestedReason(id: string, status: string): string {
  return reasons.find(([pattern]) => pattern.test(id))?.[1] ?? status;
}
