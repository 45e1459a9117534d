/**
 * Braintree: the drop-in form in the browser makes a nonce of the card, the shop sells by it.
 *
 * What keeps a reference from charging twice. Braintree's SDK knows an idempotency key (apiRequestKey),
 * but Braintree gives it to selected merchants only, so nothing here leans on it:
 * 1. Only who has won the reference's decision ('charge', see decisions.ts) sends a sale, in all
 *    processes and after a crash, so at most one sale is ever sent for it. A nonce is good once, too.
 * 2. The sale carries the reference as order id. Whoever does not know what became of it, because the
 *    answer was lost or another process asked, looks there: by the kept id, else by a search.
 * 3. An attempt that is cancelled before has 'end' as its decision, and no sale can follow.
 * https://developer.paypal.com/braintree/graphql/integration_guides/idempotency
 */
import type { Database } from '#db/database.ts';
import { decimalAmount } from '../../amounts.ts';
import { createDecisions, failedWith, settledBy } from '../../decisions.ts';
import {
  type Attempt,
  AttemptUnknown,
  attemptEnded,
  type Charge,
  type PaymentFailure,
  type PaymentOutcome,
  type PaymentProvider,
} from '../../provider.ts';
import { providerTimeoutMs } from '../../timeout.ts';
import { activityOf } from './activity.ts';
import type { BraintreeAnswer, BraintreeClient, BraintreeTransaction, createBraintreeClient, Sale } from './client.ts';
import type { BraintreeConfig } from './config.ts';
import {
  cameToNothing,
  cardAgain,
  nonceConsumed,
  notProcessed,
  outcomeOfSale,
  unavailable,
  validationFailure,
} from './failures.ts';
import { createBraintreeRefunds } from './refunds.ts';

export const braintreeName = 'Braintree';

/** `deviceData`: what the drop-in collected about the browser, for Braintree's fraud checks. */
export interface BraintreeProvider extends PaymentProvider<{ payment_method_nonce: string; deviceData?: string }> {
  /**
   * For the drop-in, in the name of the merchant account that is paid in `currency`.
   * @throws {Error} if there is none, if it lacks the 3-D Secure that the configuration requires, or if Braintree cannot be
   * reached
   */
  clientToken(currency: string): Promise<string>;
}
/** A sale that cannot be found so long after it was to be sent was never sent: a crash came between. */
const strayMs = 10 * 60_000;

export interface BraintreeDeps {
  config: BraintreeConfig;
  db: Database;
  now: () => number;
  /** How long Braintree may take to answer, ms. */
  timeoutMs?: number | undefined;
}

export function createBraintreeProvider({ config, db, now, timeoutMs = providerTimeoutMs }: BraintreeDeps): BraintreeProvider {
  const decisions = createDecisions({ db, provider: braintreeName, now });
  // The SDK is big: only a shop that uses it loads it, when it first does.
  let opening: Promise<BraintreeClient> | undefined;
  const client = () => {
    opening ??= import('./client.ts').then((module: { createBraintreeClient: typeof createBraintreeClient }) =>
      module.createBraintreeClient(config, timeoutMs),
    );
    return opening;
  };
  const accounts = new Map<string, string>();
  /** Sales of this process that Braintree has not answered yet. Who asks meanwhile waits for the same answer. */
  const underWay = new Map<string, Promise<PaymentOutcome>>();

  /** Each merchant account is paid in one currency: by another than the charge's, the amount would be a different one. */
  async function merchantAccount(currency: string): Promise<string | null> {
    const known = accounts.get(currency);
    if (known) return known;
    const found = await (await client()).merchantAccountFor(currency);
    if (found) accounts.set(currency, found);
    return found;
  }

  async function sell(
    { reference, orderNumber }: Charge,
    sale: Omit<Sale, 'orderId' | 'threeDSecureRequired'>,
    keep: (id: string) => Promise<void>,
  ): Promise<PaymentOutcome> {
    const fail = async (failure: PaymentFailure): Promise<PaymentOutcome> => {
      await decisions.fail(reference, failure);
      return failedWith(failure);
    };
    try {
      const threeDSecureRequired = config.threeDSecure === 'required';
      const answer = await (await client()).sale({ ...sale, orderId: orderIdOf(reference, orderNumber), threeDSecureRequired });
      if (wasSoldBefore(answer)) {
        const earlier = await findSale({ reference, providerId: null });
        if (earlier) {
          await keep(earlier.id);
          return await settled(reference, earlier);
        }
        // Braintree has taken money by this order id, which its search does not find yet.
        if (answer.transaction) return { state: 'undecided' };
      }
      if (!answer.transaction) return await fail(validationFailure('codes' in answer ? answer.codes : []));
      await keep(answer.transaction.id);
      return await settled(reference, answer.transaction);
    } catch (error) {
      // Not looked at, so not charged. Anything else may have been.
      if (error instanceof Error && notProcessed.includes(error.name)) return await fail(unavailable);
      return { state: 'undecided' };
    }
  }

  async function settled(reference: string, sale: BraintreeTransaction): Promise<PaymentOutcome> {
    // A sale that was voided to give its money back had succeeded before.
    if (sale.status === 'voided' && (await decisions.find(voided(reference)))) return { state: 'succeeded' };
    const outcome = outcomeOfSale(sale);
    if (outcome.state === 'failed') await decisions.fail(reference, outcome.failure);
    return outcome;
  }

  /**
   * The sale of an attempt as it now is; null where Braintree knows of none. Of several with its order id
   * the one that took the money: all others were rejected as its duplicates.
   */
  async function findSale({
    reference,
    providerId,
  }: Pick<Attempt, 'reference' | 'providerId'>): Promise<BraintreeTransaction | null> {
    const braintree = await client();
    if (providerId !== null)
      return braintree.find(providerId).catch((error: unknown) => {
        if (!(error instanceof Error) || error.name !== 'notFoundError') throw error;
        throw new AttemptUnknown(`Braintree has no transaction ${providerId}: its keys are of another account or environment`);
      });
    const sales = (await braintree.salesOf(reference)).filter((sale) => !isDuplicate(sale));
    return sales.find((sale) => !cameToNothing(sale)) ?? sales[0] ?? null;
  }

  /** What became of an attempt whose sale was sent, or was about to be. Null where Braintree knows of none. */
  async function look(attempt: Attempt): Promise<PaymentOutcome | null> {
    const waiting = underWay.get(attempt.reference);
    if (waiting) return waiting;
    const sale = await findSale(attempt);
    return sale && settled(attempt.reference, sale);
  }

  const refunds = createBraintreeRefunds({
    client,
    findSale,
    async voidingFor(reference, key) {
      await decisions.decide(voided(reference), 'end');
      await decisions.decide(`${voided(reference)}:${key}`, 'end');
    },
    wasVoidedFor: async (reference, key) => (await decisions.find(`${voided(reference)}:${key}`)) !== null,
  });

  return {
    name: braintreeName,

    browser: browserOrigins(config),

    async start(charge, input, keep) {
      const { reference } = charge;
      const over = settledBy(await decisions.find(reference));
      if (over) return over;
      const { payment_method_nonce: paymentMethodNonce, deviceData = '' } = input;
      if (!paymentMethodNonce) return settledBy(await decisions.decide(reference, 'end', cardAgain)) ?? { state: 'undecided' };
      // Before the decision: where this cannot be had nothing was sent, and the attempt stays open.
      const merchantAccountId = await merchantAccount(charge.currency);
      const amount = writable(charge);
      if (!merchantAccountId || amount === null)
        return settledBy(await decisions.decide(reference, 'end', unavailable)) ?? { state: 'undecided' };
      const decision = await decisions.decide(reference, 'charge');
      if (!decision.mine) return settledBy(decision) ?? (await look({ ...charge, providerId: null })) ?? { state: 'undecided' };
      const selling = sell(charge, { amount, paymentMethodNonce, merchantAccountId, deviceData }, keep);
      const sale = selling.finally(() => underWay.delete(reference));
      underWay.set(reference, sale);
      return sale;
    },

    async complete(attempt) {
      const decision = await decisions.find(attempt.reference);
      const over = settledBy(decision);
      if (!over) return (decision && (await look(attempt))) ?? { state: 'undecided' };
      if (decision?.verdict !== 'charge') return over;
      // What was given up as never sent may have been: by clocks that differ, or a process that stood still.
      const found = await look(attempt).catch(() => null);
      return found?.state === 'succeeded' ? found : over;
    },

    async cancel(attempt) {
      const decision = await decisions.decide(attempt.reference, 'end');
      const outcome = settledBy(decision) ?? (await look(attempt));
      if (outcome) return outcome;
      // Its sale may still be on its way, until it is too old for that.
      if (now() - decision.at < strayMs) return { state: 'undecided' };
      await decisions.fail(attempt.reference, attemptEnded);
      return failedWith(attemptEnded);
    },

    refund: refunds.refund,

    async activity(attempt) {
      const sale = await findSale(attempt);
      if (!sale) return { refunds: [], disputes: [] };
      const voidedThere = sale.status === 'voided' && !(await decisions.find(voided(attempt.reference)));
      return activityOf(sale, await refunds.refundsOf(sale), voidedThere);
    },

    async parseWebhook({ headers, body }) {
      const type = headers['content-type'];
      if (typeof type !== 'string' || type.split(';')[0]?.trim() !== 'application/x-www-form-urlencoded') return null;
      const form = new URLSearchParams(body.toString('utf8'));
      const braintree = await client();
      const notification = await braintree.readWebhook(form.get('bt_signature') ?? '', form.get('bt_payload') ?? '');
      if (!notification) return null;
      const { transactionId } = notification;
      // Signed, so the transaction is this account's.
      const { orderId = '' } = transactionId === null ? {} : await braintree.find(transactionId);
      return { reference: referenceOf(orderId) };
    },

    async clientToken(currency) {
      const account = await merchantAccount(currency);
      if (!account) throw new Error(noAccount(config, currency));
      const token = await (await client()).clientToken(account);
      if (config.threeDSecure === 'required' && !hasThreeDSecure(token))
        throw new Error('BRAINTREE_THREE_D_SECURE is required, but 3-D Secure is off for the merchant account');
      return token;
    },
  };
}

const isDuplicate = ({ gatewayRejectionReason }: BraintreeTransaction) => gatewayRejectionReason === 'duplicate';

/**
 * Whether Braintree refused a sale because of another one that may be this very request, which something on
 * the way repeated: it is the same order id that makes a duplicate, or its nonce was used.
 * https://developer.paypal.com/braintree/articles/control-panel/transactions/duplicate-checking
 */
function wasSoldBefore(answer: BraintreeAnswer): boolean {
  if (answer.success) return false;
  return answer.transaction ? isDuplicate(answer.transaction) : answer.codes.includes(nonceConsumed);
}

function noAccount({ merchantAccountId }: BraintreeConfig, currency: string): string {
  const which =
    merchantAccountId === null ? 'No active merchant account' : `Merchant account ${merchantAccountId} is not active, or not`;
  return `${which} paid in ${currency}`;
}

/** Whether a client token, base64 of JSON, says that the merchant account has 3-D Secure. */
function hasThreeDSecure(token: string): boolean {
  const { threeDSecureEnabled } = JSON.parse(Buffer.from(token, 'base64').toString('utf8')) as { threeDSecureEnabled?: unknown };
  return threeDSecureEnabled === true;
}

/** Decimal text; null for an amount that cannot be written in its currency. */
function writable({ amount, currency }: Charge): string | null {
  try {
    return decimalAmount(amount, currency);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Under which name it is written down that a sale was voided to give back all of its money, and for which refund. */
/** The order id at Braintree: 'MC-2026-000204/<reference>', so that the merchant finds the order, or the reference alone. */
const orderIdOf = (reference: string, orderNumber: string | null | undefined) =>
  orderNumber ? `${orderNumber}/${reference}` : reference;

/** The reference in an order id; '' if there is none. */
const referenceOf = (orderId: string) => orderId.slice(orderId.lastIndexOf('/') + 1);

const voided = (reference: string) => `${reference}:void`;

/**
 * Where the drop-in comes from, what it opens and whom it asks.
 * https://braintree.github.io/braintree-web-drop-in/docs/current/#content-security-policy and, for
 * 3-D Secure, https://github.com/braintree/braintree-web-drop-in/issues/977 (Cardinal's second domain)
 */
function browserOrigins({ environment }: BraintreeConfig): BraintreeProvider['browser'] {
  const sandbox = environment === 'sandbox';
  return {
    scripts: [
      'https://js.braintreegateway.com',
      'https://assets.braintreegateway.com',
      sandbox ? 'https://songbirdstag.cardinalcommerce.com' : 'https://songbird.cardinalcommerce.com',
      sandbox ? 'https://cas.static.client.cardinaltrusted.com' : 'https://static.client.cardinaltrusted.com',
      // The data collector's (FRAUDNET_URL in braintree-web's lib/constants.js).
      'https://c.paypal.com',
    ],
    // 3-D Secure shows each bank's own page, and there is no list of those
    // (https://github.com/braintree/braintree-web-drop-in/issues/779).
    frames: ['https:'],
    connects: [
      sandbox ? 'https://api.sandbox.braintreegateway.com' : 'https://api.braintreegateway.com',
      sandbox ? 'https://client-analytics.sandbox.braintreegateway.com' : 'https://client-analytics.braintreegateway.com',
      'https://*.braintree-api.com',
      'https://*.cardinalcommerce.com',
      'https://*.cardinaltrusted.com',
      'https://c.paypal.com',
    ],
    // PayPal's two are the data collector's: https://developer.paypal.com/limited-release/fraudnet/integrate
    images: ['https://assets.braintreegateway.com', 'https://c.paypal.com', 'https://b.stats.paypal.com'],
    // The drop-in stands in the page itself, with style sheets that it writes there.
    styles: ['https://assets.braintreegateway.com', "'unsafe-inline'"],
  };
}
