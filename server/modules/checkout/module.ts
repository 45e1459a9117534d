/** Composes checkout, except for settlement: payments call it, and checkout calls payments. */
import type { FastifyInstance } from 'fastify';
import type { Locale } from '#contract/locales.ts';
import { serve } from '#server/http/endpoint.ts';
import type { ChangesService } from '#server/modules/changes/index.ts';
import type { ConnectionsService } from '#server/modules/connections/index.ts';
import type { AccountsService } from '#server/modules/customers/index.ts';
import type { Fulfilment, OfficeOrders, OrdersService } from '#server/modules/orders/index.ts';
import type { Payables, PaymentKeys, PaymentsService } from '#server/modules/payments/index.ts';
import type { SettingsService } from '#server/modules/settings/index.ts';
import type { StoresService } from '#server/modules/stores/index.ts';
import type { Env } from '#server/platform/env.ts';
import type { RateLimitsService } from '#server/platform/rate-limits/rate-limits.service.ts';
import type { ServerModule } from '#server/platform/server-module.ts';
import { type CheckoutService, createCheckoutService } from './delivery/checkout.service.ts';
import { deleteExpiredGeocoded } from './delivery/geocoder.repository.ts';
import { createGeocoder, createGeocoderTest } from './delivery/geocoder.ts';
import { registerOfficeCheckout } from './office/office-checkout.ts';
import { createPaying, type Paying } from './paying/pay.ts';
import type { PlacementDeps } from './placement/place-order.ts';
import { createOrderChanges, type OrderChanges } from './settlement/order-changes.ts';
import { createOrderRefunds, type OrderRefunds } from './settlement/order-refunds.ts';

export { createSettlement } from './settlement/settlement.ts';

export interface CheckoutModuleDeps extends PlacementDeps {
  payments: PaymentsService;
  payables: Payables;
  changes: ChangesService;
  officeOrders: OfficeOrders;
  fulfilment: Fulfilment;
  accounts: AccountsService;
  settings: SettingsService;
  /** Throws for a category that is not there. */
  catalogue: { category(id: string, locale: Locale): Promise<unknown> };
  stores: StoresService;
  rateLimits: RateLimitsService;
  env: Pick<Env, 'publicUrl'>;
  connections: ConnectionsService<PaymentKeys>;
}

export interface CheckoutServices {
  checkout: CheckoutService;
  paying: Paying;
  orderRefunds: OrderRefunds;
  orderChanges: OrderChanges;
}

export function createCheckoutModule(deps: CheckoutModuleDeps): ServerModule<CheckoutServices> {
  const paying = createPaying(deps);
  const geocoderUrl = async () => (await deps.connections.current()).geocoderUrl;
  const geocode = createGeocoder({ geocoderUrl, publicUrl: deps.env.publicUrl }, deps);
  deps.connections.registerTest(
    'geocoder',
    createGeocoderTest({ geocoderUrl, publicUrl: deps.env.publicUrl, stores: deps.stores }),
  );
  const checkout = createCheckoutService({ ...deps, endPayment: paying.endPayment, geocode });
  const orderRefunds = createOrderRefunds(deps);
  const orderChanges = createOrderChanges(deps);
  return {
    services: { checkout, paying, orderRefunds, orderChanges },
    maintenance: [{ run: () => deleteExpiredGeocoded(deps.db, deps.now()) }],
    registerRoutes(app) {
      registerCheckoutRoutes(app, { checkout });
      registerPayRoutes(app, { ...deps, paying });
      registerOfficeCheckout(app, { ...deps, checkout, orderRefunds, orderChanges });
    },
  };
}

function registerCheckoutRoutes(app: FastifyInstance, { checkout }: { checkout: CheckoutService }): void {
  serve(app, 'checkoutConfig', () => checkout.checkoutConfig());
  serve(app, 'paymentConfig', () => checkout.paymentConfig());
  serve(app, 'shippingMethods', ({ session, query, lang }) =>
    checkout.shippingMethods(session, query.country, query.province, lang),
  );
  serve(app, 'localDelivery', ({ session, body, lang, request }) =>
    checkout.localDelivery(session, body.address, request.ip, lang),
  );
  serve(app, 'deliveryPromise', () => checkout.deliveryPromise());
  serve(app, 'billEstimate', ({ session, query: { lang: _, ...input }, lang }) =>
    checkout.billEstimate(session, input, lang),
  );
  serve(app, 'pickupSlots', ({ session, query }) =>
    checkout.pickupSlots(session, query.localStoreName, query.date),
  );
  serve(
    app,
    'orderDeliverInfo',
    ({ session, query: { localStoreName, saveToMyProfile }, body, lang, request }) =>
      checkout.deliver(session, { ...body, localStoreName, saveToMyProfile }, request.ip, lang),
  );
  serve(app, 'orderContactInfo', ({ session, query, body, lang }) =>
    checkout.visit(session, { ...query, contact: body.contact }, lang),
  );
  serve(app, 'orderPickupDate', ({ session, body, lang }) =>
    checkout.pickupDate(session, body.pickupDate, lang),
  );
  serve(app, 'reserve', ({ session, body, lang, request }) =>
    checkout.reserve(session, body?.billVersion, request.ip, lang),
  );
}

interface PayRoutesDeps {
  paying: Paying;
  payments: PaymentsService;
  orders: OrdersService;
  connections: Pick<ConnectionsService, 'current'>;
  now: () => number;
}

/** Serves the calls for online payments (SPEC §7). Those of single providers are in the providers' folders. */
function registerPayRoutes(
  app: FastifyInstance,
  { paying, payments, orders, connections, now }: PayRoutesDeps,
): void {
  serve(app, 'getBilling', async ({ session, params, query, lang }) =>
    query.dueVersion === undefined
      ? paying.bill(session, params.gatewayName, query.pickUpAandPayAtStore ?? false, lang)
      : orders.dueOrder(query.dueVersion, await session.get(), lang),
  );
  serve(app, 'resumePayment', ({ session, body, request }) =>
    paying.resume(session, body.provider, request.ip, body),
  );
  serve(app, 'cancelPayment', ({ session, body, lang }) => paying.cancel(session, lang, body?.dueVersion));

  const currency = async () => (await orders.settings()).currency;
  for (const { definition, provider } of payments.providers.definitions()) {
    const providerNow = async () => {
      await connections.current();
      return provider();
    };
    definition.registerRoutes(app, providerNow, { paying, currency, now });
  }
}
