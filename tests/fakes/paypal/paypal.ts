/**
 * PayPal's REST API as far as the shop uses it, for the real SDK to call: token, orders, captures, refunds, webhook
 * verification. forms.ts and signature.ts have the message formats and their sources. Request ids:
 * https://developer.paypal.com/reference/guidelines/idempotency/
 */
import type { Attempt, Webhook } from '#server/modules/payments/providers/provider.ts';
import { type FakeAnswer, type FakeRequest, type FakeServer, serveFake } from '../http.ts';
import {
  type CaptureStatus,
  captureForm,
  cents,
  disputeForm,
  type FakeCapture,
  type FakeDispute,
  type FakeOrder,
  type FakeRefund,
  type Funding,
  json,
  type Money,
  orderForm,
  orderTime,
  problem,
  refundForm,
  refundNews,
  transactionForms,
} from './forms.ts';
import { type OrderRequest, readRequest } from './schema.ts';
import { isSigned, signedWebhook } from './signature.ts';

export const payPalKeys = {
  PAYPAL_CLIENT_ID: 'fake-client-id-0001',
  PAYPAL_CLIENT_SECRET: 'fake-client-secret-0001',
  PAYPAL_WEBHOOK_ID: '1JE4291016473214C',
  PAYPAL_MODE: 'sandbox',
};

export interface ListedTransaction {
  transaction_id: string;
  transaction_event_code: string;
  transaction_initiation_date: string;
  transaction_updated_date: string;
  transaction_amount: Money;
  transaction_status: 'S' | 'P' | 'D' | 'V';
  paypal_reference_id?: string;
  paypal_reference_id_type?: 'ODR' | 'TXN' | 'SUB' | 'PAP';
  fee_amount?: Money;
  custom_field?: string;
}

export interface PayPalFake extends FakeServer {
  /** The settings for the shop. */
  env: Record<string, string>;
  orders: ReadonlyMap<string, FakeOrder>;
  /** The requested operations of PayPal's description, as `schema.ts` names them, the oldest first. */
  readonly operations: string[];
  /** Requests that violate PayPal's description; each was answered 400. */
  readonly violations: string[];
  /** Advances PayPal's clock by ms: orders expire, and request ids are forgotten. */
  pass(ms: number): void;
  /** The customer approves in PayPal's window. */
  approve(orderId: string, funding?: Funding): void;
  /** Ends PayPal's review of a held payment, with or without releasing it. */
  review(orderId: string, status: 'COMPLETED' | 'DECLINED'): void;
  /** Changes and captures an order as PayPal's page lets anybody do who knows its id. */
  patch(orderId: string, value: string): void;
  captureThere(orderId: string): void;
  /** Changes the status of a capture, or of its last refund, as PayPal may at any time. */
  captureBecomes(orderId: string, status: CaptureStatus): void;
  refundBecomes(orderId: string, status: FakeRefund['status']): void;
  /** Why a capture is pending. */
  waitsFor(orderId: string, reason: NonNullable<FakeOrder['waitsFor']>): void;
  /** PayPal takes the tokens that it gave so far no more. */
  expireToken(): void;
  /** The outcome of refunds, pending ones included. */
  refundsAre(status: FakeRefund['status']): void;
  /** Refunds in PayPal's dashboard; PayPal may give the refund no custom id. Returns the id of the refund. */
  refundThere(orderId: string, value: string, hasCustomId?: boolean): string;
  /** The buyer disputes the whole payment; its status and outcome can be changed. */
  dispute(orderId: string): FakeDispute;
  /** Whether the app may list disputes, which is a permission of its own. */
  disputesAllowed: boolean;
  /** Whether the app may list transactions, which is a permission of its own. */
  transactionsAllowed: boolean;
  /** What else PayPal's transaction search lists, such as withdrawals. https://developer.paypal.com/docs/reports/reference/tcodes/ */
  readonly listed: ListedTransaction[];
  /** Until when the transaction search lists everything, epoch ms: it is up to three hours behind. */
  refreshedAt: number | null;
  /** Transactions that one search may find. https://developer.paypal.com/docs/api/transaction-search/v1/#errors */
  mostTransactions: number;
  /** Questions that are answered 429 before the next is answered. */
  busy: number;
  /** The time at which PayPal sends webhooks, epoch ms. */
  now: () => number;
  /** Refunds are rejected with this issue; null: they succeed. */
  refuseRefunds(issue: string | null): void;
  /** Cents captured under a reference, minus refunds and disputes that were lost. */
  taken(reference: string): number;
  /** `PAYMENT.CAPTURE.REFUNDED` and `…REVERSED` are about the last refund. */
  webhook(orderId: string, type: WebhookType): Webhook;
  webhookAbout(attempt: Attempt): Webhook;
  /** Invalidates the shop's credentials until they are `restored`. */
  revoke(): void;
  restore(): void;
}

type WebhookType =
  | 'CHECKOUT.ORDER.APPROVED'
  | 'PAYMENT.CAPTURE.COMPLETED'
  | 'PAYMENT.CAPTURE.REFUNDED'
  | 'PAYMENT.CAPTURE.REVERSED'
  | 'CUSTOMER.DISPUTE.CREATED'
  | 'CUSTOMER.DISPUTE.UPDATED'
  | 'CUSTOMER.DISPUTE.RESOLVED';

/** Of captures whose money is not there. */
const uncollected: readonly CaptureStatus[] = ['PENDING', 'DECLINED', 'FAILED'];

const firstToken = 'A21AAFakeToken0001';

const hour = 60 * 60_000;
/** The time limits for the customer to approve, and for the shop to capture after the approval. */
const orderLifeMs = 3 * hour;
/** How long request ids of orders and captures are stored; those of refunds for 45 days. */
const requestIdMs = { orders: 6 * hour, refunds: 45 * 24 * hour };

/** Rejections after which the customer may choose another source in the same window. */
const chooseAgain = [
  'INSTRUMENT_DECLINED',
  'PAYER_ACTION_REQUIRED',
  'REDIRECT_PAYER_FOR_ALTERNATE_FUNDING',
  'ORDER_NOT_APPROVED',
];

/** https://developer.paypal.com/api/rest/reference/currency-codes/ */
const supported =
  'AUD BRL CAD CHF CNY CZK DKK EUR GBP HKD HUF ILS JPY MXN MYR NOK NZD PHP PLN SEK SGD THB TWD USD'.split(
    ' ',
  );
const isWhole = (currency: string) => ['HUF', 'JPY', 'TWD'].includes(currency);

export async function startPayPalFake(): Promise<PayPalFake> {
  const orders = new Map<string, FakeOrder>();
  /** The answer stored for a request id, by id and call. */
  const remembered = new Map<string, { again: () => FakeAnswer; until: number }>();
  const disputes: FakeDispute[] = [];
  const rights = {
    disputesAllowed: true,
    transactionsAllowed: true,
    now: Date.now,
    listed: [] as ListedTransaction[],
    refreshedAt: null as number | null,
    mostTransactions: 10_000,
    busy: 0,
  };
  const operations: string[] = [];
  const violations: string[] = [];
  let clock = 0;
  let refundRefusal: string | null = null;
  let token = firstToken;
  let secret = payPalKeys.PAYPAL_CLIENT_SECRET;
  let refundStatus: FakeRefund['status'] = 'COMPLETED';
  let counter = 0;
  /** The same length as PayPal's own ids. */
  const newId = (prefix: string) => `${prefix}${String(++counter).padStart(17 - prefix.length, '0')}`;
  const captured = (captureId: string) =>
    [...orders.values()].find(({ capture }) => capture?.id === captureId);
  const order = (id: string): FakeOrder => {
    const found = orders.get(id);
    if (!found) throw new Error(`The fake has no order ${id}`);
    return found;
  };

  function issueToken({ headers }: FakeRequest): FakeAnswer {
    const expected = `Basic ${Buffer.from(`${payPalKeys.PAYPAL_CLIENT_ID}:${secret}`).toString('base64')}`;
    if (headers.authorization !== expected)
      return json(401, { error: 'invalid_client', error_description: 'Client Authentication failed' });
    return json(200, {
      access_token: token,
      token_type: 'Bearer',
      app_id: 'APP-FAKE',
      expires_in: 32_400,
      scope: '',
      nonce: 'n',
    });
  }

  function createOrder(request: OrderRequest): FakeAnswer {
    const [unit] = request.purchase_units;
    const context = request.payment_source?.paypal?.experience_context;
    if (!unit) return problem(400, 'INVALID_REQUEST', 'MISSING_REQUIRED_PARAMETER');
    const { currency_code: currency } = unit.amount;
    const digits = isWhole(currency) ? /^\d+$/ : /^\d+\.\d\d$/;
    if (!digits.test(unit.amount.value)) return problem(422, 'UNPROCESSABLE_ENTITY', 'DECIMAL_PRECISION');
    if (!supported.includes(currency)) return problem(422, 'UNPROCESSABLE_ENTITY', 'CURRENCY_NOT_SUPPORTED');
    const issue = shippingIssue(unit.shipping?.address, context?.shipping_preference);
    if (issue) return problem(422, 'UNPROCESSABLE_ENTITY', issue);
    const made: FakeOrder = {
      id: newId('5O19'),
      // With payment_source.paypal in the request; without it, it would be CREATED.
      status: 'PAYER_ACTION_REQUIRED',
      amount: unit.amount,
      customId: unit.custom_id ?? '',
      referenceId: unit.reference_id ?? 'default',
      request,
      funding: 'good',
      declined: false,
      capture: null,
      expiresAt: clock + orderLifeMs,
    };
    orders.set(made.id, made);
    return json(200, orderForm(made));
  }

  function capture(found: FakeOrder): FakeAnswer {
    const { funding } = found;
    if (found.capture) return problem(422, 'UNPROCESSABLE_ENTITY', 'ORDER_ALREADY_CAPTURED');
    if (found.status !== 'APPROVED') return problem(422, 'UNPROCESSABLE_ENTITY', 'ORDER_NOT_APPROVED');
    const refused = funding !== 'good' && funding !== 'pending';
    if (!refused || funding === 'ORDER_ALREADY_CAPTURED') {
      const status = funding === 'pending' ? 'PENDING' : 'COMPLETED';
      found.capture = { id: newId('3C67'), status, amount: found.amount, refunds: [] };
      found.status = 'COMPLETED';
      found.expiresAt = Number.POSITIVE_INFINITY;
    }
    if (!refused) return json(201, orderForm(found));
    // The order stays APPROVED, by the funding that was declined.
    found.declined = chooseAgain.includes(funding);
    return problem(422, 'UNPROCESSABLE_ENTITY', funding, 'The capture is refused.');
  }

  function refund(taken: FakeCapture, body: { amount?: Money; custom_id?: string }): FakeAnswer {
    const left = cents(taken.amount) - taken.refunds.reduce((sum, { amount }) => sum + cents(amount), 0);
    const amount = body.amount ?? {
      ...taken.amount,
      value: String(
        isWhole(taken.amount.currency_code)
          ? Math.round(left / (taken.amount.currency_code === 'JPY' ? 1 : 100))
          : (left / 100).toFixed(2),
      ),
    };
    if (refundRefusal) return problem(422, 'UNPROCESSABLE_ENTITY', refundRefusal);
    if (taken.status === 'PENDING') return problem(422, 'UNPROCESSABLE_ENTITY', 'PENDING_CAPTURE');
    if (left === 0) return problem(422, 'UNPROCESSABLE_ENTITY', 'CAPTURE_FULLY_REFUNDED');
    if (cents(amount) > left) return problem(422, 'UNPROCESSABLE_ENTITY', 'REFUND_AMOUNT_EXCEEDED');
    const made: FakeRefund = {
      id: newId('1JU0'),
      amount,
      status: refundStatus,
      customId: body.custom_id ?? '',
    };
    taken.refunds.push(made);
    taken.status = cents(amount) === left ? 'REFUNDED' : 'PARTIALLY_REFUNDED';
    return json(201, refundForm(made));
  }

  /**
   * The same request id returns the same object in its current state. PayPal does not document whether that holds for
   * rejections; here rejected captures are repeated, so that nothing relies on the contrary.
   */
  function once({ headers, path }: FakeRequest, work: () => FakeAnswer, again: () => FakeAnswer): FakeAnswer {
    const key = `${path} ${headers['paypal-request-id']}`;
    const known = remembered.get(key);
    if (known) return known.again();
    const answer = work();
    const until = clock + (path.endsWith('/refund') ? requestIdMs.refunds : requestIdMs.orders);
    if (answer.status < 300) remembered.set(key, { again, until });
    else if (answer.status === 422 && path.endsWith('/capture'))
      remembered.set(key, { again: () => answer, until });
    return answer;
  }

  function disputesAt({ path, query }: FakeRequest): FakeAnswer {
    if (!rights.disputesAllowed) return problem(403, 'NOT_AUTHORIZED', 'PERMISSION_DENIED');
    const transaction = new URLSearchParams(query).get('disputed_transaction_id');
    const found = disputes.find(({ id }) => path.endsWith(`/${id}`));
    if (found) return json(200, disputeForm(found, true));
    if (transaction === null) return problem(404, 'RESOURCE_NOT_FOUND', 'INVALID_RESOURCE_ID');
    const items = disputes
      .filter((each) => each.transaction === transaction)
      .map((each) => disputeForm(each, false));
    return json(200, { items, links: [] });
  }

  function transactionsAt({ query }: FakeRequest): FakeAnswer {
    if (!rights.transactionsAllowed) return problem(403, 'NOT_AUTHORIZED', 'PERMISSION_DENIED');
    const asked = new URLSearchParams(query);
    const [from, to] = [Date.parse(asked.get('start_date') ?? ''), Date.parse(asked.get('end_date') ?? '')];
    if (to - from > 31 * 24 * hour) return problem(400, 'INVALID_REQUEST', 'INVALID_PARAMETER_VALUE');
    const captures = from <= orderTime && orderTime <= to ? [...orders.values()] : [];
    if (rights.busy > 0) {
      rights.busy -= 1;
      return problem(429, 'RATE_LIMIT_REACHED');
    }
    const others = rights.listed.filter(
      ({ transaction_initiation_date: at }) => from <= Date.parse(at) && Date.parse(at) <= to,
    );
    const all = [
      ...captures.flatMap((each) => (each.capture ? transactionForms(each, each.capture) : [])),
      ...others.map((each) => ({ transaction_info: each })),
    ];
    if (all.length > rights.mostTransactions) return problem(400, 'RESULTSET_TOO_LARGE');
    const [size, page] = [Number(asked.get('page_size') ?? 100), Number(asked.get('page') ?? 1)];
    const shown = all.slice((page - 1) * size, page * size);
    const until = new Date(rights.refreshedAt ?? to).toISOString();
    return json(200, {
      transaction_details: shown,
      page,
      total_items: all.length,
      total_pages: Math.ceil(all.length / size),
      last_refreshed_datetime: `${until.slice(0, 19)}Z`,
    });
  }

  function answer(request: FakeRequest): FakeAnswer {
    const { method, path, headers, body } = request;
    const what = `${method} ${path}`;
    if (what === 'POST /v1/oauth2/token') return issueToken(request);
    if (headers.authorization !== `Bearer ${token}`)
      return json(401, { error: 'invalid_token', error_description: 'Token expired' });
    const reading = readRequest(request);
    operations.push(reading.operation);
    violations.push(...reading.violations.map((violation) => `${what}: ${violation}`));
    if (reading.violations.length > 0) return problem(400, 'INVALID_REQUEST', 'INVALID_PARAMETER_SYNTAX');
    const [, orderId = '', act] = /^\/v2\/checkout\/orders\/([^/]+)(?:\/(\w+))?$/.exec(path) ?? [];
    const [, captureId = ''] = /^\/v2\/payments\/captures\/([^/]+)\/refund$/.exec(path) ?? [];
    if (what === 'POST /v2/checkout/orders') {
      let id = '';
      return once(
        request,
        () => {
          const made = createOrder(JSON.parse(body) as OrderRequest);
          id = (JSON.parse(made.body) as { id?: string }).id ?? '';
          return made;
        },
        () => json(200, orderForm(order(id))),
      );
    }
    const found = orders.get(orderId);
    if (orderId && !found) return problem(404, 'RESOURCE_NOT_FOUND', 'INVALID_RESOURCE_ID');
    if (found && method === 'GET' && !act) return json(200, orderForm(found));
    if (found && method === 'POST' && act === 'capture')
      return once(
        request,
        () => capture(found),
        () => json(201, orderForm(found)),
      );
    const refunds = [...orders.values()].flatMap((each) => each.capture?.refunds ?? []);
    const asked = refunds.find(({ id }) => what === `GET /v2/payments/refunds/${id}`);
    if (asked) return json(200, refundForm(asked));
    const [, shown = ''] = /^\/v2\/payments\/captures\/([^/]+)$/.exec(path) ?? [];
    const capturedOrder = captured(shown);
    if (capturedOrder?.capture) return json(200, captureForm(capturedOrder, capturedOrder.capture));
    const taken = captured(captureId)?.capture;
    if (shown || (captureId && !taken)) return problem(404, 'RESOURCE_NOT_FOUND', 'INVALID_RESOURCE_ID');
    if (taken && method === 'POST') {
      let made = '';
      return once(
        request,
        () => {
          const refunded = refund(taken, JSON.parse(body || '{}') as { amount?: Money; custom_id?: string });
          made = refunded.body;
          return refunded;
        },
        () => ({ status: 201, type: 'application/json', body: made }),
      );
    }
    if (reading.operation === 'transactions.list') return transactionsAt(request);
    if (reading.operation.startsWith('disputes.')) return disputesAt(request);
    if (what === 'POST /v1/notifications/verify-webhook-signature')
      return json(200, { verification_status: isSigned(body) ? 'SUCCESS' : 'FAILURE' });
    return problem(404, 'RESOURCE_NOT_FOUND');
  }

  const server = await serveFake(answer);

  function webhook(orderId: string, type: WebhookType): Webhook {
    const about = order(orderId);
    const disputed = disputes.find(({ transaction }) => transaction === about.capture?.id);
    const resource =
      type.startsWith('CUSTOMER.') && disputed ? disputeForm(disputed, true) : resourceOf(about, type);
    const event = {
      id: newId('WH-'),
      event_version: '1.0',
      create_time: '2026-05-16T14:00:04Z',
      event_type: type,
      resource,
    };
    return signedWebhook(event, payPalKeys.PAYPAL_WEBHOOK_ID, rights.now());
  }

  return Object.assign(rights, {
    ...server,
    env: { ...payPalKeys, PAYPAL_API_URL: server.url },
    orders,
    operations,
    violations,
    pass(ms: number) {
      clock += ms;
      for (const [id, { expiresAt }] of orders) if (expiresAt <= clock) orders.delete(id);
      for (const [key, { until }] of remembered) if (until <= clock) remembered.delete(key);
    },
    approve(orderId: string, funding: Funding = 'good') {
      const about = order(orderId);
      if (about.status !== 'PAYER_ACTION_REQUIRED' && !about.declined)
        throw new Error(`The order ${orderId} is ${about.status}`);
      Object.assign(about, { status: 'APPROVED', funding, declined: false, expiresAt: clock + orderLifeMs });
    },
    patch(orderId: string, value: string) {
      const about = order(orderId);
      about.amount = { ...about.amount, value };
    },
    captureThere(orderId: string) {
      const about = order(orderId);
      about.funding = 'good';
      capture(about);
    },
    refundThere(orderId: string, value: string, hasCustomId = true) {
      const { capture: taken, customId } = order(orderId);
      if (!taken) throw new Error(`Nothing was captured of ${orderId}`);
      refund(taken, { amount: { ...taken.amount, value }, custom_id: hasCustomId ? customId : '' });
      return taken.refunds.at(-1)?.id ?? '';
    },
    dispute(orderId: string) {
      const { capture: taken, amount, customId: custom } = order(orderId);
      const status = 'WAITING_FOR_SELLER_RESPONSE' as const;
      const about = { transaction: taken?.id ?? '', custom, amount };
      const made: FakeDispute = {
        id: `PP-D-${++counter}`,
        ...about,
        status,
        stage: 'CHARGEBACK',
        outcome: null,
      };
      disputes.push(made);
      return made;
    },
    refuseRefunds(issue: string | null) {
      refundRefusal = issue;
    },
    captureBecomes(orderId: string, status: CaptureStatus) {
      const { capture: taken } = order(orderId);
      if (taken) taken.status = status;
    },
    refundBecomes(orderId: string, status: FakeRefund['status']) {
      const last = order(orderId).capture?.refunds.at(-1);
      if (last) last.status = status;
    },
    waitsFor(orderId: string, reason: NonNullable<FakeOrder['waitsFor']>) {
      order(orderId).waitsFor = reason;
    },
    expireToken() {
      token = `A21AAFakeToken${String(++counter).padStart(4, '1')}`;
    },
    refundsAre(status: FakeRefund['status']) {
      refundStatus = status;
      for (const each of orders.values())
        for (const refunded of each.capture?.refunds ?? [])
          if (refunded.status === 'PENDING') refunded.status = status;
    },
    review(orderId: string, status: 'COMPLETED' | 'DECLINED') {
      const { capture: held } = order(orderId);
      if (held) held.status = status;
    },
    taken(reference: string) {
      const captures = [...orders.values()]
        .filter(({ customId }) => customId === reference)
        .map((each) => each.capture);
      return captures.reduce((sum, each) => {
        if (!each || uncollected.includes(each.status)) return sum;
        const back = each.refunds.filter(({ status }) => status === 'COMPLETED');
        const lost = disputes.filter(({ transaction, status, outcome }) => {
          return (
            transaction === each.id &&
            status === 'RESOLVED' &&
            ['RESOLVED_BUYER_FAVOUR', 'ACCEPTED'].includes(outcome ?? '')
          );
        });
        const taken = lost.reduce((total, { amount }) => total + cents(amount), 0);
        return (
          sum - taken + cents(each.amount) - back.reduce((given, { amount }) => given + cents(amount), 0)
        );
      }, 0);
    },
    webhook,
    webhookAbout({ providerId }: Attempt) {
      const about = order(providerId ?? '');
      return webhook(about.id, about.capture ? 'PAYMENT.CAPTURE.COMPLETED' : 'CHECKOUT.ORDER.APPROVED');
    },
    revoke() {
      token = 'A21AAFakeToken0002';
      secret = 'another secret';
    },
    restore() {
      token = firstToken;
      secret = payPalKeys.PAYPAL_CLIENT_SECRET;
    },
  });
}

/** The resource of a webhook about an order, its capture or its last refund. */
function resourceOf(about: FakeOrder, type: WebhookType): Record<string, unknown> {
  const { capture } = about;
  const last = capture?.refunds.at(-1);
  if (capture && last && /REFUNDED$|REVERSED$/.test(type)) return refundNews(last, capture.id);
  return capture && type.startsWith('PAYMENT.') ? captureForm(about, capture) : orderForm(about);
}

type Shipping = NonNullable<OrderRequest['purchase_units'][number]['shipping']>;

/** Why PayPal rejects an address; null if it accepts it or none is required. */
function shippingIssue(address: Shipping['address'], preference: string | undefined): string | null {
  if (preference === 'NO_SHIPPING') return null;
  if (!address) return preference === 'SET_PROVIDED_ADDRESS' ? 'SHIPPING_ADDRESS_INVALID' : null;
  const { address_line_1, admin_area_2, admin_area_1 = '', postal_code, country_code } = address;
  if (!admin_area_2) return 'CITY_REQUIRED';
  if (!postal_code && ['CA', 'US'].includes(country_code)) return 'POSTAL_CODE_REQUIRED';
  // PayPal requires the province's code, not its name, and C2 for China.
  const province = !['CA', 'US'].includes(country_code) || /^[A-Z]{2}$/.test(admin_area_1);
  return address_line_1 && province && country_code !== 'CN' ? null : 'SHIPPING_ADDRESS_INVALID';
}
