/**
 * Questions to payment providers: each provider has a queue of its own with time limits, so that one that is
 * slow or silent delays neither the others nor the rest of the sweep.
 */

export interface QueueLimits {
  /** How long one question is waited for, ms. More than a provider's few calls of 10 s, which may drip. */
  questionMs: number;
  /** No question to a provider begins later than this after its queue began, ms. */
  providerMs: number;
}

/** Together less than the minute between two sweeps. */
export const queueLimits: QueueLimits = { questionMs: 25_000, providerMs: 25_000 };

export interface Question {
  /** Of the payment or refund it is about. */
  id: string;
  provider: string;
  ask(): Promise<void>;
}

export interface ProviderQueues {
  /**
   * Asks, one question at a time for each provider, all providers at once. Those that were asked least recently
   * come first. What a time limit cuts off is asked the next time. Returns what failed or took too long.
   */
  run(questions: readonly Question[]): Promise<unknown[]>;
}

/** Keeps between runs what is still under way and what was asked when. */
export function createProviderQueues({ questionMs, providerMs }: QueueLimits = queueLimits): ProviderQueues {
  /** Questions whose time was up: they still wait for their answer and are not asked twice at once. */
  const underWay = new Set<string>();
  let askedAt = new Map<string, number>();
  let count = 0;

  async function askOne({ id, provider, ask }: Question): Promise<void> {
    askedAt.set(id, ++count);
    underWay.add(id);
    const asking = ask().finally(() => underWay.delete(id));
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(new Error(`${provider} did not answer within ${questionMs} ms`)), questionMs);
    await Promise.race([asking, late]).finally(() => clearTimeout(timer));
  }

  async function runQueue(questions: readonly Question[], failures: unknown[]): Promise<void> {
    const end = performance.now() + providerMs;
    const order = (question: Question) => askedAt.get(question.id) ?? 0;
    for (const question of questions.toSorted((a, b) => order(a) - order(b))) {
      if (performance.now() >= end) return;
      if (!underWay.has(question.id)) await askOne(question).catch((error: unknown) => void failures.push(error));
    }
  }

  return {
    async run(questions) {
      const failures: unknown[] = [];
      const queues = Map.groupBy(questions, ({ provider }) => provider);
      await Promise.all([...queues.values()].map((each) => runQueue(each, failures)));
      const open = new Set(questions.map(({ id }) => id));
      askedAt = new Map([...askedAt].filter(([id]) => open.has(id)));
      return failures;
    },
  };
}
