/** An error answer of Stripe. https://docs.stripe.com/api/errors */
export interface ProblemBody {
  type: 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error';
  message: string;
  code?: string;
  /** In the place of `code` for some refusals, as of refunds that the balance does not cover. */
  message_code?: string;
  decline_code?: string;
  param?: string;
  /** The ids of what the error is about. */
  charge?: string;
  payment_intent?: object;
}

export class Problem extends Error {
  readonly status: number;
  readonly body: ProblemBody;
  /** Whether the endpoint had begun: only then is the answer kept with the idempotency key. */
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
