/**
 * Stripe's webhooks: snapshot events, signed with the endpoint's secret.
 * https://docs.stripe.com/api/events/object · https://docs.stripe.com/webhooks#verify-manually
 */
import { randomBytes } from 'node:crypto';
import Stripe from 'stripe';
import type { EventType } from './objects.ts';

/** 'first': before the call that caused it is answered. 'lost': never, unless the test sends it again. */
export type Delivery = 'after' | 'first' | 'twice' | 'lost';

export interface SentWebhook {
  body: string;
  headers: { 'stripe-signature': string; 'content-type': string };
}

interface Happened {
  type: EventType;
  body: string;
}

/** The events that docs/how-to/payments.md tells a shop to subscribe to. */
const subscribed: readonly EventType[] = [
  'payment_intent.succeeded',
  'payment_intent.payment_failed',
  'payment_intent.canceled',
  'charge.refunded',
  'charge.refund.updated',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
  'refund.created',
  'refund.updated',
  'refund.failed',
];

export class Webhooks {
  /** The shop's webhook endpoint; null: none. */
  url: string | null = null;
  delivery: Delivery = 'after';
  /** The shop's answers, in the order of arrival. */
  readonly answers: { type: EventType; status: number }[] = [];
  readonly #secret: string;
  readonly #happened: Happened[] = [];
  #waiting: Happened[] = [];
  readonly #under = new Set<Promise<void>>();

  constructor(secret: string) {
    this.#secret = secret;
  }

  /** Records an event; `deliver` sends the recorded ones. */
  note(type: EventType, object: object): void {
    const event = {
      id: `evt_${randomBytes(12).toString('hex')}`,
      object: 'event',
      api_version: Stripe.API_VERSION,
      created: Math.floor(Date.now() / 1000),
      data: { object },
      livemode: false,
      pending_webhooks: 1,
      request: { id: null, idempotency_key: null },
      type,
    };
    const happened = { type, body: JSON.stringify(event) };
    this.#happened.push(happened);
    if (subscribed.includes(type)) this.#waiting.push(happened);
  }

  sign(
    body: string,
    { secret = this.#secret, at = Date.now() }: { secret?: string; at?: number } = {},
  ): SentWebhook {
    const signature = Stripe.webhooks.generateTestHeaderString({
      payload: body,
      secret,
      timestamp: Math.floor(at / 1000),
    });
    return {
      body,
      headers: { 'stripe-signature': signature, 'content-type': 'application/json; charset=utf-8' },
    };
  }

  /** The last event that contains this text (an id, a reference), signed now. */
  lastAbout(text: string): SentWebhook {
    const found = this.#happened.findLast(({ body }) => body.includes(text));
    if (!found) throw new Error(`Nothing happened about ${text}`);
    return this.sign(found.body);
  }

  /** Every event that contains this text, the oldest first, signed now. */
  allAbout(text: string): SentWebhook[] {
    return this.#happened.filter(({ body }) => body.includes(text)).map(({ body }) => this.sign(body));
  }

  /** Sends the waiting events, as `delivery` says. Only 'first' must be awaited before the answer. */
  async deliver(): Promise<void> {
    const events = this.#waiting;
    this.#waiting = [];
    if (this.delivery === 'lost') return;
    const rounds = this.delivery === 'twice' ? 2 : 1;
    const sending = (async () => {
      for (const event of events) for (let round = 0; round < rounds; round++) await this.#send(event);
    })();
    this.#under.add(sending);
    void sending.finally(() => this.#under.delete(sending));
    if (this.delivery === 'first') await sending;
  }

  /** Resolves when all pending deliveries have been answered. */
  async settled(): Promise<void> {
    while (this.#under.size > 0) await Promise.all(this.#under);
  }

  /** Stripe retries for three days; three tries suffice here. */
  async #send({ type, body }: Happened): Promise<void> {
    for (let attempt = 0; attempt < 3 && this.url; attempt++) {
      const { headers } = this.sign(body);
      const status = await fetch(this.url, { method: 'POST', headers, body }).then(
        async (answer) => {
          await answer.arrayBuffer();
          return answer.status;
        },
        () => 0,
      );
      this.answers.push({ type, status });
      if (status >= 200 && status < 300) return;
    }
  }
}
