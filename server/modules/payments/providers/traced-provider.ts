/** Makes each call to a payment provider a span. No header of the trace is sent along. */
import type { Tracer } from '#server/platform/telemetry/tracer.ts';
import type { PaymentProvider } from './provider.ts';

const calls: readonly (keyof PaymentProvider)[] = [
  'start',
  'complete',
  'cancel',
  'refund',
  'refundFailure',
  'transactionId',
  'activity',
];

/** Wraps a provider. The spans name the provider and the call, nothing about the payment. */
export function traced<P extends PaymentProvider>(provider: P, tracer: Tracer): P {
  return new Proxy(provider, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function' || !calls.some((call) => call === name)) return value;
      const attributes = { 'shopwright.payment.provider': target.name, 'shopwright.payment.call': String(name) };
      return (...input: unknown[]) =>
        tracer.span('payment provider', attributes, async () => Reflect.apply(value, target, input), 'client');
    },
  });
}
