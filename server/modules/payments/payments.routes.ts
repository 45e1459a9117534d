/** Serves the calls for online payments (SPEC §7). Those of single providers are in the providers' folders. */
import type { FastifyInstance } from 'fastify';
import { serve } from '#server/http/endpoint.ts';
import type { OrdersService } from '#server/modules/orders/index.ts';
import type { PaymentsService } from './payments.service.ts';

export function registerPaymentsRoutes(
  app: FastifyInstance,
  { payments, orders, now }: { payments: PaymentsService; orders: OrdersService; now: () => number },
): void {
  serve(app, 'getBilling', ({ session, params, query, lang }) =>
    payments.bill(session, params.gatewayName, query.pickUpAandPayAtStore ?? false, lang),
  );
  serve(app, 'resumePayment', ({ session, body, request }) => payments.resume(session, body.provider, request.ip));
  serve(app, 'cancelPayment', ({ session, lang }) => payments.cancel(session, lang));

  const currency = async () => (await orders.settings()).currency;
  for (const { definition, provider } of payments.registry.definitions())
    definition.registerRoutes(app, provider, { payments, currency, now });
}
