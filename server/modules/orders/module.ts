/** Composes orders, and apart from them what changes a cart: that needs the end of a payment, which checkout brings. */
import type { FastifyInstance } from 'fastify';
import type { EndpointName } from '#contract/shop/paths.ts';
import type { Database } from '#db/database.ts';
import { type Call, serve } from '#server/http/endpoint.ts';
import { serveStaff } from '#server/http/staff-endpoint.ts';
import type { CatalogueEditor, CatalogueService, SearchService } from '#server/modules/catalogue/index.ts';
import type { ChangesService } from '#server/modules/changes/index.ts';
import type { ConnectionsService } from '#server/modules/connections/index.ts';
import type { AccountsService, CustomerOrderData } from '#server/modules/customers/index.ts';
import type { StockService } from '#server/modules/inventory/index.ts';
import type { MediaService } from '#server/modules/media/index.ts';
import type { AlertsService, EmailRegistry, OutboxService } from '#server/modules/notifications/index.ts';
import type { PaymentKeys, PaymentsEnv } from '#server/modules/payments/index.ts';
import type { SettingsService } from '#server/modules/settings/index.ts';
import type { StaffPush, StaffService } from '#server/modules/staff/index.ts';
import type { PickupService, StoresService } from '#server/modules/stores/index.ts';
import type { WebhookEvents } from '#server/modules/webhooks/index.ts';
import type { DeliveryQueue } from '#server/platform/deliveries/delivery-queue.ts';
import type { RateLimitsService } from '#server/platform/rate-limits/rate-limits.service.ts';
import type { ServerModule } from '#server/platform/server-module.ts';
import { registerCartRoutes } from './cart/cart.routes.ts';
import { type CartService, createCartService } from './cart/cart.service.ts';
import type { EndPayment } from './cart/open-cart.ts';
import {
  type CouponEntry,
  type CouponsService,
  createCouponEntry,
  createCouponsService,
} from './coupons/coupons.service.ts';
import { createOrderExamples } from './emails/examples.ts';
import { createOrderEmails } from './emails/templates.ts';
import { type ClosedPickups, createClosedPickups } from './fulfilment/closed-pickups.ts';
import { createFulfilment, type Fulfilment } from './fulfilment/fulfilment.ts';
import { createHolds, type Holds } from './holds/holds.ts';
import { createOrderLinks, type LinkCall, type OrderLinksService } from './links/order-links.service.ts';
import { registerDesk } from './office/desk.ts';
import { registerOfficeCoupons } from './office/office-coupons.ts';
import { registerOfficeMoney } from './office/office-money.ts';
import { createOfficeOrders, type OfficeOrders, registerOfficeOrders } from './office/office-orders.ts';
import { registerOpening } from './office/opening.ts';
import { createOrdersExport, type OrdersExport } from './office/orders-export.repository.ts';
import { createPapers } from './office/papers.ts';
import { registerOrderViews } from './office/views.ts';
import { followInMenus } from './order/menu-products.ts';
import { createOrderRemoval, type OrderRemoval } from './order/order-removal.repository.ts';
import { createOrderEvents, type OrderEvents } from './order/order-webhooks.ts';
import { createOrdersService, type OrdersService } from './order/orders.service.ts';
import { createPrinterTest, createTicketSender } from './tickets/kitchen-tickets.ts';

export interface OrdersModuleDeps {
  db: Database;
  changes: ChangesService;
  now: () => number;
  deliveries: DeliveryQueue;
  alerts: AlertsService;
  rateLimits: RateLimitsService;
  settings: SettingsService;
  stores: StoresService;
  pickup: PickupService;
  media: MediaService;
  stock: StockService;
  accounts: AccountsService;
  catalogue: Pick<CatalogueService, 'details' | 'modifierGroups' | 'named' | 'names' | 'page' | 'product'>;
  editor: CatalogueEditor;
  search: SearchService;
  mail: OutboxService;
  emails: EmailRegistry;
  webhookEvents: WebhookEvents;
  env: PaymentsEnv;
  connections: ConnectionsService<PaymentKeys>;
  staff: StaffService;
  push: StaffPush;
}

export interface OrdersServices {
  orders: OrdersService;
  holds: Holds;
  fulfilment: Fulfilment;
  closedPickups: ClosedPickups;
  orderEvents: OrderEvents;
  officeOrders: OfficeOrders;
  coupons: CouponsService;
  orderLinks: OrderLinksService;
  orderRemoval: OrderRemoval;
  ordersExport: OrdersExport;
}

export function createOrdersModule(deps: OrdersModuleDeps): ServerModule<OrdersServices> {
  const coupons = createCouponsService(deps);
  deps.editor.followAddresses((change, { from, to }) =>
    coupons.replaceItem(change, { kind: 'product', id: from }, to),
  );
  deps.editor.followAddresses((change, ids) => followInMenus(deps.settings, change, ids));
  const orderEvents = createOrderEvents(deps.webhookEvents);
  const orders = createOrdersService({ ...deps, coupons });
  const { settings, customers } = orders;
  const holds = createHolds({ ...deps, settings, coupons, orderEvents });
  const closedPickups = createClosedPickups(deps);
  const fulfilment = createFulfilment({ ...deps, coupons, orderEvents, view: orders.wholeView });
  const orderLinks = createOrderLinks({ ...deps, orders, fulfilment });
  const office = createOfficeOrders({ ...deps, orders, fulfilment });
  const papers = createPapers({ ...deps, orders });
  deps.emails.register(createOrderEmails({ ...deps, customers, orderLinks }));
  deps.emails.registerSamples(createOrderExamples(deps));
  const push = deps.env.pushContact === null ? null : deps.push;
  const printers = async () => (await deps.connections.current()).ticketPrinters;
  deps.deliveries.register({
    ticket: createTicketSender({ ...deps, printers, push, customers }),
  });
  deps.connections.registerTest('printers', createPrinterTest({ printers, settings: deps.settings }));
  return {
    services: {
      orders,
      holds,
      fulfilment,
      closedPickups,
      orderEvents,
      officeOrders: office,
      coupons,
      orderLinks,
      orderRemoval: createOrderRemoval(deps),
      ordersExport: createOrdersExport({ ...deps, settings }),
    },
    metrics: orders.metrics.sources,
    registerRoutes(app) {
      registerOrdersRoutes(app, { orders });
      registerDesk(app, { ...deps, settings, fulfilment });
      registerOrderLinksRoutes(app, { orderLinks });
      registerOfficeOrders(app, { ...deps, fulfilment, office });
      registerOfficeCoupons(app, { ...deps, coupons });
      registerOfficeMoney(app, { ...deps, orders });
      registerOpening(app, { ...deps, closedPickups });
      registerOrderViews(app, deps);
      serveStaff(app, 'papers', ({ permit, query }) => papers(permit, query));
    },
    maintenance: [
      { run: () => orders.deleteAbandonedCarts() },
      { run: () => customers.anonymizeEnded() },
      { run: () => orderLinks.sweep() },
    ],
  };
}

export interface CartModuleDeps {
  db: Database;
  rateLimits: RateLimitsService;
  orders: OrdersService;
  holds: Holds;
  coupons: CouponsService;
  endPayment: EndPayment;
}

export interface CartServices {
  cart: CartService;
  couponEntry: CouponEntry;
}

export interface CartModule extends ServerModule<CartServices> {
  /** Carts and orders of customers. */
  customerData: CustomerOrderData;
}

export function createCartModule(deps: CartModuleDeps): CartModule {
  const cart = createCartService(deps);
  const couponEntry = createCouponEntry(deps);
  return {
    services: { cart, couponEntry },
    customerData: customerDataOf(deps.orders, cart),
    registerRoutes(app) {
      registerCartRoutes(app, { cart });
      registerCouponsRoutes(app, { couponEntry });
    },
  };
}

function customerDataOf({ customers, settings }: OrdersService, cart: CartService): CustomerOrderData {
  return {
    ...customers,
    async prepareSignIn() {
      const current = await settings();
      return async (trx, { session, previousHash, isNewCustomer, locale }) => {
        if (previousHash !== null) {
          if (isNewCustomer) await customers.assignSessionOrders(trx, previousHash, session.customerId);
          await customers.moveSession(trx, previousHash, session.idHash);
        }
        await cart.merge(trx, session, { settings: current, locale });
      };
    },
    cart: cart.get,
  };
}

function registerCouponsRoutes(app: FastifyInstance, { couponEntry }: { couponEntry: CouponEntry }): void {
  serve(app, 'couponVerification', async ({ session, params, request, lang }) => ({
    status: 'success' as const,
    order: await couponEntry.verify(session, params.code, request.ip, lang),
  }));
  serve(app, 'removeCoupon', ({ session, lang }) => couponEntry.remove(session, lang));
}

function registerOrdersRoutes(app: FastifyInstance, { orders }: { orders: OrdersService }): void {
  serve(app, 'order', async ({ session, params, lang }) =>
    orders.placedOrder(params.id, await session.get(), lang),
  );
}

type LinkEndpoint = Extract<EndpointName, `orderLink${string}`>;

function registerOrderLinksRoutes(
  app: FastifyInstance,
  { orderLinks }: { orderLinks: OrderLinksService },
): void {
  serve(app, 'orderLink', (call) => orderLinks.view(linkCall(call)));
  serve(app, 'orderLinkCancel', (call) => orderLinks.cancel(linkCall(call)));
  serve(app, 'orderLinkPickup', (call) => orderLinks.changePickup(linkCall(call), call.body.pickupDate));
  serve(app, 'orderLinkRevoke', async (call) => {
    await orderLinks.revoke(linkCall(call));
    return { status: 'success' as const };
  });
}

function linkCall({
  params,
  request,
  lang,
}: Pick<Call<LinkEndpoint>, 'params' | 'request' | 'lang'>): LinkCall {
  return { token: params.token, address: request.ip, locale: lang };
}
