/**
 * A payment provider in memory whose answers a test controls: what it answers, when, and whether the answer arrives.
 * The `providers` of `createContainer` and `createTestApp` put it in the place of a real one.
 */
import type { PayPalProvider } from '#payment-providers/paypal/server/paypal.ts';
import type { StripeProvider } from '#payment-providers/stripe/server/index.ts';
import { noOrigins } from '#server/http/security-headers.ts';
import {
  type Attempt,
  type Charge,
  noActivity,
  type PaymentFailure,
  type PaymentOutcome,
  type ProviderActivity,
  RefundPending,
  RefundRefused,
  type Webhook,
  type WebhookSubject,
} from '#server/modules/payments/providers/provider.ts';

/** `silent`: the request does not arrive. `lost`: the request is carried out, but its answer does not arrive. */
export type Line = 'good' | 'silent' | 'lost';
export type Step = 'start' | 'complete' | 'cancel' | 'refund';

interface FakeCharge {
  amount: number;
  state: 'asking' | 'approved' | 'taken' | 'failed';
  refunded: number;
}

const declined: PaymentFailure = { errorType: 'TRANSACTION_ERROR', errorKey: 'payment.declined' };
const unavailable: PaymentFailure = { errorType: 'SYSTEM_ERROR', errorKey: 'payment.unavailable' };
const ended: PaymentFailure = { errorType: 'TRANSACTION_ERROR', errorKey: 'payment.attemptEnded' };

export class FakeProvider implements StripeProvider, PayPalProvider {
  readonly name: string;
  readonly holdsAtApproval: boolean;
  readonly browser = noOrigins;
  readonly publishableKey = 'pk_test_fake';
  readonly option = { testingMode: true, enabled: true, sandBoxClientID: 'fake', prodClientID: '' };
  readonly charges = new Map<string, FakeCharge>();
  /** The last charge passed to `start`. */
  asked: Charge | null = null;
  readonly refundKeys = new Map<string, number>();
  readonly #refunded = new Map<string, string>();
  /** Refunds that failed after they were given, with the reason, by key. */
  readonly failedRefunds = new Map<string, string>();
  /** The outcome of the next attempts; with 'ask' the shopper has to `approve` first. */
  answer: 'take' | 'ask' | 'decline' | 'refuse all' = 'take';
  line: Line = 'good';
  refusesRefunds = false;
  /** Whether refunds stay pending. */
  refundsWait = false;
  /** Awaited before and after each step. */
  around: (step: Step, when: 'before' | 'after', reference: string) => Promise<void> | void = () => {};

  constructor(name: 'Stripe' | 'PayPal') {
    this.name = name;
    this.holdsAtApproval = name === 'PayPal';
  }

  /** The provider’s own id of an attempt. */
  static idOf(reference: string): string {
    return `fake-${reference}`;
  }

  /** The shopper approves the payment. */
  approve(reference: string): void {
    const charge = this.charges.get(reference);
    if (charge?.state === 'asking') charge.state = 'approved';
  }

  /** Cents charged by all attempts, less refunds. */
  get taken(): number {
    return [...this.charges.values()].reduce(
      (sum, { amount, state, refunded }) => sum + (state === 'taken' ? amount - refunded : 0),
      0,
    );
  }

  webhookAbout(reference: string, refundKey?: string): Webhook {
    return {
      headers: { 'fake-signature': 'good' },
      body: Buffer.from([reference, refundKey].filter(Boolean).join(' ')),
    };
  }

  async start(
    charge: Charge,
    _input: unknown,
    keep: (providerId: string) => Promise<void>,
  ): Promise<PaymentOutcome> {
    this.asked = charge;
    return this.#step('start', charge.reference, async () => {
      if (this.answer === 'refuse all')
        return { state: 'failed', failure: unavailable, merchantProblem: 'The key was revoked' };
      await keep(FakeProvider.idOf(charge.reference));
      const known = this.charges.get(charge.reference);
      if (!known) {
        const state = { take: 'taken', ask: 'asking', decline: 'failed' } as const;
        this.charges.set(charge.reference, { amount: charge.amount, state: state[this.answer], refunded: 0 });
      }
      return this.#outcome(charge.reference);
    });
  }

  complete({ reference, hold = async () => true }: Attempt): Promise<PaymentOutcome> {
    return this.#step('complete', reference, async () => {
      const charge = this.charges.get(reference);
      if (charge?.state === 'approved')
        charge.state = !this.holdsAtApproval || (await hold()) ? 'taken' : 'failed';
      return this.#outcome(reference);
    });
  }

  cancel({ reference, amount }: Attempt): Promise<PaymentOutcome> {
    return this.#step('cancel', reference, async () => {
      const charge = this.charges.get(reference);
      if (!charge) this.charges.set(reference, { amount, state: 'failed', refunded: 0 });
      else if (charge.state !== 'taken') charge.state = 'failed';
      const outcome = this.#outcome(reference);
      return outcome.state === 'failed' ? { state: 'failed', failure: ended } : outcome;
    });
  }

  async refund({ reference }: Attempt, amount: number, key: string): Promise<void> {
    await this.#step('refund', reference, async () => {
      if (this.refundKeys.has(key)) return;
      if (this.refundsWait) throw new RefundPending('The fake gives it back later');
      const charge = this.charges.get(reference);
      if (this.refusesRefunds || charge?.state !== 'taken' || charge.refunded + amount > charge.amount)
        throw new RefundRefused('The fake gives nothing back');
      charge.refunded += amount;
      this.refundKeys.set(key, amount);
      this.#refunded.set(key, reference);
    });
  }

  async parseWebhook({ headers, body }: Webhook): Promise<WebhookSubject | null> {
    if (headers['fake-signature'] !== 'good') return null;
    const [reference = '', refundKey] = body.toString().split(' ');
    return { reference, ...(refundKey === undefined ? {} : { refundKey }) };
  }

  async activity({ reference }: Attempt): Promise<ProviderActivity> {
    const keys = [...this.refundKeys].filter(([key]) => this.#refunded.get(key) === reference);
    const refunds = keys.map(([key, amount]) => {
      const reason = this.failedRefunds.get(key);
      return {
        id: `re-${key}`,
        key,
        amount,
        state: reason ? ('failed' as const) : ('given' as const),
        at: 0,
        reason: reason ?? '',
      };
    });
    return { ...noActivity, refunds };
  }

  /** A completed refund fails after all, and its money is back at the provider. */
  failRefund({ reference }: Pick<Attempt, 'reference'>, key: string, reason: string): void {
    const charge = this.charges.get(reference);
    if (charge) charge.refunded -= this.refundKeys.get(key) ?? 0;
    this.failedRefunds.set(key, reason);
  }

  async #step<T>(step: Step, reference: string, work: () => Promise<T>): Promise<T> {
    await this.around(step, 'before', reference);
    // As it stood when the question was sent.
    const line = this.line;
    if (line === 'silent') throw new Error('No answer from the fake');
    const answer = await work();
    await this.around(step, 'after', reference);
    if (line === 'lost') throw new Error('The answer of the fake was lost');
    return answer;
  }

  #outcome(reference: string): PaymentOutcome {
    const charge = this.charges.get(reference);
    switch (charge?.state) {
      case undefined:
        return { state: 'undecided' };
      case 'taken':
        return { state: 'succeeded' };
      case 'failed':
        return { state: 'failed', failure: declined };
      default:
        return { state: 'action', action: { type: 'fake', token: FakeProvider.idOf(reference) } };
    }
  }
}
