/**
 * Queues questions to payment providers, one queue with time limits per provider, so that a slow or silent provider delays
 * neither the others nor the rest of the sweep.
 */

export interface QueueLimits {
  /** How long one question may take, ms. Longer than a provider's few calls of 10 s, whose answers may trickle in. */
  questionMs: number;
  /** No question to a provider starts later than this after its queue started, ms. */
  providerMs: number;
}

/** Together less than the minute between two sweeps. */
export const queueLimits: QueueLimits = { questionMs: 25_000, providerMs: 25_000 };

export interface Question {
  id: string;
  provider: string;
  ask(): Promise<void>;
}

export type ProviderQueues = ReturnType<typeof createProviderQueues>;

/** Remembers between runs the questions still under way and when each was last asked. */
export function createProviderQueues({ questionMs, providerMs }: QueueLimits = queueLimits) {
  /** Questions that timed out: they still wait for their answer and are not asked a second time meanwhile. */
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
    /**
     * Asks one question at a time per provider, all providers in parallel; least recently asked questions come first. Questions cut
     * off by a time limit are asked the next time. Returns the errors and time-outs.
     */
    async run(questions: readonly Question[]): Promise<unknown[]> {
      const failures: unknown[] = [];
      const queues = Map.groupBy(questions, ({ provider }) => provider);
      await Promise.all([...queues.values()].map((each) => runQueue(each, failures)));
      const open = new Set(questions.map(({ id }) => id));
      askedAt = new Map([...askedAt].filter(([id]) => open.has(id)));
      return failures;
    },
  };
}
