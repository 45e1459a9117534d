/**
 * Stripe's idempotency keys: https://docs.stripe.com/api/idempotent_requests
 * The first answer of a key is repeated, including errors of the endpoint. Other parameters or another endpoint are an error. A
 * request that is rejected before the endpoint starts, or while another request with the key is running, is not stored. Keys
 * are forgotten after a day.
 */
import { Problem } from './problem.ts';

export interface Answer {
  status: number;
  body: object;
}

interface Kept {
  request: string;
  answer: Answer | null;
}

export class IdempotencyKeys {
  readonly #kept = new Map<string, Kept>();

  /** `request` is the endpoint and its parameters. */
  async run(
    key: string,
    request: string,
    work: () => Promise<Answer>,
  ): Promise<Answer & { replayed?: true }> {
    const known = this.#kept.get(key);
    if (known && known.request !== request) {
      throw new Problem(400, {
        type: 'idempotency_error',
        message: `Keys for idempotent requests can only be used with the same parameters and the same endpoint they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
      });
    }
    if (known?.answer) return { ...known.answer, replayed: true };
    if (known) {
      throw new Problem(409, {
        type: 'idempotency_error',
        code: 'idempotency_key_in_use',
        message: `There is currently another in-progress request using this Stripe-Idempotency-Key (${key}).`,
      });
    }
    const mine: Kept = { request, answer: null };
    this.#kept.set(key, mine);
    try {
      mine.answer = await work();
      return mine.answer;
    } catch (error) {
      this.#kept.delete(key);
      throw error;
    }
  }

  /** Advances the clock by a day. */
  forget(): void {
    this.#kept.clear();
  }
}
