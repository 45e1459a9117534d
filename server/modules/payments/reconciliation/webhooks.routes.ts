/**
 * Serves the webhooks of payment providers. They are not part of the contract, since no browser calls them, and carry a signature
 * in place of the client header. Responses: 200 accepted, 400 not from the provider, 429 too many of those from this network, 503 the
 * provider should send it again.
 */
import type { FastifyInstance } from 'fastify';
import { AppError } from '#server/platform/errors.ts';
import {
  type Attempt,
  networkOf,
  type RateLimitsService,
} from '#server/platform/rate-limits/rate-limits.service.ts';
import type { Attempts } from '../attempts/attempts.ts';
import type { PaymentChecks } from '../disputes/check-payments.ts';
import type { PaymentState } from '../payment/payment.ts';
import type { Webhook } from '../providers/provider.ts';
import { type PaymentRegistry, webhookPaths } from '../providers/registry.ts';
import type { RefundSender } from '../refunds/send-refund.ts';
import { reportUnknownMoney, type UnknownMoneyDeps } from './reconcile.ts';

const limitBytes = 1024 * 1024;
/** The webhooks of one provider checked in parallel: a check may cost a call to the provider, and anyone can send a request. */
const mostAtOnce = 16;
export function registerWebhooks(
  app: FastifyInstance,
  {
    payments,
    rateLimits,
  }: {
    payments: { webhook(provider: string, webhook: Webhook): Promise<boolean> };
    rateLimits: RateLimitsService;
  },
): void {
  app.register(async (scope) => {
    // The signature covers the raw bytes.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: limitBytes }, (_request, body, done) =>
      done(null, body),
    );

    for (const { path, provider: name } of webhookPaths) {
      let underWay = 0;
      scope.post(`/api/webhooks/${path}`, { bodyLimit: limitBytes }, async (request, reply) => {
        reply.header('cache-control', 'no-store');
        // The provider sends it again, and reconciliation covers its subject in any case.
        if (underWay >= mostAtOnce)
          throw new AppError('SYSTEM_ERROR', { errorKey: 'payment.unavailable', status: 503 });
        underWay += 1;
        const forged: Attempt[] = [['forgedWebhookAddress', networkOf(request.ip)]];
        try {
          await rateLimits.allow(forged);
          const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
          const taken = await payments
            .webhook(name, { headers: request.headers, body })
            .catch((error: unknown) => {
              request.log.warn({ err: error, provider: name }, 'webhook not settled');
              throw new AppError('SYSTEM_ERROR', { errorKey: 'payment.unavailable', status: 503 });
            });
          if (!taken) await rateLimits.record(forged);
          if (!taken) throw new AppError('REQUEST_VALIDATION_ERROR', { errorKey: 'error.malformed' });
          return { received: true };
        } finally {
          underWay -= 1;
        }
      });
    }
  });
}

export interface WebhookDeps extends UnknownMoneyDeps {
  providers: PaymentRegistry;
  attempts: Attempts;
  refunds: RefundSender;
  checks: PaymentChecks;
}

/** States of payments whose money the provider has taken. */
const taken: readonly PaymentState[] = ['succeeded', 'refundDue', 'refunded'];
/** States of payments to ask the provider about. Even a failed one may have taken money. */
const open: readonly PaymentState[] = ['pending', 'lapsed', 'failed'];

/**
 * Settles the attempt or refund that a webhook is about. False if the webhook is not from the provider.
 * @throws {AppError} 503 if it could not be settled, so that the provider sends the webhook again
 */
export async function receiveWebhook(
  deps: WebhookDeps,
  providerName: string,
  webhook: Webhook,
): Promise<boolean> {
  const { providers, attempts, refunds, checks } = deps;
  const provider = providers.find(providerName);
  const subject = await provider?.parseWebhook(webhook);
  if (!provider || !subject) return false;
  const payment =
    (await attempts.find(provider.name, subject.reference)) ??
    (subject.providerId ? await attempts.findByProviderId(provider.name, subject.providerId) : null);
  if (!payment) await reportUnknownMoney(deps, provider.name, subject);
  if (payment && subject.refundKey) await refunds.recheck(payment, subject.refundKey);
  if (payment && taken.includes(payment.state)) await checks.check(payment);
  if (!payment || !open.includes(payment.state)) return true;
  const { outcome } = await attempts.ask(payment, subject.shopperActed);
  if (outcome.state === 'undecided')
    throw new AppError('SYSTEM_ERROR', { errorKey: 'payment.undecided', status: 503 });
  return true;
}
