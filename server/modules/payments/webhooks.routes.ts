/**
 * The webhooks of payment providers. They are no calls of the contract, as no browser makes them, and carry a signature in place
 * of the client header. Answers: 200 taken, 400 not from the provider, 503 the provider is to send it again.
 */
import type { FastifyInstance } from 'fastify';
import { AppError } from '#server/platform/errors.ts';
import type { PaymentsService } from './payments.service.ts';
import { webhookPaths } from './registry.ts';

const limitBytes = 1024 * 1024;
/** How many of one provider are checked at once: a check may cost a call to the provider, and anybody can send something. */
const mostAtOnce = 16;
export function registerWebhooks(app: FastifyInstance, { payments }: { payments: PaymentsService }): void {
  app.register(async (scope) => {
    // The signature is over the bytes as they came.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: limitBytes }, (_request, body, done) => done(null, body));

    for (const { path, provider: name } of webhookPaths) {
      let underWay = 0;
      scope.post(`/api/webhooks/${path}`, { bodyLimit: limitBytes }, async (request, reply) => {
        reply.header('cache-control', 'no-store');
        // The provider sends it again, and reconciliation finds what it was about in any case.
        if (underWay >= mostAtOnce) throw new AppError('SYSTEM_ERROR', { errorKey: 'payment.unavailable', status: 503 });
        underWay += 1;
        try {
          const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
          const taken = await payments.webhook(name, { headers: request.headers, body }).catch((error: unknown) => {
            request.log.warn({ err: error, provider: name }, 'webhook not settled');
            throw new AppError('SYSTEM_ERROR', { errorKey: 'payment.unavailable', status: 503 });
          });
          if (!taken) throw new AppError('REQUEST_VALIDATION_ERROR', { errorKey: 'error.malformed' });
          return { received: true };
        } finally {
          underWay -= 1;
        }
      });
    }
  });
}
