/** Calls about coupons (SPEC §7). */
import type { FastifyInstance } from 'fastify';
import type { Services } from '#server/container.ts';
import { serve } from '#server/http/endpoint.ts';

export function registerCouponsRoutes(app: FastifyInstance, { couponEntry }: Services): void {
  serve(app, 'couponVerification', async ({ session, params, request, lang }) => ({
    status: 'success' as const,
    order: await couponEntry.verify(session, params.code, request.ip, lang),
  }));
  serve(app, 'removeCoupon', ({ session, lang }) => couponEntry.remove(session, lang));
}
