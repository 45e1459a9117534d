/**
 * PayPal's REST API as far as the shop uses it, for the real SDK to talk to: token, orders, captures,
 * refunds, the check of webhooks. The forms and where they are published: forms.ts, signature.ts. Request
 * ids: https://developer.paypal.com/reference/guidelines/idempotency/
 */
import type { Attempt, Webhook } from '#server/payments/provider.ts';
import { type FakeAnswer, type FakeRequest, type FakeServer, serveFake } from '../http.ts';
import {
  captureForm,
  cents,
  type FakeCapture,
  type FakeOrder,
  type FakeRefund,
  type Funding,
  json,
  type Money,
  orderForm,
  problem,
  refundForm,
} from './forms.ts';
import { isSigned, signedWebhook } from './signature.ts';

export const payPalKeys = {
  PAYPAL_CLIENT_ID: 'fake-client-id-0001',
  PAYPAL_CLIENT_SECRET: 'fake-client-secret-0001',
  PAYPAL_WEBHOOK_ID: 'WH-FAKE-0001',
  PAYPAL_MODE: 'sandbox',
};

export interface PayPalFake extends FakeServer {
  /** What to set for the shop. */
  env: Record<string, string>;
  orders: ReadonlyMap<string, FakeOrder>;
  /** The shopper agrees in PayPal's window. */
  approve(orderId: string, funding?: Funding): void;
  /** A payment that PayPal held back for review is let through, or is not. */
  review(orderId: string, status: 'COMPLETED' | 'DECLINED'): void;
  /** PayPal's page lets whoever knows an order's id change it, and capture it. */
  patch(orderId: string, value: string): void;
  captureThere(orderId: string): void;
  /** What becomes of refunds; those on their way by then as well. */
  refundsAre(status: FakeRefund['status']): void;
  /** Cents taken under a reference, less what was given back. */
  taken(reference: string): number;
  webhook(orderId: string, type: 'CHECKOUT.ORDER.APPROVED' | 'PAYMENT.CAPTURE.COMPLETED' | 'CUSTOMER.DISPUTE.CREATED'): Webhook;
  webhookAbout(attempt: Attempt): Webhook;
  /** From now on the shop's credentials are wrong, until they are `restored`. */
  revoke(): void;
  restore(): void;
}

const firstToken = 'A21AAFakeToken0001';

export async function startPayPalFake(): Promise<PayPalFake> {
  const orders = new Map<string, FakeOrder>();
  /** What was answered to a request id, by that and the call. */
  const remembered = new Map<string, () => FakeAnswer>();
  let token = firstToken;
  let secret = payPalKeys.PAYPAL_CLIENT_SECRET;
  let refundStatus: FakeRefund['status'] = 'COMPLETED';
  let counter = 0;
  const newId = (prefix: string) => `${prefix}${String(++counter).padStart(12, '0')}`;
  const captured = (captureId: string) => [...orders.values()].find(({ capture }) => capture?.id === captureId);
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

  function createOrder(body: CreateOrder): FakeAnswer {
    const [unit] = body.purchase_units ?? [];
    if (body.intent !== 'CAPTURE' || !unit?.amount) return problem(400, 'INVALID_REQUEST', 'MISSING_REQUIRED_PARAMETER');
    const digits = ['HUF', 'JPY', 'TWD'].includes(unit.amount.currency_code) ? /^\d+$/ : /^\d+\.\d\d$/;
    if (!digits.test(unit.amount.value)) return problem(422, 'UNPROCESSABLE_ENTITY', 'DECIMAL_PRECISION');
    if (!/^[A-Z]{3}$/.test(unit.amount.currency_code)) return problem(422, 'UNPROCESSABLE_ENTITY', 'INVALID_CURRENCY_CODE');
    const made: FakeOrder = {
      id: newId('5O19'),
      // With payment_source.paypal in the request; without it, it would be CREATED.
      status: 'PAYER_ACTION_REQUIRED',
      amount: unit.amount,
      customId: unit.custom_id ?? '',
      referenceId: unit.reference_id ?? 'default',
      funding: 'good',
      capture: null,
    };
    orders.set(made.id, made);
    return json(200, orderForm(made));
  }

  function capture(found: FakeOrder): FakeAnswer {
    if (found.capture) return problem(422, 'UNPROCESSABLE_ENTITY', 'ORDER_ALREADY_CAPTURED');
    if (found.status !== 'APPROVED') return problem(422, 'UNPROCESSABLE_ENTITY', 'ORDER_NOT_APPROVED');
    if (found.funding !== 'good' && found.funding !== 'pending')
      return problem(422, 'UNPROCESSABLE_ENTITY', found.funding, 'The instrument presented was either declined or not usable.');
    const status = found.funding === 'pending' ? 'PENDING' : 'COMPLETED';
    found.capture = { id: newId('3C67'), status, amount: found.amount, refunds: [] };
    found.status = 'COMPLETED';
    return json(201, orderForm(found));
  }

  function refund(taken: FakeCapture, body: { amount?: Money }): FakeAnswer {
    const left = cents(taken.amount) - taken.refunds.reduce((sum, { amount }) => sum + cents(amount), 0);
    const amount = body.amount ?? { ...taken.amount, value: (left / 100).toFixed(2) };
    if (taken.status === 'PENDING') return problem(422, 'UNPROCESSABLE_ENTITY', 'CAPTURE_NOT_COMPLETED');
    if (left === 0) return problem(422, 'UNPROCESSABLE_ENTITY', 'CAPTURE_FULLY_REFUNDED');
    if (cents(amount) > left) return problem(422, 'UNPROCESSABLE_ENTITY', 'REFUND_AMOUNT_EXCEEDED');
    const made: FakeRefund = { id: newId('1JU0'), amount, status: refundStatus };
    taken.refunds.push(made);
    taken.status = cents(amount) === left ? 'REFUNDED' : 'PARTIALLY_REFUNDED';
    return json(201, refundForm(made));
  }

  /** The same request id brings the same again, as it now is; a refusal is not remembered. */
  function once({ headers, path }: FakeRequest, work: () => FakeAnswer, again: () => FakeAnswer): FakeAnswer {
    const id = headers['paypal-request-id'];
    const key = typeof id === 'string' ? `${path} ${id}` : null;
    const known = key && remembered.get(key);
    if (known) return known();
    const answer = work();
    if (key && answer.status < 300) remembered.set(key, again);
    return answer;
  }

  function answer(request: FakeRequest): FakeAnswer {
    const { method, path, headers, body } = request;
    const what = `${method} ${path}`;
    if (what === 'POST /v1/oauth2/token') return issueToken(request);
    if (headers.authorization !== `Bearer ${token}`)
      return json(401, { error: 'invalid_token', error_description: 'Token expired' });
    const [, orderId = '', act] = /^\/v2\/checkout\/orders\/([^/]+)(?:\/(\w+))?$/.exec(path) ?? [];
    const [, captureId = ''] = /^\/v2\/payments\/captures\/([^/]+)\/refund$/.exec(path) ?? [];
    if (what === 'POST /v2/checkout/orders') {
      let id = '';
      return once(
        request,
        () => {
          const made = createOrder(JSON.parse(body) as CreateOrder);
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
    const taken = captured(captureId)?.capture;
    if (captureId && !taken) return problem(404, 'RESOURCE_NOT_FOUND', 'INVALID_RESOURCE_ID');
    if (taken && method === 'POST') {
      let made = '';
      return once(
        request,
        () => {
          const refunded = refund(taken, JSON.parse(body || '{}') as { amount?: Money });
          made = refunded.body;
          return refunded;
        },
        () => ({ status: 201, type: 'application/json', body: made }),
      );
    }
    if (what === 'POST /v1/notifications/verify-webhook-signature')
      return json(200, { verification_status: isSigned(body) ? 'SUCCESS' : 'FAILURE' });
    return problem(404, 'RESOURCE_NOT_FOUND');
  }

  const server = await serveFake(answer);

  function webhook(orderId: string, type: Parameters<PayPalFake['webhook']>[1]): Webhook {
    const about = order(orderId);
    const resource = type.startsWith('PAYMENT.') && about.capture ? captureForm(about, about.capture) : orderForm(about);
    const event = { id: newId('WH-'), event_version: '1.0', create_time: '2026-05-16T14:00:04Z', event_type: type, resource };
    return signedWebhook(event, payPalKeys.PAYPAL_WEBHOOK_ID);
  }

  return {
    ...server,
    env: { ...payPalKeys, PAYPAL_API_URL: server.url },
    orders,
    approve(orderId, funding = 'good') {
      const about = order(orderId);
      if (about.status !== 'PAYER_ACTION_REQUIRED') throw new Error(`The order ${orderId} is ${about.status}`);
      Object.assign(about, { status: 'APPROVED', funding });
    },
    patch(orderId, value) {
      const about = order(orderId);
      about.amount = { ...about.amount, value };
    },
    captureThere: (orderId) => void capture(order(orderId)),
    refundsAre(status) {
      refundStatus = status;
      for (const each of orders.values())
        for (const refunded of each.capture?.refunds ?? []) if (refunded.status === 'PENDING') refunded.status = status;
    },
    review(orderId, status) {
      const { capture: held } = order(orderId);
      if (held) held.status = status;
    },
    taken(reference) {
      const captures = [...orders.values()].filter(({ customId }) => customId === reference).map((each) => each.capture);
      return captures.reduce((sum, each) => {
        if (!each || each.status === 'PENDING' || each.status === 'DECLINED') return sum;
        const back = each.refunds.filter(({ status }) => status === 'COMPLETED');
        return sum + cents(each.amount) - back.reduce((given, { amount }) => given + cents(amount), 0);
      }, 0);
    },
    webhook,
    webhookAbout({ providerId }) {
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
  };
}

interface CreateOrder {
  intent?: string;
  purchase_units?: { amount?: Money; custom_id?: string; reference_id?: string }[];
}
