/** Calls about coupons (SPEC §7). */
import type { FastifyInstance } from 'fastify';
import { serve } from '#server/plugins/contract.ts';
import type { Services } from '#server/services.ts';

export function registerCouponsRoutes(app: FastifyInstance, { couponEntry }: Services): void {
  serve(app, 'couponVerification', async ({ session, params, request, lang }) => ({
    status: 'success' as const,
    order: await couponEntry.verify(session, params.code, request.ip, lang),
  }));
  serve(app, 'removeCoupon', ({ session, lang }) => couponEntry.remove(session, lang));
}
