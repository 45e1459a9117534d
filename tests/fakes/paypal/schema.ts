/**
 * Validates requests by PayPal's published OpenAPI description, restricted to the operations that the shop uses:
 * https://github.com/paypal/paypal-rest-api-specifications (checkout_orders_v2, payments_payment_v2, notifications_webhooks_v1,
 * customer_disputes_v1, reporting_transactions_v1). It is stricter than PayPal in one point: fields that the description does not know are rejected.
 */
import Type, { type TSchema } from 'typebox';
import Value from 'typebox/value';
import type { FakeRequest } from '../http.ts';

const strict = { additionalProperties: false };
const text = (minLength: number, maxLength: number, pattern?: string) =>
  Type.String({ minLength, maxLength, ...(pattern ? { pattern } : {}) });
const optional = Type.Optional;

const Money = Type.Object(
  { currency_code: text(3, 3), value: text(1, 32, '^((-?[0-9]+)|(-?([0-9]+)?[.][0-9]+))$') },
  strict,
);

const Address = Type.Object(
  {
    address_line_1: optional(text(0, 300)),
    address_line_2: optional(text(0, 300)),
    admin_area_2: optional(text(0, 120)),
    admin_area_1: optional(text(0, 300)),
    postal_code: optional(text(0, 60)),
    country_code: text(2, 2, '^([A-Z]{2}|C2)$'),
  },
  strict,
);

const Shipping = Type.Object(
  {
    name: optional(Type.Object({ full_name: optional(text(0, 300)) }, strict)),
    type: optional(Type.Enum(['SHIPPING', 'PICKUP_IN_PERSON', 'PICKUP_IN_STORE', 'PICKUP_FROM_PERSON'])),
    address: optional(Address),
  },
  strict,
);

const PurchaseUnit = Type.Object(
  {
    reference_id: optional(text(1, 256)),
    amount: Money,
    description: optional(text(1, 127)),
    custom_id: optional(text(1, 127)),
    invoice_id: optional(text(1, 127)),
    soft_descriptor: optional(text(1, 22)),
    shipping: optional(Shipping),
  },
  strict,
);

const ExperienceContext = Type.Object(
  {
    brand_name: optional(text(1, 127)),
    locale: optional(text(2, 10, '^[a-z]{2}(?:-[A-Z][a-z]{3})?(?:-(?:[A-Z]{2}|[0-9]{3}))?$')),
    shipping_preference: optional(Type.Enum(['GET_FROM_FILE', 'NO_SHIPPING', 'SET_PROVIDED_ADDRESS'])),
    return_url: optional(Type.String()),
    cancel_url: optional(Type.String()),
    landing_page: optional(Type.Enum(['LOGIN', 'GUEST_CHECKOUT', 'NO_PREFERENCE'])),
    user_action: optional(Type.Enum(['CONTINUE', 'PAY_NOW'])),
    payment_method_preference: optional(Type.Enum(['UNRESTRICTED', 'IMMEDIATE_PAYMENT_REQUIRED'])),
  },
  strict,
);

const PayPalWallet = Type.Object({ experience_context: optional(ExperienceContext) }, strict);

export const OrderRequest = Type.Object(
  {
    // PayPal also takes AUTHORIZE, whose money only a later call of the shop's would take. The shop never asks for it.
    intent: Type.Enum(['CAPTURE']),
    purchase_units: Type.Array(PurchaseUnit, { minItems: 1, maxItems: 10 }),
    payment_source: optional(Type.Object({ paypal: optional(PayPalWallet) }, strict)),
  },
  strict,
);
export type OrderRequest = Type.Static<typeof OrderRequest>;

const CaptureRequest = Type.Object({}, strict);

export const RefundRequest = Type.Object(
  {
    amount: optional(Money),
    custom_id: optional(text(1, 127)),
    invoice_id: optional(text(1, 127)),
    note_to_payer: optional(text(1, 255)),
  },
  strict,
);

const VerifyWebhook = Type.Object(
  {
    auth_algo: text(1, 100, '^[a-zA-Z0-9]+$'),
    cert_url: text(1, 500, '^https://'),
    transmission_id: text(1, 50, '^(?!\\d+$)\\w+\\S+'),
    transmission_sig: text(1, 500, '^(?!\\d+$)\\w+\\S+'),
    transmission_time: text(1, 100, '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z$'),
    webhook_id: text(1, 50, '^[a-zA-Z0-9]+$'),
    webhook_event: Type.Object({ event_type: optional(Type.String()) }),
  },
  strict,
);

interface Operation {
  name: string;
  method: 'GET' | 'POST';
  /** The path, with the id in its first group. */
  path: RegExp;
  /** Null: the operation has no body. */
  body: TSchema | null;
  /** The pattern of the id, if it is not `anyId`. */
  id?: RegExp;
  /** The allowed query parameters, as text; absent: none. */
  query?: TSchema;
  headers?: Readonly<Record<string, TSchema>>;
}

const internetTime = '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?(Z|[+-]\\d\\d:\\d\\d)$';
const anyId = /^[A-Z0-9]{1,36}$/;
const prefer = optional(text(1, 25, '^[a-zA-Z=]*$'));
/**
 * Required wherever a second request must not become a second payment; PayPal itself requires it only for orders with a source.
 */
const headers = { 'paypal-request-id': text(1, 108), prefer };

/** Every operation that the shop uses; any other is rejected. */
export const operations: readonly Operation[] = [
  { name: 'orders.create', method: 'POST', path: /^\/v2\/checkout\/orders$/, body: OrderRequest, headers },
  { name: 'orders.get', method: 'GET', path: /^\/v2\/checkout\/orders\/([^/]*)$/, body: null },
  {
    name: 'orders.capture',
    method: 'POST',
    path: /^\/v2\/checkout\/orders\/([^/]*)\/capture$/,
    body: CaptureRequest,
    headers,
  },
  { name: 'captures.get', method: 'GET', path: /^\/v2\/payments\/captures\/([^/]*)$/, body: null },
  {
    name: 'captures.refund',
    method: 'POST',
    path: /^\/v2\/payments\/captures\/([^/]*)\/refund$/,
    body: RefundRequest,
    headers,
  },
  {
    name: 'disputes.list',
    method: 'GET',
    path: /^\/v1\/customer\/disputes$/,
    body: null,
    query: Type.Object(
      {
        disputed_transaction_id: text(1, 255, '^[0-9A-Z_]+$'),
        page_size: optional(text(1, 2, '^([1-9]|[1-4][0-9]|50)$')),
      },
      strict,
    ),
  },
  {
    name: 'disputes.get',
    method: 'GET',
    path: /^\/v1\/customer\/disputes\/([^/]*)$/,
    body: null,
    id: /^[A-Za-z0-9-]{1,255}$/,
  },
  {
    name: 'transactions.list',
    method: 'GET',
    path: /^\/v1\/reporting\/transactions$/,
    body: null,
    query: Type.Object(
      {
        start_date: text(20, 64, internetTime),
        end_date: text(20, 64, internetTime),
        fields: optional(Type.Enum(['transaction_info', 'all'])),
        page_size: optional(text(1, 3, '^([1-9]|[1-9][0-9]|[1-4][0-9][0-9]|500)$')),
        page: optional(text(1, 10, '^[1-9][0-9]*$')),
      },
      strict,
    ),
  },
  { name: 'refunds.get', method: 'GET', path: /^\/v2\/payments\/refunds\/([^/]*)$/, body: null },
  {
    name: 'verify-webhook-signature',
    method: 'POST',
    path: /^\/v1\/notifications\/verify-webhook-signature$/,
    body: VerifyWebhook,
  },
];

export interface Reading {
  /** The name in `operations`. */
  operation: string;
  /** The violations of PayPal's description; empty for a valid request. */
  violations: string[];
}

/** Checks a request against PayPal's description. */
export function readRequest({ method, path, query = '', headers: sent, body }: FakeRequest): Reading {
  const operation = operations.find((each) => each.method === method && each.path.test(path));
  if (!operation) return { operation: '', violations: [`${method} ${path} is no operation`] };
  const violations: string[] = [];
  const id = operation.path.exec(path)?.[1];
  if (id !== undefined && !(operation.id ?? anyId).test(id)) violations.push(`the id ${id} does not fit`);
  const known = Type.Object({ ...operation.headers });
  violations.push(...problemsOf(known, sent, 'header'));
  const asked = Object.fromEntries(new URLSearchParams(query));
  violations.push(...problemsOf(operation.query ?? Type.Object({}, strict), asked, 'query'));
  if (operation.body) violations.push(...bodyProblems(operation.body, sent['content-type'], body));
  else if (body !== '') violations.push('no body is taken');
  return { operation: operation.name, violations };
}

function bodyProblems(schema: TSchema, type: string | undefined, body: string): string[] {
  if (!type?.startsWith('application/json')) return [`the content type is ${type}`];
  // The description makes the bodies of captures and refunds optional.
  if (body === '' && Value.Check(schema, {})) return [];
  try {
    return problemsOf(schema, JSON.parse(body), 'body');
  } catch {
    return ['the body is not JSON'];
  }
}

function problemsOf(schema: TSchema, value: unknown, where: string): string[] {
  return Value.Errors(schema, value).map(({ instancePath, message }) => `${where}${instancePath} ${message}`);
}
