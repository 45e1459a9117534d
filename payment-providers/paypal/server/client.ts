/** PayPal's own SDK, and the calls that it lacks with its token. */
import {
  type CapturedPayment,
  Client,
  Environment,
  type Order,
  type OrderRequest,
  OrdersController,
  PaymentsController,
  type Refund,
  type RefundRequest,
} from '@paypal/paypal-server-sdk';
import type { PayPalConfig } from './config.ts';

/** PayPal refused a valid request. */
export class PayPalRefusal extends Error {
  override name = 'PayPalRefusal';
  readonly status: number;
  /** PayPal's names of the problems, such as INSTRUMENT_DECLINED; the error's own name if it has no details. */
  readonly issues: readonly string[];

  constructor(status: number, issues: readonly string[]) {
    super(`PayPal refused with ${status}: ${issues.join(', ') || 'no reason given'}`);
    this.status = status;
    this.issues = issues;
  }
}

/** https://developer.paypal.com/docs/api/customer-disputes/v1/ */
export interface PayPalDispute {
  dispute_id: string;
  create_time: string;
  reason?: string;
  status: string;
  /** INQUIRY until somebody escalates it to a claim. */
  dispute_life_cycle_stage?: string;
  dispute_amount: { currency_code: string; value: string };
  seller_response_due_date?: string;
  dispute_outcome?: { outcome_code?: string };
}

/** https://developer.paypal.com/docs/api/transaction-search/v1/ */
export interface PayPalTransaction {
  transaction_id: string;
  /** Of a refund, the id of the transaction that it refunds. */
  paypal_reference_id?: string;
  /** T00…: a payment. T11…: a refund or reversal. https://developer.paypal.com/docs/reports/reference/tcodes/ */
  transaction_event_code: string;
  transaction_initiation_date: string;
  /** Negative where the money left the account. */
  transaction_amount: { currency_code: string; value: string };
  /** S: successful, V: fully refunded, P: pending, D: denied. */
  transaction_status: string;
  invoice_id?: string;
  custom_field?: string;
  /** Below zero for what PayPal took. PayPal leaves it out where it took nothing. */
  fee_amount?: { currency_code: string; value: string };
}

/** PayPal was asked too often. */
export class PayPalBusy extends Error {
  override name = 'PayPalBusy';
}

export type PayPalClient = ReturnType<typeof createPayPalClient>;

/** `timeout` in ms. Every call throws a `PayPalRefusal`, or another error if PayPal gave no valid answer. */
export function createPayPalClient(config: PayPalConfig, timeout: number) {
  const connect = () => {
    const client = config.apiUrl
      ? new LocalClient(config, timeout, config.apiUrl)
      : new Client(options(config, timeout));
    return { client, orders: new OrdersController(client), payments: new PaymentsController(client) };
  };
  type Connection = ReturnType<typeof connect>;
  let connection = connect();
  const whole = { prefer: 'return=representation' };

  /**
   * Makes a call, and once more with a new token if PayPal no longer takes the one that the SDK keeps: the first was not carried
   * out then.
   */
  async function ask<T>(call: (to: Connection) => Promise<{ result: T }>): Promise<T> {
    const used = connection;
    try {
      return await understood(call(used));
    } catch (error) {
      if (!(error instanceof PayPalRefusal) || error.status !== 401) throw error;
      if (connection === used) connection = connect();
      return understood(call(connection));
    }
  }

  /** Makes a GET call that the SDK does not have. */
  async function get<T>(path: string, query: Record<string, string | number> = {}): Promise<T> {
    const text = await ask(({ client }) => {
      const request = client.getRequestBuilderFactory()('GET', path);
      request.query(query);
      request.authenticate([{ oauth2: true }]);
      return request.callAsText();
    });
    return JSON.parse(text) as T;
  }

  return {
    createOrder: (body: OrderRequest, paypalRequestId: string): Promise<Order> =>
      ask(({ orders }) => orders.createOrder({ body, paypalRequestId, ...whole })),
    findOrder: (id: string): Promise<Order> => ask(({ orders }) => orders.getOrder({ id })),
    captureOrder: (id: string, paypalRequestId: string): Promise<Order> =>
      ask(({ orders }) => orders.captureOrder({ id, paypalRequestId, ...whole })),
    findCapture: (captureId: string): Promise<CapturedPayment> =>
      ask(({ payments }) => payments.getCapturedPayment({ captureId })),
    /** Without an amount it refunds all that is left. */
    refundCapture: (captureId: string, body: RefundRequest, paypalRequestId: string): Promise<Refund> =>
      ask(({ payments }) => payments.refundCapturedPayment({ captureId, paypalRequestId, body, ...whole })),
    findRefund: (refundId: string): Promise<Refund> =>
      ask(({ payments }) => payments.getRefund({ refundId })),
    async disputesOf(captureId: string): Promise<PayPalDispute[]> {
      const listed = await get<{ items?: PayPalDispute[] }>('/v1/customer/disputes', {
        disputed_transaction_id: captureId,
        page_size: 50,
      });
      return Promise.all(
        (listed.items ?? []).map((each) =>
          each.status === 'RESOLVED'
            ? get<PayPalDispute>(`/v1/customer/disputes/${encodeURIComponent(each.dispute_id)}`)
            : each,
        ),
      );
    },
    /** The transactions of at most 31 days. PayPal lists one up to three hours late. */
    transactions: (from: number, to: number) => listTransactions(get, from, to),
    /** A page of them, the first being 1. */
    transactionPage: (from: number, to: number, page: number) => transactionPage(get, from, to, page),
    /** Whether PayPal confirms that it sent this; `event` is the raw JSON. */
    async verifyWebhook(transmission: Readonly<Record<string, string>>, event: string): Promise<boolean> {
      const answer = await ask(({ client }) => {
        const request = client.getRequestBuilderFactory()(
          'POST',
          '/v1/notifications/verify-webhook-signature',
        );
        request.header('Content-Type', 'application/json');
        // The event is repeated byte for byte: parsed and serialised again it would no longer match its signature.
        request.text(`${JSON.stringify(transmission).slice(0, -1)},"webhook_event":${event}}`);
        request.authenticate([{ oauth2: true }]);
        return request.callAsText();
      });
      return (JSON.parse(answer) as { verification_status?: string }).verification_status === 'SUCCESS';
    },
  };
}

async function listTransactions(
  get: <T>(path: string, query: Record<string, string | number>) => Promise<T>,
  from: number,
  to: number,
): Promise<PayPalTransaction[]> {
  const found: PayPalTransaction[] = [];
  for (let page = 1, pages = 1; page <= pages; page++) {
    const listed = await transactionPage(get, from, to, page);
    found.push(...(listed.transaction_details ?? []).map((each) => each.transaction_info));
    pages = listed.total_pages ?? 1;
  }
  return found;
}

function transactionPage(
  get: <T>(path: string, query: Record<string, string | number>) => Promise<T>,
  from: number,
  to: number,
  page: number,
): Promise<TransactionPage> {
  const query = {
    start_date: rfc3339(from),
    end_date: rfc3339(to),
    fields: 'transaction_info',
    page_size: 500,
    page,
  };
  return get<TransactionPage>('/v1/reporting/transactions', query);
}

export interface TransactionPage {
  transaction_details?: { transaction_info: PayPalTransaction }[];
  total_pages?: number;
  /** Until when PayPal lists everything. */
  last_refreshed_datetime?: string;
}

const rfc3339 = (at: number) => `${new Date(at).toISOString().slice(0, 19)}Z`;

function options({ clientId, clientSecret, mode }: PayPalConfig, timeout: number) {
  return {
    clientCredentialsAuthCredentials: { oAuthClientId: clientId, oAuthClientSecret: clientSecret },
    environment: mode === 'live' ? Environment.Production : Environment.Sandbox,
    // The SDK retries nothing by itself (maxNumberOfRetries is 0).
    timeout,
  };
}

type RequestFactory = ReturnType<Client['getRequestBuilderFactory']>;

/** The SDK with all requests, including those for tokens, sent to a local fake: it supports only PayPal's own addresses. */
class LocalClient extends Client {
  readonly #address: string;

  constructor(config: PayPalConfig, timeout: number, address: string) {
    super(options(config, timeout));
    this.#address = address;
  }

  override getRequestBuilderFactory(): RequestFactory {
    const make = super.getRequestBuilderFactory();
    return (method, path) => {
      const builder = make(method, path);
      builder.interceptRequest((request) => {
        const { pathname, search } = new URL(request.url);
        return { ...request, url: `${this.#address}${pathname}${search}` };
      });
      return builder;
    };
  }
}

/** A 4xx response becomes a `PayPalRefusal`. */
async function understood<T>(call: Promise<{ result: T }>): Promise<T> {
  try {
    return (await call).result;
  } catch (error) {
    const { statusCode, body, result = resultIn(body) } = (error ?? {}) as Partial<ApiFailure>;
    // Too many requests, or a parallel one with the same request id: both may succeed later.
    const refused =
      statusCode !== undefined &&
      statusCode >= 400 &&
      statusCode < 500 &&
      ![408, 409, 429].includes(statusCode);
    // Errors of the SDK contain the request with the shop's token, which must not be logged.
    if (statusCode === 429) throw new PayPalBusy('PayPal was asked too often: 429');
    if (!refused)
      throw new Error(
        `PayPal gave no answer: ${statusCode ?? (error instanceof Error ? error.message : 'unknown')}`,
      );
    const issues = result?.details?.flatMap(({ issue }) => issue ?? []) ?? [];
    throw new PayPalRefusal(statusCode, issues.length > 0 ? issues : [result?.name ?? result?.error ?? '']);
  }
}

/** The SDK's errors for unsuccessful responses: 'name' and 'details' from the API, 'error' from the token endpoint. */
interface ApiFailure {
  statusCode: number;
  result: { name?: string; details?: { issue?: string }[]; error?: string } | undefined;
  /** Of calls that the SDK does not have, whose results it does not parse. */
  body: unknown;
}

function resultIn(body: unknown): ApiFailure['result'] {
  try {
    return typeof body === 'string' ? (JSON.parse(body) as ApiFailure['result']) : undefined;
  } catch {
    return undefined;
  }
}
