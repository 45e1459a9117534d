/** Serves the calls of checkout (SPEC §7). */
import type { FastifyInstance } from 'fastify';
import { serve } from '#server/http/endpoint.ts';
import type { CheckoutService } from './checkout.service.ts';

export function registerCheckoutRoutes(app: FastifyInstance, { checkout }: { checkout: CheckoutService }): void {
  serve(app, 'checkoutConfig', () => checkout.checkoutConfig());
  serve(app, 'paymentConfig', () => checkout.paymentConfig());
  serve(app, 'shippingMethods', ({ session, query, lang }) =>
    checkout.shippingMethods(session, query.country, query.province, lang),
  );
  serve(app, 'localDelivery', ({ session, body, lang, request }) =>
    checkout.localDelivery(session, body.address, request.ip, lang),
  );
  serve(app, 'deliveryPromise', () => checkout.deliveryPromise());
  serve(app, 'billEstimate', ({ session, query: { lang: _, ...input }, lang }) => checkout.billEstimate(session, input, lang));
  serve(app, 'pickupSlots', ({ session, query }) => checkout.pickupSlots(session, query.localStoreName, query.date));
  serve(app, 'orderDeliverInfo', ({ session, query: { localStoreName, saveToMyProfile }, body, lang, request }) =>
    checkout.deliver(session, { ...body, localStoreName, saveToMyProfile }, request.ip, lang),
  );
  serve(app, 'orderContactInfo', ({ session, query, body, lang }) =>
    checkout.visit(session, { ...query, contact: body.contact }, lang),
  );
  serve(app, 'orderPickupDate', ({ session, body, lang }) => checkout.pickupDate(session, body.pickupDate, lang));
  serve(app, 'reserve', ({ session, body, lang, request }) => checkout.reserve(session, body?.billVersion, request.ip, lang));
}
