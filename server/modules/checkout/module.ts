/** Composes checkout, except for settlement: payments call it, and checkout calls payments. */
import type { FastifyInstance } from 'fastify';
import { defaultLocale, inLocale, type Locale, localeCodes } from '#contract/locales.ts';
import type { RefusedRefund } from '#contract/staff/orders.ts';
import { serve } from '#server/http/endpoint.ts';
import { serveStaff } from '#server/http/staff-endpoint.ts';
import type { ChangesService } from '#server/modules/changes/index.ts';
import type { ConnectionsService } from '#server/modules/connections/index.ts';
import type { AccountsService } from '#server/modules/customers/index.ts';
import type { Fulfilment, OfficeOrders, OrdersService } from '#server/modules/orders/index.ts';
import type { DueRefund, Payables, PaymentKeys, PaymentsService } from '#server/modules/payments/index.ts';
import type { SettingsService } from '#server/modules/settings/index.ts';
import type { StoresService } from '#server/modules/stores/index.ts';
import type { Env } from '#server/platform/env.ts';
import { notFound, OperationError } from '#server/platform/errors.ts';
import type { Permit } from '#server/platform/permits.ts';
import type { RateLimitsService } from '#server/platform/rate-limits/rate-limits.service.ts';
import type { ServerModule } from '#server/platform/server-module.ts';
import { type CheckoutService, createCheckoutService } from './delivery/checkout.service.ts';
import { deleteExpiredGeocoded } from './delivery/geocoder.repository.ts';
import { createGeocoder, createGeocoderTest } from './delivery/geocoder.ts';
import { createPaying, type Paying } from './paying/pay.ts';
import type { PlacementDeps } from './placement/place-order.ts';
import { tableCardsOf } from './placement/table-cards.ts';
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
      serveStaff(app, 'refundOrder', async ({ permit, params, body }) => {
        const { number } = await deps.officeOrders.reach(permit, params.number);
        const { given } = await orderRefunds.refundParts(
          deps.changes.by(permit.actor, 'refund'),
          number ?? '',
          body,
        );
        return { given };
      });
      registerRefused(app, deps);
      registerTableCards(app, deps, checkout);
      registerCancel(app, deps, orderRefunds);
      registerOrderChanges(app, deps, orderChanges);
    },
  };
}

/** What staff do about refunds that providers refused. Those of orders that were never placed are for people of all stores. */
function registerRefused(
  app: FastifyInstance,
  { officeOrders, payments: { refunds }, changes }: CheckoutModuleDeps,
): void {
  /** Null if the permit does not reach it. */
  async function shown(permit: Permit, { refund, payment }: DueRefund): Promise<RefusedRefund | null> {
    const order = await officeOrders.reach(permit, payment.orderNumber ?? '').catch((error: unknown) => {
      if (error instanceof OperationError) return null;
      throw error;
    });
    if (!order && permit.stores !== null) return null;
    const { id, amount, currency, providerNote: why, createdAt: at } = refund;
    return {
      id,
      order: order?.number ?? null,
      payment: payment.id,
      provider: payment.provider,
      amount,
      currency,
      why,
      at,
    };
  }
  /** @throws {OperationError} if there is no such refund that the permit reaches */
  async function reached(permit: Permit, wanted: string): Promise<string> {
    const refused = (await refunds.refused()).find(({ refund: { id } }) => id === wanted);
    const refund = refused && (await shown(permit, refused));
    if (!refund) throw new OperationError('error.refund.unknown', { id: wanted });
    return refund.id;
  }
  serveStaff(app, 'refusedRefunds', async ({ permit }) => {
    const all = await Promise.all((await refunds.refused()).map((refused) => shown(permit, refused)));
    return { refunds: all.filter((refund) => refund !== null) };
  });
  serveStaff(app, 'retryRefund', async ({ permit, params }) => {
    const id = await reached(permit, params.id);
    const { given, refused, payment } = await refunds.retry(changes.by(permit.actor, 'refunds retry'), id);
    if (refused !== undefined)
      throw new OperationError('error.refund.refused', { provider: payment.provider, reason: refused });
    return { given };
  });
  serveStaff(app, 'settleRefund', async ({ permit, params }) => {
    const id = await reached(permit, params.id);
    await changes.run(permit.actor, 'refunds settle', (change) => refunds.settle(change, id));
    return { done: true as const };
  });
}

function registerTableCards(
  app: FastifyInstance,
  { stores, settings, catalogue, changes, env }: CheckoutModuleDeps,
  checkout: CheckoutService,
): void {
  serveStaff(app, 'tableCards', async ({ permit, params, body: { menu, replaces, ...body } }) => {
    const store = permit.reaches(params.id)
      ? (await stores.all()).find(({ id }) => id === params.id)
      : undefined;
    if (!store) throw notFound();
    const locale = localeCodes.find((code) => code === body.locale) ?? defaultLocale;
    await catalogue.category(menu, locale);
    const run = changes.by(permit.actor, 'table-cards');
    const wanted = { tables: store.tables, ...(replaces === null ? {} : { renew: true, seen: replaces }) };
    const tokens = store.tables > 0 ? await checkout.tableCardTokens(run, store.id, wanted) : [];
    const { shopName } = await settings.all();
    return { publicUrl: env.publicUrl, ...tableCardsOf({ shopName, store, menu, locale }, tokens) };
  });
}

function registerCancel(
  app: FastifyInstance,
  { officeOrders, changes }: Pick<CheckoutModuleDeps, 'officeOrders' | 'changes'>,
  orderRefunds: OrderRefunds,
): void {
  for (const name of ['cancelOrder', 'cancelOrderBack'] as const)
    serveStaff(app, name, async ({ permit, params, body }) => {
      const { number } = await officeOrders.reach(permit, params.number);
      const { reason, version, most, ...how } = body;
      if (name === 'cancelOrder' && most > 0) throw new OperationError('error.order.mayNotGiveBack');
      const run = changes.by(permit.actor, 'orders cancel');
      const { refund } = await orderRefunds.cancelOrder(run, number ?? '', reason.trim(), {
        ...how,
        seen: { version, most },
      });
      return { given: refund?.given ?? true };
    });
}

function registerOrderChanges(
  app: FastifyInstance,
  { officeOrders, changes }: Pick<CheckoutModuleDeps, 'officeOrders' | 'changes'>,
  orderChanges: OrderChanges,
): void {
  serveStaff(app, 'previewChange', async ({ permit, params, body, lang }) => {
    const { id } = await officeOrders.reach(permit, params.number);
    const { lines, ...plan } = await orderChanges.plan(id, body.lines, lang);
    const shown = lines.deltas.map(({ name, text, ...delta }) => ({
      ...delta,
      name: inLocale(name, lang),
      text: inLocale(text, lang),
    }));
    return { ...plan, lines: shown };
  });
  for (const name of ['changeOrder', 'changeOrderBack'] as const)
    serveStaff(app, name, async ({ permit, params, body, lang }) => {
      const { id } = await officeOrders.reach(permit, params.number);
      const booking = { ...body, mayGiveBack: name === 'changeOrderBack' };
      const { due, refund } = await orderChanges.book(
        changes.by(permit.actor, 'orders change'),
        id,
        booking,
        lang,
      );
      return { due, given: refund?.given ?? true };
    });
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
