import { expect, it, vi } from 'vitest';
import { noOrigins } from '#server/http/security-headers.ts';
import { type PaymentProvider, RefundRefused } from './provider.ts';
import { type ProviderProblem, reporting } from './registry.ts';

const attempt = {
  reference: 'r-1',
  orderId: 'o-1',
  amount: 100,
  currency: 'CAD',
  locale: 'en',
  providerId: null,
} as const;

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

it('an error of a provider is reported with its attempt, without what was sent, and thrown on', async () => {
  const report = vi.fn<(problem: ProviderProblem) => void>();
  const err = new Error('Stripe: StripeAuthenticationError');
  const told = reporting(provider({ start: () => Promise.reject(err) }), report);
  await expect(told.start(attempt, { confirmationToken: 'ctoken' }, async () => {})).rejects.toBe(err);
  expect(report.mock.calls).toEqual([[{ provider: 'Stripe', asked: 'start', reference: 'r-1', err }]]);
});

it('outcomes and rejected refunds are not reported as errors of a provider', async () => {
  const report = vi.fn();
  const refused = new RefundRefused('too old');
  const told = reporting(provider({ refund: () => Promise.reject(refused) }), report);
  expect(await told.start(attempt, {}, async () => {})).toEqual({ state: 'succeeded' });
  await expect(told.refund(attempt, 1, 'k')).rejects.toBe(refused);
  expect(await told.parseWebhook({ headers: {}, body: Buffer.from('') })).toBeNull();
  expect([told.name, told.extra]).toEqual(['Stripe', 'kept']);
  expect(report).not.toHaveBeenCalled();
});
