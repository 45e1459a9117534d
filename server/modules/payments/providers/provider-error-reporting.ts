/**
 * Reports failed calls to a provider. The shop treats an error from a provider as an unknown outcome and asks again; without this
 * report, a wrong key would go unnoticed all day.
 */
import { AttemptUnknown, type PaymentProvider, RefundPending, RefundRefused } from './provider.ts';

export interface ProviderProblem {
  provider: string;
  /** The call that failed. */
  asked: 'start' | 'complete' | 'cancel' | 'refund';
  /** The attempt. */
  reference: string;
  err: unknown;
}

const questions: readonly string[] = ['start', 'complete', 'cancel', 'refund'] satisfies ProviderProblem['asked'][];

const isAnswer = (err: unknown) => [RefundRefused, RefundPending, AttemptUnknown].some((answer) => err instanceof answer);

/** Wraps a provider so that errors of its calls are reported. Refusals, pending refunds and unknown attempts count as answers. */
export function reporting<P extends PaymentProvider>(provider: P, report: (problem: ProviderProblem) => void): P {
  return new Proxy(provider, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function' || typeof name !== 'string' || !questions.includes(name)) return value;
      return async (attempt: { reference: string }, ...rest: unknown[]) => {
        try {
          return await Reflect.apply(value, target, [attempt, ...rest]);
        } catch (err) {
          const asked = name as ProviderProblem['asked'];
          if (!isAnswer(err)) report({ provider: target.name, asked, reference: attempt.reference, err });
          throw err;
        }
      };
    },
  });
}
