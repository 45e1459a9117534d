/** Braintree's gateway through Braintree's own SDK, as far as the shop uses it. */
import braintree from 'braintree';
import type { BraintreeConfig } from './config.ts';

/** A transaction at Braintree. Amounts are decimal text; `orderId` is the shop's reference, or a refund's key. */
export interface BraintreeTransaction {
  id: string;
  type: string;
  status: string;
  amount: string;
  orderId?: string | undefined;
  processorResponseCode?: string | undefined;
  gatewayRejectionReason?: string | undefined;
  refundIds?: string[] | undefined;
  /** ISO 8601. */
  createdAt?: string | undefined;
  disputes?: BraintreeDispute[] | undefined;
}

/** Times are ISO 8601, the amount is decimal text. */
export interface BraintreeDispute {
  id: string;
  amountDisputed: string;
  /** Like 'open'. */
  status: string;
  /** Like 'fraud'. */
  reason?: string | undefined;
  createdAt: string;
  /** A day, until whose end the merchant can answer. */
  replyByDate?: string | null | undefined;
}

/** What Braintree answered to a request that it understood. A refusal carries a transaction where it made one. */
export type BraintreeAnswer =
  | { success: true; transaction: BraintreeTransaction }
  | { success: false; transaction: BraintreeTransaction | null; codes: string[] };

export interface Sale {
  amount: string;
  paymentMethodNonce: string;
  merchantAccountId: string;
  orderId: string;
  /** What the drop-in collected about the browser, for Braintree's fraud checks. '' where it collected nothing. */
  deviceData: string;
  /** Whether Braintree is to reject the sale unless 3-D Secure has verified the card. */
  threeDSecureRequired: boolean;
}

/** A webhook. Cards have none about sales and refunds, only about disputes. */
export interface BraintreeNotification {
  /** Like 'dispute_opened'. */
  kind: string;
  /** The disputed transaction; null for a webhook that is not about a dispute. */
  transactionId: string | null;
}

export interface BraintreeClient {
  /** For the drop-in, which verifies cards in the name of the merchant account. */
  clientToken(merchantAccountId: string): Promise<string>;
  /**
   * The active merchant account that is paid in this currency: the configured one, else the default one
   * rather than another. Null if there is none.
   */
  merchantAccountFor(currency: string): Promise<string | null>;
  sale(sale: Sale): Promise<BraintreeAnswer>;
  find(id: string): Promise<BraintreeTransaction>;
  /** Sales whose order id ends with this reference, the latest first. */
  salesOf(reference: string): Promise<BraintreeTransaction[]>;
  void(id: string): Promise<BraintreeAnswer>;
  refund(id: string, amount: string, orderId: string): Promise<BraintreeAnswer>;
  /** What a signed webhook is about. Undefined if the signature is not Braintree's. */
  readWebhook(signature: string, payload: string): Promise<BraintreeNotification | undefined>;
}

/** Every call throws where Braintree gave no answer that can be understood. `timeout` in ms. */
export function createBraintreeClient(config: BraintreeConfig, timeout: number): BraintreeClient {
  const { merchantId, publicKey, privateKey } = config;
  const gateway = new braintree.BraintreeGateway({ environment: environmentOf(config), merchantId, publicKey, privateKey });
  gateway.config.timeout = timeout;

  return {
    async clientToken(merchantAccountId) {
      const answer = await gateway.clientToken.generate({ merchantAccountId });
      // The types promise a token; an account that cannot have one is answered without.
      const { clientToken } = answer as { clientToken?: string };
      if (!clientToken) throw new Error(`Braintree gives no client token: ${answer.message}`);
      return clientToken;
    },

    async merchantAccountFor(currency) {
      // The types say a promise of all; it is a stream of them.
      const accounts = gateway.merchantAccount.all() as unknown as AsyncIterable<MerchantAccount>;
      let found: MerchantAccount | null = null;
      for await (const account of accounts) {
        if (account.currencyIsoCode !== currency || account.status !== 'active') continue;
        if (config.merchantAccountId !== null && account.id !== config.merchantAccountId) continue;
        if (!found || account.default) found = account;
      }
      return found?.id ?? null;
    },

    async sale({ deviceData, threeDSecureRequired, ...sale }) {
      // Never false: that would let a card pass whose verification has failed.
      const threeDSecure = threeDSecureRequired ? { threeDSecure: { required: true } } : {};
      const options = { submitForSettlement: true, ...threeDSecure };
      return answerOf(await gateway.transaction.sale({ ...sale, ...(deviceData ? { deviceData } : {}), options }));
    },

    async find(id) {
      return transactionOf(await gateway.transaction.find(id));
    },

    async salesOf(reference) {
      const found: BraintreeTransaction[] = [];
      const search = gateway.transaction.search((by) => by.orderId().endsWith(reference));
      for await (const each of search) found.push(transactionOf(each));
      return found.filter(({ type }) => type === 'sale');
    },

    async void(id) {
      return answerOf(await gateway.transaction.void(id));
    },

    async refund(id, amount, orderId) {
      // The types know an amount alone; the SDK passes on whatever belongs to the refund.
      const options = { amount, orderId } as unknown as string;
      return answerOf(await gateway.transaction.refund(id, options));
    },

    async readWebhook(signature, payload) {
      try {
        const { kind, dispute } = (await gateway.webhookNotification.parse(signature, payload)) as Notification;
        return { kind, transactionId: dispute?.transaction?.id ?? null };
      } catch (error) {
        if ((error as Error).name === 'invalidSignatureError') return undefined;
        throw error;
      }
    },
  };
}

/** The part of a webhook that the shop reads; the types' union has no field that all kinds share. */
interface Notification {
  kind: string;
  dispute?: { transaction?: { id?: string } };
}

interface MerchantAccount {
  id: string;
  currencyIsoCode: string;
  status: string;
  default: boolean;
}

function environmentOf({ environment, apiUrl }: BraintreeConfig): braintree.Environment {
  if (!apiUrl) return environment === 'production' ? braintree.Environment.Production : braintree.Environment.Sandbox;
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

/** The fields the shop looks at, so that nothing of the card is carried about. */
function transactionOf(from: unknown): BraintreeTransaction {
  const { id, type, status, amount, orderId, processorResponseCode, gatewayRejectionReason, refundIds, createdAt, disputes } =
    from as BraintreeTransaction;
  const known = disputes?.map(disputeOf);
  return {
    id,
    type,
    status,
    amount,
    orderId,
    processorResponseCode,
    gatewayRejectionReason,
    refundIds,
    createdAt,
    disputes: known,
  };
}

function disputeOf({ id, amountDisputed, status, reason, createdAt, replyByDate }: BraintreeDispute): BraintreeDispute {
  return { id, amountDisputed, status, reason, createdAt, replyByDate };
}
