/**
 * Watches the calls to a provider: reports those that fail, and makes each a span. The shop treats an error from a provider as an
 * unknown outcome and asks again; without the report, a wrong key would go unnoticed all day.
 */
import type { Tracer } from '#server/platform/telemetry/tracer.ts';
import { AttemptUnknown, type PaymentProvider, RefundPending, RefundRefused } from './provider.ts';

export interface ProviderProblem {
  provider: string;
  asked: 'start' | 'complete' | 'cancel' | 'refund';
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

const tracedCalls: readonly (keyof PaymentProvider)[] = [
  'start',
  'complete',
  'cancel',
  'refund',
  'refundFailure',
  'transactionId',
  'activity',
];

/** Makes each call a span. No header of the trace is sent along. The spans name the provider and the call, nothing about the payment. */
export function traced<P extends PaymentProvider>(provider: P, tracer: Tracer): P {
  return new Proxy(provider, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function' || !tracedCalls.some((call) => call === name)) return value;
      const attributes = { 'shopwright.payment.provider': target.name, 'shopwright.payment.call': String(name) };
      return (...input: unknown[]) =>
        tracer.span('payment provider', attributes, async () => Reflect.apply(value, target, input), 'client');
    },
  });
}
