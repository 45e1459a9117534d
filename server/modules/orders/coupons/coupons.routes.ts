/** Serves the calls for coupons (SPEC §7). */
import type { FastifyInstance } from 'fastify';
import { serve } from '#server/http/endpoint.ts';
import type { CouponEntry } from './coupon-entry.service.ts';

export function registerCouponsRoutes(app: FastifyInstance, { couponEntry }: { couponEntry: CouponEntry }): void {
  serve(app, 'couponVerification', async ({ session, params, request, lang }) => ({
    status: 'success' as const,
    order: await couponEntry.verify(session, params.code, request.ip, lang),
  }));
  serve(app, 'removeCoupon', ({ session, lang }) => couponEntry.remove(session, lang));
}
