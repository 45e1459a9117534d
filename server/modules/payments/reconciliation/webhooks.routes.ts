/**
 * Serves the webhooks of payment providers. They are not part of the contract, since no browser calls them, and carry a signature
 * in place of the client header. Responses: 200 accepted, 400 not from the provider, 429 too many of those from this network, 503 the
 * provider should send it again.
 */
import type { FastifyInstance } from 'fastify';
import { AppError } from '#server/platform/errors.ts';
import { type Attempt, networkOf, type RateLimitsService } from '#server/platform/rate-limits/rate-limits.service.ts';
import type { Webhook } from '../providers/provider.ts';
import { webhookPaths } from '../providers/registry.ts';

const limitBytes = 1024 * 1024;
/** The webhooks of one provider checked in parallel: a check may cost a call to the provider, and anyone can send a request. */
const mostAtOnce = 16;
export function registerWebhooks(
  app: FastifyInstance,
  {
    payments,
    rateLimits,
  }: { payments: { webhook(provider: string, webhook: Webhook): Promise<boolean> }; rateLimits: RateLimitsService },
): void {
  app.register(async (scope) => {
    // The signature covers the raw bytes.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: limitBytes }, (_request, body, done) => done(null, body));

    for (const { path, provider: name } of webhookPaths) {
      let underWay = 0;
      scope.post(`/api/webhooks/${path}`, { bodyLimit: limitBytes }, async (request, reply) => {
        reply.header('cache-control', 'no-store');
        // The provider sends it again, and reconciliation covers its subject in any case.
        if (underWay >= mostAtOnce) throw new AppError('SYSTEM_ERROR', { errorKey: 'payment.unavailable', status: 503 });
        underWay += 1;
        const forged: Attempt[] = [['forgedWebhookAddress', networkOf(request.ip)]];
        try {
          await rateLimits.allow(forged);
          const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
          const taken = await payments.webhook(name, { headers: request.headers, body }).catch((error: unknown) => {
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
