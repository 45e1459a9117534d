/** What vishkaty/ucp-conformance needs to know of the demo shop, and why some of its checks do not apply to it. */
import { agentProfile, buyer, lines, pays, shipped, olderVersion as version } from '../agents.ts';

const profile = (ucp: object, keys: readonly object[] = []) =>
  agentProfile({ ucp: { services: {}, payment_handlers: {}, ...ucp }, signing_keys: keys }, version);

export const signedProfile = {
  of: (keys: readonly object[]) => profile({}, keys),
  pages: {
    '/old': profile({ version: '2020-01-01' }),
    '/nothing-shared': profile({ capabilities: { 'com.example.other': [{ version }] } }),
    '/malformed': '{"ucp": "none"}',
  } as Readonly<Record<string, string>>,
};

const sku = 'MC-HT-02';
// The suite creates checkouts without a buyer; the demo ships to people.
const payment = (token: string) => ({ ...pays(token), ...shipped });

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
  (_choice: Choice) => ({ ...lines([sku, 1]), ...shipped }),
  ({ store, slot }: Choice) => ({
    ...lines([sku, 1]),
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
export const shopifyPayment = pays();

export function conformanceConfig(
  profiles: string,
  jwk: object,
  { query, total }: { query: string; total: number },
) {
  return {
    product_id: sku,
    currency: 'CAD',
    complete_payment: payment('house_approve'),
    fail_payment: payment('house_decline'),
    payment: { escalation_payment: payment('house_challenge') },
    out_of_stock_id: 'MC-PL-03',
    unavailable: { business_outcome: true },
    discount: {
      valid_code: 'WELCOME10',
      invalid_code: 'NOT-A-CODE',
      rejected_messages: true,
      case_insensitive: true,
    },
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
    signature: {
      responses: true,
      request_private_jwk: jwk,
      platform_profile_url: 'https://signed.example/agent',
    },
    webhooks: { simulate: true, signed: true, retries: true, wait_seconds: 25 },
  };
}

const reasons: readonly (readonly [RegExp, string])[] = [
  [/oauth|identity/, 'the shop offers no identity linking'],
  [/ap2|merchant_auth/, 'the shop offers no AP2 mandates'],
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
  [
    /leaf/,
    'the suite is shown the profile of its own version, which is the leaf; our own tests cover what names it',
  ],
  [/auth/, 'orders are read by signature; the suite tests tokens'],
  [/profile_schema/, 'the suite needs the Python package jsonschema; the schemas below judge the profile'],
  [/https_tls/, 'the certificate of the run is known to nobody'],
];

export function notTestedReason(id: string, status: string): string {
  if (status.includes('out of scope')) return 'the check is of another version of the protocol';
  return reasons.find(([pattern]) => pattern.test(id))?.[1] ?? status;
}

/** Why a check of MCP's suite does not apply to the shop; null if it does. */
export function mcpReason(file: string, id: string, message: string): string | null {
  if (/resources|prompts|completion|logging/.test(`${file} ${id}`))
    return 'the shop has no prompts, resources, completion or logging';
  if (id.endsWith('whitespace-header-value'))
    return 'the check calls the first tool without the arguments that it needs';
  if (/tasks-/.test(file)) return 'the shop has no tasks (an extension)';
  if (
    /tools-call-|input-required|json-schema-2020|no-xmcp/.test(`${file} ${id}`) ||
    message.startsWith('Not testable')
  )
    return "the check calls a tool of the suite's own example server";
  return null;
}
