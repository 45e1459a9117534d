/**
 * Braintree: the drop-in form in the browser turns the card into a nonce, and the shop creates a sale with it.
 *
 * Why a reference is never charged twice: Braintree's SDK has an idempotency key (apiRequestKey), but Braintree enables it for
 * selected merchants only, so nothing here relies on it.
 * 1. Only the process that has won the reference's decision ('charge', see decisions.ts) sends a sale, even after a crash, so at
 *    most one sale is ever sent for it. A nonce is also valid only once.
 * 2. The sale carries the reference in its order id. If its outcome is unknown, because the answer was lost or another process
 *    sent it, the sale is looked up: by the stored id, else by a search.
 * 3. An attempt that is cancelled first has 'end' as its decision, and no sale can follow.
 * https://developer.paypal.com/braintree/graphql/integration_guides/idempotency
 */
import type { Database } from '#db/database.ts';
import { serve } from '#server/http/endpoint.ts';
import { amountOf, decimalAmount } from '#server/modules/payments/providers/amounts.ts';
import { createDecisions, type Decision, settledBy } from '#server/modules/payments/providers/decisions.ts';
import {
  type Attempt,
  AttemptUnknown,
  attemptEnded,
  type Charge,
  noActivity,
  type PaymentOutcome,
  type PaymentProvider,
  providerTimeoutMs,
  RefundPending,
  RefundRefused,
  type RightCheck,
  RightMissing,
  type Webhook,
  type WebhookSubject,
} from '#server/modules/payments/providers/provider.ts';
import {
  gatewayNotSetUp,
  type ProviderDefinition,
  paymentFormUnavailable,
} from '#server/modules/payments/providers/provider-definition.ts';
import { once } from '#server/platform/once.ts';
import { braintree as contract } from '../contract.ts';
import { activityOf, takenOf } from './activity.ts';
import type {
  BraintreeAnswer,
  BraintreeClient,
  BraintreeTransaction,
  createBraintreeClient,
} from './client.ts';
import { type BraintreeConfig, readBraintreeConfig } from './config.ts';
import {
  type BraintreeContext,
  cameToNothing,
  cardAgain,
  createSales,
  earlyRefundErrors,
  finalRefundErrors,
  findSale,
  referenceOf,
  unavailable,
  voidKey,
} from './sales.ts';

export const braintree: ProviderDefinition<BraintreeProvider, BraintreeConfig> = {
  webhookPath: 'braintree',
  readConfig: readBraintreeConfig,
  create: (config, deps) => createBraintreeProvider({ ...deps, config }),
  keyMode: ({ environment }) => (environment === 'production' ? 'live' : 'test'),
  dashboardUrl({ environment, merchantId }, providerId) {
    const host = environment === 'sandbox' ? 'sandbox.braintreegateway.com' : 'www.braintreegateway.com';
    return `https://${host}/merchants/${merchantId}/transactions/${encodeURIComponent(providerId)}`;
  },

  disputeUrl({ environment, merchantId }, disputeId) {
    const host = environment === 'sandbox' ? 'sandbox.braintreegateway.com' : 'www.braintreegateway.com';
    return `https://${host}/merchants/${merchantId}/disputes/${encodeURIComponent(disputeId)}`;
  },

  registerRoutes(app, providerNow, { paying, currency }) {
    serve(app, 'braintreeToken', async ({ request }) => {
      const provider = await providerNow();
      if (!provider) throw gatewayNotSetUp();
      const token = await provider.clientToken(await currency()).catch((err: unknown) => {
        request.log.warn({ err, provider: provider.name }, 'payment form not available');
        throw paymentFormUnavailable();
      });
      return { token };
    });
    serve(app, 'payByBraintree', async ({ session, body, lang, request }) => {
      const { payment_method_nonce = '', deviceData = '', billVersion, billingAddress } = body;
      const errors = payment_method_nonce === '' ? { payment_method_nonce: 'field.required' as const } : {};
      const provider = await providerNow();
      if (!provider) throw gatewayNotSetUp();
      const input = { payment_method_nonce, deviceData };
      return paying.pay(
        session,
        provider.name,
        { input, billVersion, billingAddress, errors, address: request.ip },
        lang,
      );
    });
  },
};

const unsettled = ['authorized', 'submitted_for_settlement', 'settlement_pending'];

/** `deviceData` is what the drop-in collected about the browser, for Braintree's fraud checks. */
export interface BraintreeProvider
  extends PaymentProvider<{ payment_method_nonce: string; deviceData?: string }> {
  /** Shared by all shoppers for some minutes. @throws {Error} if there is none, or not with the required 3-D Secure */
  clientToken(currency: string): Promise<string>;
}
/** How long one client token serves all shoppers, ms. Braintree accepts it for a day, so an open form outlives it. */
const tokenMs = 10 * 60_000;
/** How long a failure to get one is the answer, ms: anyone can ask for a token. */
const tokenFailureMs = 5000;
/** A sale that cannot be found this long after its decision was never sent: the process crashed in between. In ms. */
const strayMs = 10 * 60_000;

export interface BraintreeDeps {
  config: BraintreeConfig;
  db: Database;
  now: () => number;
  timeoutMs?: number | undefined;
}

export function createBraintreeProvider({
  config,
  db,
  now,
  timeoutMs = providerTimeoutMs,
}: BraintreeDeps): BraintreeProvider {
  const decisions = createDecisions({ db, provider: contract.name, now });
  // The SDK is large: it is loaded on first use.
  const client = once(() =>
    import('./client.ts').then((module: { createBraintreeClient: typeof createBraintreeClient }) =>
      module.createBraintreeClient(config, timeoutMs),
    ),
  );
  const context: BraintreeContext = { client, decisions, config };
  const sales = createSales(context);
  const merchantAccount = createMerchantAccounts(client);
  const refunds = createBraintreeRefunds({
    client,
    findSale: (attempt) => findSale(context, attempt),
    async voidingFor(reference, key) {
      await decisions.decide(voidKey(reference), 'end');
      await decisions.decide(voidKey(reference, key), 'end');
    },
    wasVoidedFor: async (reference, key) => (await decisions.find(voidKey(reference, key))) !== null,
  });

  return {
    name: contract.name,

    browser: browserOrigins(config),

    async start(charge, input, keep) {
      const { reference } = charge;
      const over = settledBy(await decisions.find(reference));
      if (over) return over;
      const { payment_method_nonce: paymentMethodNonce, deviceData = '' } = input;
      if (!paymentMethodNonce)
        return settledBy(await decisions.decide(reference, 'end', cardAgain)) ?? { state: 'undecided' };
      // Before the decision: if this fails nothing was sent, and the attempt stays open.
      const merchantAccountId = await merchantAccount(charge.currency);
      const amount = writable(charge);
      if (!merchantAccountId || amount === null)
        return settledBy(await decisions.decide(reference, 'end', unavailable)) ?? { state: 'undecided' };
      const decision = await decisions.decide(reference, 'charge');
      if (!decision.mine)
        return (
          settledBy(decision) ??
          (await sales.outcomeOf({ ...charge, providerId: null })) ?? { state: 'undecided' }
        );
      return sales.send(charge, { amount, paymentMethodNonce, merchantAccountId, deviceData }, keep);
    },

    async complete(attempt) {
      const decision = await decisions.find(attempt.reference);
      const over = overBy(decision);
      if (!over) return (decision && (await sales.outcomeOf(attempt))) ?? { state: 'undecided' };
      if (decision?.verdict !== 'charge') return over;
      // A sale given up as never sent may have been sent after all: clocks differ, or a process was suspended.
      const found = await sales.outcomeOf(attempt).catch((error: unknown) => {
        if (error instanceof AttemptUnknown) return null;
        throw error;
      });
      return found?.state === 'succeeded' ? found : over;
    },

    async cancel(attempt) {
      const decision = await decisions.decide(attempt.reference, 'end');
      const outcome = overBy(decision) ?? (await sales.outcomeOf(attempt));
      if (outcome) return outcome;
      // Its sale may still be on its way, until it is too old for that.
      if (now() - decision.at < strayMs) return { state: 'undecided' };
      await decisions.fail(attempt.reference, attemptEnded);
      return neverSent;
    },

    refund: refunds.refund,

    async activity(attempt) {
      const sale = await findSale(context, attempt);
      if (!sale) return noActivity;
      const voidedThere = sale.status === 'voided' && !(await decisions.find(voidKey(attempt.reference)));
      return activityOf(sale, await refunds.refundsOf(sale), voidedThere);
    },

    takenSince: async (since) => takenOf(await (await client()).transactionsSince(since)),

    settlements: {
      says: { rowsOfPayouts: true, fees: false },
      async *read(from, to) {
        const { readSettlements } = await import('./settlements.ts');
        return yield* readSettlements(await client(), from, to);
      },
    },

    parseWebhook: (webhook) => readWebhook(client, webhook),
    rights: async () => rightsOf(await client(), now()),
    clientToken: keptTokens(now, async (currency) =>
      createClientToken(await client(), config, currency, await merchantAccount(currency)),
    ),
  };
}

/** No transaction has this id. */
const nowhere = 'shopwright_doctor';

/** The user to whom the keys belong has these rights by its role, at the gear → Team. */
function rightsOf(braintree: BraintreeClient, now: number): RightCheck[] {
  const checks: [right: string, ask: () => Promise<unknown>][] = [
    ['read merchant accounts', () => braintree.merchantAccountFor('')],
    ['list transactions', () => braintree.transactionsSince(now)],
    [
      'refund',
      () =>
        braintree.refund(nowhere, '0.01', nowhere).catch((error: unknown) => {
          if (!(error instanceof Error && error.name === 'notFoundError')) throw error;
        }),
    ],
  ];
  const attempt = async (ask: () => Promise<unknown>, right: string) => {
    await ask().catch((error: unknown) => {
      const name = error instanceof Error ? error.name : '';
      if (name === 'authenticationError')
        throw new RightMissing('Braintree: the keys are wrong, or were revoked');
      if (name === 'authorizationError')
        throw new RightMissing(`Braintree: the role of the keys’ user may not ${right}`);
      throw error;
    });
  };
  return checks.map(([right, ask]) => ({ right, attempt: () => attempt(ask, right) }));
}

/** The outcome of a sale that counts as never sent. A suspended process can still send it, and Braintree sends no webhook then. */
const neverSent: PaymentOutcome = { state: 'failed', failure: attemptEnded, askAgain: true };

function overBy(decision: Decision | null): PaymentOutcome | null {
  const givenUp = decision?.verdict === 'charge' && decision.failure?.errorKey === attemptEnded.errorKey;
  return givenUp ? neverSent : settledBy(decision);
}

function keptTokens(
  now: () => number,
  ask: (currency: string) => Promise<string>,
): BraintreeProvider['clientToken'] {
  const tokens = new Map<string, { token: Promise<string>; until: number }>();
  return (currency) => {
    const known = tokens.get(currency);
    if (known && now() < known.until) return known.token;
    const kept = { token: ask(currency), until: now() + tokenMs };
    tokens.set(currency, kept);
    kept.token.catch(() => {
      kept.until = now() + tokenFailureMs;
    });
    return kept.token;
  };
}

/** Each has a single currency: with another one, the amount would be wrong. */
function createMerchantAccounts(client: () => Promise<BraintreeClient>) {
  const accounts = new Map<string, string>();
  return async (currency: string): Promise<string | null> => {
    const known = accounts.get(currency);
    if (known) return known;
    const found = await (await client()).merchantAccountFor(currency);
    if (found) accounts.set(currency, found);
    return found;
  };
}

async function readWebhook(
  client: () => Promise<BraintreeClient>,
  { headers, body }: Webhook,
): Promise<WebhookSubject | null> {
  const type = headers['content-type'];
  if (typeof type !== 'string' || type.split(';')[0]?.trim() !== 'application/x-www-form-urlencoded')
    return null;
  const form = new URLSearchParams(body.toString('utf8'));
  const braintree = await client();
  const notification = await braintree.readWebhook(
    form.get('bt_signature') ?? '',
    form.get('bt_payload') ?? '',
  );
  if (!notification) return null;
  const { transactionId } = notification;
  if (transactionId === null) return { reference: '' };
  // Signed, so the transaction belongs to this account.
  const found = await braintree.find(transactionId);
  const { orderId = '', amount, currencyIsoCode: currency = '', refundedTransactionId } = found;
  // A refund's order id is its key.
  if (refundedTransactionId) return { reference: '', providerId: refundedTransactionId };
  return { reference: referenceOf(orderId), money: { amount: amountOf(amount, currency), currency } };
}

async function createClientToken(
  braintree: BraintreeClient,
  config: BraintreeConfig,
  currency: string,
  account: string | null,
): Promise<string> {
  if (!account) throw new Error(noAccount(config, currency));
  const token = await braintree.clientToken(account);
  if (config.threeDSecure === 'required' && !hasThreeDSecure(token))
    throw new Error('BRAINTREE_THREE_D_SECURE is required, but 3-D Secure is off for the merchant account');
  return token;
}

function noAccount({ merchantAccountId }: BraintreeConfig, currency: string): string {
  const which =
    merchantAccountId === null
      ? 'No active merchant account'
      : `Merchant account ${merchantAccountId} is not active, or not`;
  return `${which} paid in ${currency}`;
}

function hasThreeDSecure(token: string): boolean {
  const { threeDSecureEnabled } = JSON.parse(Buffer.from(token, 'base64').toString('utf8')) as {
    threeDSecureEnabled?: unknown;
  };
  return threeDSecureEnabled === true;
}

function writable({ amount, currency }: Charge): string | null {
  try {
    return decimalAmount(amount, currency);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/**
 * The origins that the drop-in loads, frames and connects to.
 * https://braintree.github.io/braintree-web-drop-in/docs/current/#content-security-policy and, for 3-D Secure,
 * https://github.com/braintree/braintree-web-drop-in/issues/977 (Cardinal's second domain)
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
      sandbox
        ? 'https://client-analytics.sandbox.braintreegateway.com'
        : 'https://client-analytics.braintreegateway.com',
      'https://*.braintree-api.com',
      'https://*.cardinalcommerce.com',
      'https://*.cardinaltrusted.com',
      'https://c.paypal.com',
    ],
    // PayPal's two are the data collector's: https://developer.paypal.com/limited-release/fraudnet/integrate
    images: ['https://assets.braintreegateway.com', 'https://c.paypal.com', 'https://b.stats.paypal.com'],
    // The drop-in is part of the page itself, with style sheets that it adds there.
    styles: ['https://assets.braintreegateway.com', "'unsafe-inline'"],
  };
}

interface RefundDeps {
  client(): Promise<BraintreeClient>;
  findSale(attempt: Attempt): Promise<BraintreeTransaction | null>;
  voidingFor(reference: string, key: string): Promise<void>;
  wasVoidedFor(reference: string, key: string): Promise<boolean>;
}

/**
 * A settled sale can be refunded in parts; an unsettled one can only be voided as a whole. A partial refund waits until the sale
 * is settled, up to two days, so it is retried rather than refused.
 * https://developer.paypal.com/braintree/docs/reference/request/transaction/refund
 */
function createBraintreeRefunds({ client, findSale, voidingFor, wasVoidedFor }: RefundDeps) {
  /** By their ids, not by a search, which may lag behind. */
  async function refundsOf({ refundIds = [] }: BraintreeTransaction): Promise<BraintreeTransaction[]> {
    const braintree = await client();
    return Promise.all(refundIds.map((id) => braintree.find(id)));
  }

  async function voidSale(sale: BraintreeTransaction, attempt: Attempt, key: string): Promise<void> {
    await voidingFor(attempt.reference, key);
    expectDone(await (await client()).void(sale.id));
  }

  return {
    refundsOf,
    async refund(attempt: Attempt, amount: number, key: string): Promise<void> {
      const sale = await findSale(attempt);
      if (!sale) throw new Error('Braintree knows of no sale for this payment');
      if (sale.status === 'voided') {
        // Its money was refunded, perhaps by this very refund, if its answer was lost.
        if (await wasVoidedFor(attempt.reference, key)) return;
        throw new RefundRefused('The sale was voided, so there is nothing left of it');
      }
      const before = await refundsOf(sale);
      const same = before.find(({ orderId }) => orderId === key);
      if (same && cameToNothing(same))
        throw new RefundRefused(`The bank did not take it back: ${same.status}`);
      if (same) return;
      const given = before
        .filter((each) => !cameToNothing(each))
        .reduce((sum, each) => sum + amountOf(each.amount, attempt.currency), 0);
      const sold = amountOf(sale.amount, attempt.currency);
      const left = sold - given;
      if (amount > left) throw new RefundRefused('More than is left of the sale');
      if (!unsettled.includes(sale.status)) {
        expectDone(await (await client()).refund(sale.id, decimalAmount(amount, attempt.currency), key));
      } else if (amount === sold) {
        await voidSale(sale, attempt, key);
      } else {
        throw new RefundPending('A part of a sale can be given back once the sale is settled');
      }
    },
  };
}

function expectDone(answer: BraintreeAnswer): void {
  if (answer.success) return;
  const { codes, transaction } = answer;
  const said = `Braintree refused: ${codes.join(', ') || (transaction?.status ?? 'no reason given')}`;
  const anyOf = (known: Readonly<Record<string, string>>) =>
    Object.values(known).some((code) => codes.includes(code));
  if (anyOf(finalRefundErrors) || (transaction && cameToNothing(transaction))) throw new RefundRefused(said);
  throw anyOf(earlyRefundErrors) ? new RefundPending(said) : new Error(said);
}
