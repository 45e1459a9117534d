import braintree from 'braintree';
import type { BraintreeConfig } from './config.ts';

/** A transaction at Braintree. Amounts are decimal text; `orderId` is the shop's reference, or a refund's key. */
export interface BraintreeTransaction {
  id: string;
  type: string;
  status: string;
  amount: string;
  currencyIsoCode?: string | undefined;
  /** Of a refund: the sale's id. */
  refundedTransactionId?: string | null | undefined;
  orderId?: string | undefined;
  processorResponseCode?: string | undefined;
  /** The processor's answer to the settlement, days after the sale. */
  processorSettlementResponseCode?: string | undefined;
  processorSettlementResponseText?: string | undefined;
  gatewayRejectionReason?: string | undefined;
  refundIds?: string[] | undefined;
  /** ISO 8601. */
  createdAt?: string | undefined;
  disputes?: BraintreeDispute[] | undefined;
  merchantAccountId?: string | undefined;
  /** Begins with the day of the batch: `2026-05-16_…`. */
  settlementBatchId?: string | null | undefined;
  disbursementDetails?: BraintreeDisbursement | undefined;
}

/** Of a transaction whose money Braintree itself pays out. Until then all of it is empty. */
export interface BraintreeDisbursement {
  /** YYYY-MM-DD. */
  disbursementDate?: string | null | undefined;
  /** Decimal text. */
  settlementAmount?: string | null | undefined;
  settlementCurrencyIsoCode?: string | null | undefined;
  fundsHeld?: boolean | null | undefined;
  success?: boolean | null | undefined;
}

/** What a batch has settled, by kind, card and merchant account. */
export interface BraintreeBatchRecord {
  kind: string;
  merchantAccountId: string;
  count: string;
  amountSettled: string;
}

/** Times are ISO 8601, the amount is decimal text. */
export interface BraintreeDispute {
  id: string;
  amountDisputed: string;
  status: string;
  /** 'retrieval': the bank asks for information, and takes no money. */
  kind?: string | undefined;
  reason?: string | undefined;
  createdAt: string;
  /** The last day on which the merchant can respond. */
  replyByDate?: string | null | undefined;
}

/** A refusal includes the transaction if it created one. */
export type BraintreeAnswer =
  | { success: true; transaction: BraintreeTransaction }
  | { success: false; transaction: BraintreeTransaction | null; codes: string[] };

export interface Sale {
  amount: string;
  paymentMethodNonce: string;
  merchantAccountId: string;
  orderId: string;
  /** '' if there is none. */
  deviceData: string;
  threeDSecureRequired: boolean;
}

/**
 * About disputes, and for some means of payment about settlements and refunds that failed: for cards Braintree sends none of
 * those, so the shop asks. https://developer.paypal.com/braintree/docs/reference/general/webhooks/transaction
 */
interface BraintreeNotification {
  kind: string;
  /** Of the disputed sale, or of the sale or refund that changed; null for a webhook about something else. */
  transactionId: string | null;
}

export type BraintreeClient = ReturnType<typeof createBraintreeClient>;

/** Every call throws if Braintree gives no valid answer. `timeout` in ms. */
export function createBraintreeClient(config: BraintreeConfig, timeout: number) {
  const { merchantId, publicKey, privateKey } = config;
  const gateway = new braintree.BraintreeGateway({
    environment: environmentOf(config),
    merchantId,
    publicKey,
    privateKey,
  });
  gateway.config.timeout = timeout;

  return {
    async clientToken(merchantAccountId: string): Promise<string> {
      const answer = await gateway.clientToken.generate({ merchantAccountId });
      // The types promise a token; an account that cannot have one gets an answer without it.
      const { clientToken } = answer as { clientToken?: string };
      if (!clientToken) throw new Error(`Braintree gives no client token: ${answer.message}`);
      return clientToken;
    },

    /** The configured one, else the default one, else another; null if none is active with this currency. */
    merchantAccountFor: (currency: string): Promise<string | null> =>
      findMerchantAccount(gateway, config, currency),

    async sale({ deviceData, threeDSecureRequired, ...sale }: Sale): Promise<BraintreeAnswer> {
      // Never false: that would accept a card whose verification has failed.
      const threeDSecure = threeDSecureRequired ? { threeDSecure: { required: true } } : {};
      const options = { submitForSettlement: true, ...threeDSecure };
      return answerOf(
        await gateway.transaction.sale({ ...sale, ...(deviceData ? { deviceData } : {}), options }),
      );
    },

    async find(id: string): Promise<BraintreeTransaction> {
      return transactionOf(await gateway.transaction.find(id));
    },

    /** Latest first. */
    async salesOf(reference: string): Promise<BraintreeTransaction[]> {
      const found = await search(gateway, (by) => by.orderId().endsWith(reference));
      return found.filter(({ type }) => type === 'sale');
    },

    /** `since` in epoch ms; latest first. Braintree lists at most 50,000. */
    transactionsSince: (since: number): Promise<BraintreeTransaction[]> =>
      search(gateway, (by) => by.createdAt().min(new Date(since))),

    /** Those that were settled, paid out or disputed from one time to another, epoch ms. */
    async movedBetween(from: number, to: number): Promise<BraintreeTransaction[]> {
      const [min, max] = [new Date(from), new Date(to)];
      const settled = await search(gateway, (by) => by.settledAt().between(min, max));
      const paidOut = await search(gateway, (by) => by.disbursementDate().between(min, max));
      const disputed = await search(gateway, (by) => by.disputeDate().between(min, max));
      return [...new Map([...settled, ...paidOut, ...disputed].map((each) => [each.id, each])).values()];
    },

    /** `day` as YYYY-MM-DD. */
    async batchesOf(day: string): Promise<BraintreeBatchRecord[]> {
      const answer = await gateway.settlementBatchSummary.generate({ settlementDate: day });
      // The types declare neither the answer nor its records as they are.
      const { success, settlementBatchSummary, message } = answer as unknown as {
        success: boolean;
        message?: string;
        settlementBatchSummary?: { records?: BraintreeBatchRecord[] };
      };
      if (!success)
        throw new Error(`Braintree gives no settlement batch summary: ${message ?? 'no reason given'}`);
      return settlementBatchSummary?.records ?? [];
    },

    async void(id: string): Promise<BraintreeAnswer> {
      return answerOf(await gateway.transaction.void(id));
    },

    async refund(id: string, amount: string, orderId: string): Promise<BraintreeAnswer> {
      // The types declare only an amount; the SDK passes on every field of a refund.
      const options = { amount, orderId } as unknown as string;
      return answerOf(await gateway.transaction.refund(id, options));
    },

    /** Undefined if the signature is not Braintree's. */
    readWebhook: (signature: string, payload: string) => readNotification(gateway, signature, payload),
  };
}

async function search(
  gateway: braintree.BraintreeGateway,
  criteria: Parameters<braintree.BraintreeGateway['transaction']['search']>[0],
): Promise<BraintreeTransaction[]> {
  const found: BraintreeTransaction[] = [];
  for await (const each of gateway.transaction.search(criteria)) found.push(transactionOf(each));
  return found;
}

/** The types' union has no field that all kinds share. */
interface Notification {
  kind: string;
  dispute?: { transaction?: { id?: string } };
  transaction?: { id?: string };
}

interface MerchantAccount {
  id: string;
  currencyIsoCode: string;
  status: string;
  default: boolean;
}

async function readNotification(
  gateway: braintree.BraintreeGateway,
  signature: string,
  payload: string,
): Promise<BraintreeNotification | undefined> {
  try {
    const { kind, dispute, transaction } = (await gateway.webhookNotification.parse(
      signature,
      payload,
    )) as Notification;
    return { kind, transactionId: dispute?.transaction?.id ?? transaction?.id ?? null };
  } catch (error) {
    if ((error as Error).name === 'invalidSignatureError') return undefined;
    throw error;
  }
}

async function findMerchantAccount(
  gateway: braintree.BraintreeGateway,
  config: BraintreeConfig,
  currency: string,
): Promise<string | null> {
  // The types declare a promise; the result is a stream.
  const accounts = gateway.merchantAccount.all() as unknown as AsyncIterable<MerchantAccount>;
  let found: MerchantAccount | null = null;
  for await (const account of accounts) {
    if (account.currencyIsoCode !== currency || account.status !== 'active') continue;
    if (config.merchantAccountId !== null && account.id !== config.merchantAccountId) continue;
    if (!found || account.default) found = account;
  }
  return found?.id ?? null;
}

function environmentOf({ environment, apiUrl }: BraintreeConfig): braintree.Environment {
  if (!apiUrl)
    return environment === 'production' ? braintree.Environment.Production : braintree.Environment.Sandbox;
  const { hostname, port } = new URL(apiUrl);
  return new braintree.Environment(hostname, port, '', false, '', '');
}

interface Response {
  success: boolean;
  transaction?: unknown;
  errors?: { deepErrors(): { code: string }[] };
}

function answerOf(response: Response): BraintreeAnswer {
  const transaction = response.transaction ? transactionOf(response.transaction) : null;
  if (response.success && transaction) return { success: true, transaction };
  return { success: false, transaction, codes: response.errors?.deepErrors().map(({ code }) => code) ?? [] };
}

/** Copies only the fields the shop uses, so that no card data is passed on. */
function transactionOf(from: unknown): BraintreeTransaction {
  const {
    id,
    type,
    status,
    amount,
    orderId,
    processorResponseCode,
    gatewayRejectionReason,
    refundIds,
    createdAt,
    disputes,
  } = from as BraintreeTransaction;
  const { currencyIsoCode, refundedTransactionId } = from as BraintreeTransaction;
  const { processorSettlementResponseCode, processorSettlementResponseText } = from as BraintreeTransaction;
  const { merchantAccountId, settlementBatchId, disbursementDetails } = from as BraintreeTransaction;
  const known = disputes?.map(disputeOf);
  return {
    id,
    type,
    status,
    amount,
    currencyIsoCode,
    refundedTransactionId,
    orderId,
    processorResponseCode,
    processorSettlementResponseCode,
    processorSettlementResponseText,
    gatewayRejectionReason,
    refundIds,
    createdAt,
    disputes: known,
    merchantAccountId,
    settlementBatchId,
    ...(disbursementDetails ? { disbursementDetails: disbursementOf(disbursementDetails) } : {}),
  };
}

function disbursementOf(from: BraintreeDisbursement): BraintreeDisbursement {
  const { disbursementDate, settlementAmount, settlementCurrencyIsoCode, fundsHeld, success } = from;
  return { disbursementDate, settlementAmount, settlementCurrencyIsoCode, fundsHeld, success };
}

function disputeOf({
  id,
  amountDisputed,
  status,
  kind,
  reason,
  createdAt,
  replyByDate,
}: BraintreeDispute): BraintreeDispute {
  return { id, amountDisputed, status, kind, reason, createdAt, replyByDate };
}
