/** An error answer of Stripe. https://docs.stripe.com/api/errors */
export interface ProblemBody {
  type: 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error';
  message: string;
  code?: string;
  /** Replaces `code` for some rejections, such as refunds that the balance does not cover. */
  message_code?: string;
  decline_code?: string;
  param?: string;
  /** The ids of the objects that the error is about. */
  charge?: string;
  payment_intent?: object;
}

export class Problem extends Error {
  readonly status: number;
  readonly body: ProblemBody;
  /** Whether the endpoint had started: only then is the answer stored with the idempotency key. */
  readonly executed: boolean;

  constructor(status: number, body: ProblemBody, { executed = false } = {}) {
    super(body.message);
    this.status = status;
    this.body = body;
    this.executed = executed;
  }
}

export const invalid = (message: string, rest: Partial<ProblemBody> = {}) =>
  new Problem(400, { type: 'invalid_request_error', message, ...rest });

export const missing = (what: string, id: string, param?: string) =>
  new Problem(param === 'intent' ? 404 : 400, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${what}: '${id}'`,
    ...(param ? { param } : {}),
  });
