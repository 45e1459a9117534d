/** Serves the calls for online payments (SPEC §7). Those of single providers are in the providers' folders. */
import type { FastifyInstance } from 'fastify';
import { serve } from '#server/http/endpoint.ts';
import type { OrdersService } from '#server/modules/orders/index.ts';
import type { PaymentsService } from '#server/modules/payments/index.ts';
import type { Paying } from './pay.ts';

export interface PayRoutesDeps {
  paying: Paying;
  payments: PaymentsService;
  orders: OrdersService;
  now: () => number;
}

export function registerPayRoutes(app: FastifyInstance, { paying, payments, orders, now }: PayRoutesDeps): void {
  serve(app, 'getBilling', async ({ session, params, query, lang }) =>
    query.dueVersion === undefined
      ? paying.bill(session, params.gatewayName, query.pickUpAandPayAtStore ?? false, lang)
      : orders.dueOrder(query.dueVersion, await session.get(), lang),
  );
  serve(app, 'resumePayment', ({ session, body, request }) => paying.resume(session, body.provider, request.ip, body));
  serve(app, 'cancelPayment', ({ session, body, lang }) => paying.cancel(session, lang, body?.dueVersion));

  const currency = async () => (await orders.settings()).currency;
  for (const { definition, provider } of payments.providers.definitions())
    definition.registerRoutes(app, provider, { paying, currency, now });
}
