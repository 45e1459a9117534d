/**
 * Braintree's gateway as far as the shop uses it, for the real SDK to call: client tokens, merchant accounts, sales, searches,
 * voids, refunds, webhooks. Requests are JSON, answers XML, as in the SDK (node_modules/braintree/lib/braintree/http.js). A
 * request with a field that the SDK does not know is rejected (sdk.ts), and the SDK types fields, statuses and reasons of
 * answers. Sources of the formats:
 * https://developer.paypal.com/braintree/docs/reference/request/transaction/sale
 * https://developer.paypal.com/braintree/docs/reference/request/transaction/refund
 * https://developer.paypal.com/braintree/docs/reference/general/validation-errors/all
 * https://developer.paypal.com/braintree/articles/control-panel/transactions/duplicate-checking
 * https://developer.paypal.com/braintree/docs/reference/general/webhooks/transaction (none about cards)
 * https://developer.paypal.com/braintree/docs/reference/response/settlement-batch-summary
 * https://developer.paypal.com/braintree/docs/reference/response/transaction#disbursement_details
 */
import braintree from 'braintree';
import type { Attempt, Webhook } from '#server/modules/payments/providers/provider.ts';
import { type FakeAnswer, type FakeRequest, type FakeServer, serveFake } from '../http.ts';
import { type NonceKind, verdicts } from './nonces.ts';
import { errorCode, requestProblem } from './sdk.ts';
import { dashed, type XmlValue, xml } from './xml.ts';

export const braintreeKeys = {
  BRAINTREE_MERCHANT_ID: 'fakemerchant0001',
  BRAINTREE_PUBLIC_KEY: 'fakepublickey0001',
  BRAINTREE_PRIVATE_KEY: 'fakeprivatekey0001',
  BRAINTREE_ENVIRONMENT: 'sandbox',
};

export interface FakeTransaction {
  id: string;
  type: 'sale' | 'credit';
  status: braintree.TransactionStatus;
  amount: string;
  currency: string;
  merchantAccount: string;
  orderId: string;
  /** The part of the card that identifies a duplicate. */
  card: string;
  /** The device data that the drop-in's collector created. */
  deviceData: string;
  createdAt: number;
  code: string | null;
  /** The processor's answer to the settlement. */
  settlement: { code: string; text: string } | null;
  reason: braintree.GatewayRejectionReason | null;
  refundIds: string[];
  /** Of a refund: the sale's id. */
  refundOf: string | null;
  disputes: FakeDispute[];
  /** The day of its batch and of its payout, YYYY-MM-DD; null while there is none. */
  batchDay: string | null;
  payoutDay: string | null;
  /** The processor keeps its money back. */
  held: boolean;
}

/** Statuses as Braintree writes them, in lower case: the SDK passes them on, although its types differ. */
export interface FakeDispute {
  id: string;
  amountDisputed: string;
  status: string;
  kind: 'chargeback' | 'pre_arbitration' | 'retrieval';
  reason: string;
  createdAt: string;
  replyByDate: string;
}

export interface BraintreeFake extends FakeServer {
  /** The settings for the shop. */
  env: Record<string, string>;
  transactions: ReadonlyMap<string, FakeTransaction>;
  /** The nonce that the form creates for a card: single-use. Nonces of one kind stand for one card. */
  nonce(kind: NonceKind): string;
  /** The schema errors of requests so far; Braintree answered each with 400. */
  readonly problems: readonly string[];
  /** A nonce for a good card whose holder the bank has confirmed. */
  verifyNonce(nonce: string): void;
  /** Whether the account has 3-D Secure; the client token contains it. */
  threeDSecure: boolean;
  /** Whether a sale is settled at once, rather than when `settle` is called. */
  settlesAtOnce: boolean;
  settle(): void;
  /**
   * A sale or refund that was accepted changes its status, as days later at the processor.
   * https://developer.paypal.com/braintree/docs/reference/general/statuses
   */
  becomes(id: string, status: braintree.TransactionStatus): void;
  /** Whether banks decline refunds; Braintree lists a declined refund among the refunds of the sale all the same. */
  declinesRefunds: boolean;
  /** How many more transactions its batches count than there are. */
  countsTooMany: number;
  /** Requests that are answered 429 before the next is answered. */
  busy: number;
  /** Cents captured under a reference, minus refunds and disputes that were lost. */
  taken(reference: string): number;
  /** Refunds or voids a sale in the Control Panel. Returns the id of the refund. */
  refundThere(id: string, amount: string): string;
  voidThere(id: string): void;
  /** The customer's bank opens a dispute of the whole sale; its status can be changed. */
  dispute(id: string): FakeDispute;
  /** A signed webhook; `id` is that of the transaction, of a dispute that of the disputed one. */
  webhook(kind: BraintreeWebhookKind, id: string): Promise<Webhook>;
  webhookAbout(attempt: Attempt): Promise<Webhook>;
  /** Invalidates the shop's keys from now on. */
  revoke(): void;
}

/** Those about transactions exist for some means of payment only, and not for cards. */
export type BraintreeWebhookKind =
  | 'dispute_opened'
  | 'dispute_won'
  | 'dispute_lost'
  | 'refund_failed'
  | 'transaction_settled'
  | 'transaction_settlement_declined'
  | 'check';

/** Braintree's default window of duplicate checking. */
const duplicateMs = 30_000;

const accounts = [
  { id: 'shop_usd', currency: 'USD', default: true },
  { id: 'shop_cad', currency: 'CAD', default: false },
  { id: 'shop_cad_gifts', currency: 'CAD', default: false },
  ...['JPY', 'KRW', 'KWD'].map((currency) => ({
    id: `shop_${currency.toLowerCase()}`,
    currency,
    default: false,
  })),
];

const noSuchAccount: XmlValue = { errors: { errors: [] }, message: 'Merchant account is invalid' };

const sampler = new braintree.BraintreeGateway({
  environment: braintree.Environment.Sandbox,
  merchantId: braintreeKeys.BRAINTREE_MERCHANT_ID,
  publicKey: braintreeKeys.BRAINTREE_PUBLIC_KEY,
  privateKey: braintreeKeys.BRAINTREE_PRIVATE_KEY,
});

export async function startBraintreeFake(): Promise<BraintreeFake> {
  const transactions = new Map<string, FakeTransaction>();
  const nonces = new Map<string, { kind: NonceKind; used: boolean }>();
  const base = `/merchants/${braintreeKeys.BRAINTREE_MERCHANT_ID}`;
  let privateKey = braintreeKeys.BRAINTREE_PRIVATE_KEY;
  let counter = 0;
  const newId = (prefix: string) => `${prefix}${String(++counter).padStart(6, '0')}`;
  const problems: string[] = [];
  const state = {
    threeDSecure: false,
    settlesAtOnce: true,
    declinesRefunds: false,
    countsTooMany: 0,
    busy: 0,
  };

  const answerXml = (name: string, value: XmlValue, status = 200): FakeAnswer => ({
    status,
    type: 'application/xml; charset=utf-8',
    body: `<?xml version="1.0" encoding="UTF-8"?>\n${xml(name, value)}`,
  });

  /** A rejection: `made` if it created a transaction, otherwise an error or its code because the request itself was wrong. */
  function refused(
    message: string,
    { made, error, code = error && errorCode('Transaction', error), attribute = 'base' }: Refused,
  ): FakeAnswer {
    const errors: XmlValue = {
      errors: [],
      transaction: { errors: code ? [{ code, attribute, message }] : [] },
    };
    return answerXml(
      'api-error-response',
      { errors, message, ...(made ? { transaction: transactionForm(made) } : {}) },
      422,
    );
  }

  function sale(body: SaleRequest): FakeAnswer {
    const {
      amount = '',
      order_id: orderId = '',
      payment_method_nonce: name = '',
      merchant_account_id: account,
    } = body;
    const paidIn = accounts.find(({ id }) => id === account) ?? accounts.find((each) => each.default);
    if (!paidIn || (account && paidIn.id !== account))
      return refused('Merchant account ID is invalid.', {
        error: 'MerchantAccountIdIsInvalid',
        attribute: 'merchant_account_id',
      });
    if (!amountForm(paidIn.currency).test(amount))
      return refused('Amount is an invalid format.', { error: 'AmountFormatIsInvalid', attribute: 'amount' });
    if (orderId.length > 255)
      return refused('Order ID is too long.', { error: 'OrderIdIsTooLong', attribute: 'order_id' });
    const nonce = nonces.get(name);
    const attribute = 'payment_method_nonce';
    if (!nonce)
      return refused('Unknown or expired payment_method_nonce.', {
        error: 'PaymentMethodNonceUnknown',
        attribute,
      });
    if (nonce.used)
      return refused('Cannot use a payment_method_nonce more than once.', {
        error: 'PaymentMethodNonceConsumed',
        attribute,
      });
    nonce.used = true;
    const verdict = verdictOf(nonce.kind, body);
    if ('validation' in verdict)
      return refused(verdict.message, { code: verdict.validation, attribute: verdict.attribute });
    const { id: merchantAccount, currency } = paidIn;
    const taken = verdict.status === 'submitted_for_settlement';
    const { device_data: deviceData = '' } = body;
    const made: FakeTransaction = {
      id: newId('tx'),
      type: 'sale',
      status:
        taken && state.settlesAtOnce
          ? 'settled'
          : taken && !body.options?.submit_for_settlement
            ? 'authorized'
            : verdict.status,
      amount,
      currency,
      merchantAccount,
      orderId,
      card: nonce.kind,
      deviceData,
      createdAt: Date.now(),
      code: verdict.code ?? null,
      settlement: null,
      reason: verdict.reason ?? null,
      refundIds: [],
      refundOf: null,
      disputes: [],
      batchDay: null,
      payoutDay: null,
      held: false,
    };
    transactions.set(made.id, made);
    return taken ? answerXml('transaction', transactionForm(made), 201) : refused(verdict.status, { made });
  }

  /** The outcome of a sale: decided by the card, unless 3-D Secure is missing or the same sale was made a moment ago. */
  function verdictOf(kind: NonceKind, { amount = '', order_id: orderId = '', options }: SaleRequest) {
    if (options?.three_d_secure?.required && kind !== 'verified') return verdicts['not verified'];
    const isSame = (each: FakeTransaction) =>
      each.orderId === orderId && each.amount === amount && each.card === kind;
    const same = [...transactions.values()].some(
      (each) =>
        isSame(each) &&
        each.type === 'sale' &&
        moneyIn.includes(each.status) &&
        Date.now() - each.createdAt < duplicateMs,
    );
    return same
      ? ({ status: 'gateway_rejected', reason: 'duplicate', code: undefined } as const)
      : verdicts[kind];
  }

  function refund(
    of: FakeTransaction,
    { amount = of.amount, order_id: orderId = '' }: { amount?: string; order_id?: string },
  ): FakeAnswer {
    if (of.status === 'settling')
      return refused('Cannot refund a settling transaction.', { error: 'CannotRefundSettlingTransaction' });
    if (of.status !== 'settled')
      return refused('Cannot refund a transaction unless it is settled.', {
        error: 'CannotRefundUnlessSettled',
      });
    const left = cents(of) - back(of);
    if (left === 0)
      return refused('Transaction has already been completely refunded.', {
        error: 'HasAlreadyBeenRefunded',
      });
    if (cents({ ...of, amount }) > left)
      return refused('Refund amount is too large.', { error: 'RefundAmountIsTooLarge', attribute: 'amount' });
    const own = {
      refundIds: [],
      refundOf: of.id,
      disputes: [],
      batchDay: null,
      payoutDay: null,
      held: false,
    };
    const made: FakeTransaction = { ...of, ...own, id: newId('rf'), type: 'credit', amount, orderId };
    transactions.set(made.id, made);
    of.refundIds.push(made.id);
    if (state.declinesRefunds) {
      Object.assign(made, { status: 'processor_declined', code: '2000' });
      return refused('Declined', { made });
    }
    return answerXml('transaction', transactionForm(made), 201);
  }

  function voided(of: FakeTransaction): FakeAnswer {
    if (!['authorized', 'submitted_for_settlement', 'settlement_pending'].includes(of.status))
      return refused('Transaction can only be voided if status is authorized or submitted_for_settlement.', {
        error: 'CannotBeVoided',
      });
    of.status = 'voided';
    return answerXml('transaction', transactionForm(of));
  }

  const back = ({ refundIds }: FakeTransaction) =>
    refundIds
      .map((id) => transactions.get(id))
      .reduce((sum, each) => sum + (each && moneyIn.includes(each.status) ? cents(each) : 0), 0);

  const lost = ({ disputes, currency }: FakeTransaction) =>
    disputes
      .filter(
        ({ kind, status }) =>
          kind !== 'retrieval' && ['lost', 'accepted', 'auto_accepted', 'expired'].includes(status),
      )
      .reduce((sum, { amountDisputed }) => sum + cents({ amount: amountDisputed, currency }), 0);

  function there(id: string): FakeTransaction {
    const of = transactions.get(id);
    if (!of) throw new Error(`The fake has no transaction ${id}`);
    return of;
  }

  function found({ search }: { search?: Search }): FakeTransaction[] {
    const { ids, order_id: orderId, created_at: created } = search ?? {};
    const { settled_at: settled, disbursement_date: paidOut, dispute_date: disputed } = search ?? {};
    const within = (range: Range | undefined, days: readonly (string | null)[]) =>
      !range ||
      days.some(
        (day) =>
          day !== null &&
          Date.parse(day) >= Date.parse(range.min) &&
          Date.parse(day) <= Date.parse(range.max),
      );
    const fits = (each: FakeTransaction) =>
      (!ids || ids.includes(each.id)) &&
      (!orderId || each.orderId.endsWith(orderId.ends_with)) &&
      (!created || each.createdAt >= Date.parse(created.min)) &&
      within(settled, [each.batchDay]) &&
      within(paidOut, [each.payoutDay]) &&
      within(
        disputed,
        each.disputes.map(({ createdAt }) => createdAt),
      );
    return [...transactions.values()].filter(fits).reverse();
  }

  /** By kind and merchant account: all cards are of one brand. */
  function batches(day: string): XmlValue[] {
    const settled = [...transactions.values()].filter(
      ({ batchDay, status }) => batchDay === day && status === 'settled',
    );
    return [
      ...Map.groupBy(settled, ({ type, merchantAccount }) => `${type} ${merchantAccount}`).values(),
    ].map((some) => {
      const [{ type: kind = 'sale', merchantAccount = '', currency = '' } = {}] = some;
      const sum = some.reduce((total, each) => total + cents(each), 0) / 10 ** digitsOf(currency);
      return dashed({
        kind,
        merchantAccountId: merchantAccount,
        cardType: 'Visa',
        count: String(some.length + state.countsTooMany),
        amountSettled: sum.toFixed(digitsOf(currency)),
      });
    });
  }

  function answer({ method, path, headers, body }: FakeRequest): FakeAnswer {
    if (state.busy > 0) {
      state.busy -= 1;
      return { status: 429, type: 'text/plain', body: '' };
    }
    const expected = `Basic ${Buffer.from(`${braintreeKeys.BRAINTREE_PUBLIC_KEY}:${privateKey}`).toString('base64')}`;
    if (headers.authorization !== expected) return { status: 401, type: 'text/plain', body: '' };
    const sent = body ? JSON.parse(body) : {};
    const what = `${method} ${path.slice(base.length)}`;
    const problem = requestProblem(what, body ? sent : null);
    if (problem) {
      problems.push(problem);
      return { status: 400, type: 'text/plain', body: problem };
    }
    if (what === 'POST /client_token') {
      const { merchant_account_id: account } = sent.client_token as { merchant_account_id?: string };
      if (account && !accounts.some(({ id }) => id === account))
        return answerXml('api-error-response', noSuchAccount, 422);
      return answerXml('client-token', { value: clientToken(state.threeDSecure) }, 201);
    }
    if (what === 'GET /merchant_accounts') return { ...answerXml('x', ''), body: accountsForm() };
    if (what === 'POST /settlement_batch_summary')
      return answerXml('settlement-batch-summary', {
        records: batches(String(sent.settlement_batch_summary.settlement_date)),
      });
    if (what === 'POST /transactions') return sale(sent.transaction ?? {});
    if (what === 'POST /transactions/advanced_search_ids') {
      const ids = found(sent).map(({ id }) => id);
      return answerXml('search-results', { 'page-size': 50, ids });
    }
    if (what === 'POST /transactions/advanced_search') {
      const forms = found(sent).map((each) => xml('transaction', transactionForm(each)));
      const page = '<current-page-number type="integer">1</current-page-number>';
      const collection = `<credit-card-transactions type="collection">${page}${forms.join('')}</credit-card-transactions>`;
      return { status: 200, type: 'application/xml', body: collection };
    }
    const [, id = '', act = ''] = /^\w+ \/transactions\/(\w+)(?:\/(\w+))?$/.exec(what) ?? [];
    const of = transactions.get(id);
    if (!of) return { status: 404, type: 'text/plain', body: '' };
    if (method === 'GET') return answerXml('transaction', transactionForm(of));
    if (act === 'refund') return refund(of, sent.transaction ?? {});
    if (act === 'void') return voided(of);
    return { status: 404, type: 'text/plain', body: '' };
  }

  const server = await serveFake(answer);

  async function webhook(kind: Parameters<BraintreeFake['webhook']>[0], id: string): Promise<Webhook> {
    if (kind !== 'check' && !transactions.has(id)) throw new Error(`The fake has no transaction ${id}`);
    // The SDK's own samples; its types do not know all of them.
    const sample = sampler.webhookTesting.sampleNotification(kind as braintree.WebhookNotificationKind, id);
    const form = new URLSearchParams({ ...(await sample) });
    return {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: Buffer.from(form.toString()),
    };
  }

  return Object.assign(state, {
    ...server,
    env: { ...braintreeKeys, BRAINTREE_API_URL: server.url },
    transactions,
    problems,
    verifyNonce(name: string) {
      const nonce = nonces.get(name);
      if (nonce?.kind === 'good') nonce.kind = 'verified';
    },
    nonce(kind: NonceKind) {
      const name = `tokencc_fake_${newId('')}`;
      nonces.set(name, { kind, used: false });
      return name;
    },
    settle() {
      for (const each of transactions.values())
        if (each.status === 'submitted_for_settlement') each.status = 'settled';
    },
    becomes(id: string, status: braintree.TransactionStatus) {
      const of = there(id);
      of.status = status;
      if (status === 'settlement_declined') of.settlement = { code: '4001', text: 'Settlement Declined' };
    },
    taken: (reference: string) =>
      [...transactions.values()]
        .filter(
          ({ orderId, type, status }) =>
            orderId.endsWith(reference) && type === 'sale' && moneyIn.includes(status),
        )
        .reduce((sum, each) => sum + cents(each) - back(each) - lost(each), 0),
    refundThere(id: string, amount: string) {
      const of = there(id);
      // A refund without an order id of its own has that of its sale.
      refund(of, { amount, order_id: of.orderId });
      return of.refundIds.at(-1) ?? '';
    },
    voidThere(id: string) {
      voided(there(id));
    },
    dispute(id: string) {
      const of = there(id);
      const days = { createdAt: '2026-05-20T09:00:00Z', replyByDate: '2026-05-30' };
      const made: FakeDispute = {
        id: newId('dp'),
        amountDisputed: of.amount,
        status: 'open',
        kind: 'chargeback',
        reason: 'fraud',
        ...days,
      };
      of.disputes.push(made);
      return made;
    },
    webhook,
    webhookAbout({ providerId }: Attempt) {
      return webhook('dispute_opened', providerId ?? '');
    },
    revoke() {
      privateKey = 'another';
    },
  });
}

/** Statuses of transactions whose money moves. */
const moneyIn = [
  'authorizing',
  'authorized',
  'submitted_for_settlement',
  'settlement_pending',
  'settling',
  'settlement_confirmed',
  'settled',
];

/** By ISO 4217. https://developer.paypal.com/braintree/docs/reference/request/transaction/sale#amount */
const digitsOf = (currency: string) => ({ JPY: 0, KRW: 0, KWD: 3 })[currency] ?? 2;
const amountForm = (currency: string) =>
  [/^\d+$/, /^\d+$/, /^\d+(\.\d{1,2})?$/, /^\d+\.\d{3}$/][digitsOf(currency)] ?? /^$/;
const cents = ({ amount, currency }: Pick<FakeTransaction, 'amount' | 'currency'>) =>
  Math.round(Number(amount) * 10 ** digitsOf(currency));

function transactionForm(from: FakeTransaction): { [name: string]: XmlValue } {
  const form: { [Name in keyof braintree.Transaction]?: XmlValue } = {
    id: from.id,
    status: from.status,
    type: from.type,
    currencyIsoCode: from.currency,
    amount: from.amount,
    merchantAccountId: from.merchantAccount,
    orderId: from.orderId,
    processorResponseCode: from.code,
    processorSettlementResponseCode: from.settlement?.code ?? '',
    processorSettlementResponseText: from.settlement?.text ?? '',
    gatewayRejectionReason: from.reason,
    paymentInstrumentType: 'credit_card',
    refundIds: from.refundIds,
    refundedTransactionId: from.refundOf,
    createdAt: new Date(from.createdAt).toISOString(),
    settlementBatchId: from.batchDay === null ? '' : `${from.batchDay}_${from.merchantAccount}_fakebatch`,
  };
  const disbursementDetails = dashed({
    disbursementDate: from.payoutDay,
    settlementAmount: from.payoutDay === null ? null : from.amount,
    settlementCurrencyIsoCode: from.payoutDay === null ? null : from.currency,
    settlementCurrencyExchangeRate: from.payoutDay === null ? null : '1',
    fundsHeld: from.payoutDay === null ? null : from.held,
    success: from.payoutDay === null ? null : true,
  });
  return dashed({
    ...form,
    disbursementDetails,
    disputes: from.disputes.map((dispute) => dashed({ ...dispute })),
  });
}

function accountsForm(): string {
  const each = accounts.map(({ id, currency, default: first }) =>
    xml('merchant-account', { id, status: 'active', 'currency-iso-code': currency, default: first }),
  );
  const head = `<total-items type="integer">${accounts.length}</total-items><page-size type="integer">50</page-size>`;
  return `<merchant-accounts type="collection">${head}${each.join('')}</merchant-accounts>`;
}

/** Base64 of JSON, from which the drop-in reads its endpoints and the account's features. */
function clientToken(threeDSecureEnabled: boolean): string {
  const merchantId = braintreeKeys.BRAINTREE_MERCHANT_ID;
  const clientApiUrl = `https://api.sandbox.braintreegateway.com:443/merchants/${merchantId}/client_api`;
  const token = {
    version: 2,
    authorizationFingerprint: 'fake',
    environment: 'sandbox',
    merchantId,
    clientApiUrl,
    threeDSecureEnabled,
  };
  return Buffer.from(JSON.stringify(token)).toString('base64');
}

interface Refused {
  made?: FakeTransaction;
  /** The SDK's name for a validation error of a transaction. */
  error?: string;
  code?: string | undefined;
  attribute?: string;
}

interface SaleRequest {
  amount?: string;
  order_id?: string;
  payment_method_nonce?: string;
  merchant_account_id?: string;
  device_data?: string;
  options?: { submit_for_settlement?: boolean; three_d_secure?: { required?: boolean } };
}

interface Search {
  ids?: string[];
  order_id?: { ends_with: string };
  created_at?: { min: string };
  settled_at?: Range;
  disbursement_date?: Range;
  dispute_date?: Range;
}

interface Range {
  min: string;
  max: string;
}
