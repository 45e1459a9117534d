import { expect, it, vi } from 'vitest';
import { noOrigins, type PaymentProvider, RefundRefused } from './provider.ts';
import { type ProviderProblem, reporting } from './provider-error-reporting.ts';

const attempt = { reference: 'r-1', orderId: 'o-1', amount: 100, currency: 'CAD', locale: 'en', providerId: null } as const;

function provider(change: Partial<PaymentProvider>): PaymentProvider & { extra: string } {
  return {
    name: 'Stripe',
    browser: noOrigins,
    extra: 'kept',
    start: async () => ({ state: 'succeeded' }),
    complete: async () => ({ state: 'undecided' }),
    cancel: async () => ({ state: 'undecided' }),
    refund: async () => {},
    parseWebhook: async () => null,
    ...change,
  };
}

it('what a provider throws is told and still thrown, with the attempt and nothing of what was sent', async () => {
  const report = vi.fn<(problem: ProviderProblem) => void>();
  const err = new Error('Stripe: StripeAuthenticationError');
  const told = reporting(provider({ start: () => Promise.reject(err) }), report);
  await expect(told.start(attempt, { confirmationToken: 'ctoken' }, async () => {})).rejects.toBe(err);
  expect(report.mock.calls).toEqual([[{ provider: 'Stripe', asked: 'start', reference: 'r-1', err }]]);
});

it('answers are none of anybody else’s business, and neither is a refund that is refused', async () => {
  const report = vi.fn();
  const refused = new RefundRefused('too old');
  const told = reporting(provider({ refund: () => Promise.reject(refused) }), report);
  expect(await told.start(attempt, {}, async () => {})).toEqual({ state: 'succeeded' });
  await expect(told.refund(attempt, 1, 'k')).rejects.toBe(refused);
  expect(await told.parseWebhook({ headers: {}, body: Buffer.from('') })).toBeNull();
  expect([told.name, told.extra]).toEqual(['Stripe', 'kept']);
  expect(report).not.toHaveBeenCalled();
});
