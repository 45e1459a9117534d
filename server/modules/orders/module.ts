import type { Database } from '#db/database.ts';
import type { CatalogueService } from '#server/modules/catalogue/index.ts';
import type { AccountsService } from '#server/modules/customers/index.ts';
import type { StockService } from '#server/modules/inventory/index.ts';
import type { MediaService } from '#server/modules/media/index.ts';
import type { AlertsService, EmailRegistry, OutboxService } from '#server/modules/notifications/index.ts';
import type { SettingsService } from '#server/modules/settings/index.ts';
import type { PickupService, StoresService } from '#server/modules/stores/index.ts';
import type { WebhookEvents } from '#server/modules/webhooks/index.ts';
import { lateBound } from '#server/platform/late-bound.ts';
import type { RateLimitsService } from '#server/platform/rate-limits/rate-limits.service.ts';
import type { ServerModule } from '#server/platform/server-module.ts';
import { registerCartRoutes } from './cart/cart.routes.ts';
import { createCartService } from './cart/cart.service.ts';
import { registerTipsRoutes } from './cart/tips.routes.ts';
import { createTipsService } from './cart/tips.service.ts';
import { registerCheckoutRoutes } from './checkout/checkout.routes.ts';
import { createCheckoutService } from './checkout/checkout.service.ts';
import { createCouponEntry } from './coupons/coupon-entry.service.ts';
import { registerCouponsRoutes } from './coupons/coupons.routes.ts';
import { createCouponsService } from './coupons/coupons.service.ts';
import { createOrderEmails } from './emails/templates.ts';
import { registerOrderLinksRoutes } from './links/order-links.routes.ts';
import { createOrderLinks } from './links/order-links.service.ts';
import { createOrderData } from './order/customer-data.ts';
import { createOrderMetrics, type OrderMetrics } from './order/order-metrics.ts';
import { createOrderRemoval } from './order/order-removal.ts';
import { registerOrdersRoutes } from './order/orders.routes.ts';
import { createOrdersService } from './order/orders.service.ts';
import type { PaymentGuard } from './payment-guard.ts';

export interface OrdersModuleDeps {
  db: Database;
  now: () => number;
  attempts: RateLimitsService;
  settings: SettingsService;
  stores: StoresService;
  pickup: PickupService;
  media: MediaService;
  stock: StockService;
  accounts: AccountsService;
  catalogue: Pick<CatalogueService, 'brewGuides'>;
  mail: OutboxService;
  alerts: AlertsService;
  emails: EmailRegistry;
  webhookEvents: WebhookEvents;
}

export type OrdersServices = ReturnType<typeof createOrderServices>;

export interface OrdersModule extends ServerModule<OrdersServices> {
  /** Carts and orders of customers. */
  customerData: ReturnType<typeof createOrderData>;
  /** Connects payments; without it no cart can be changed while it is being paid. */
  connect(payments: PaymentGuard): void;
}

function createOrderServices(deps: OrdersModuleDeps & { metrics: OrderMetrics }, payments: PaymentGuard) {
  const coupons = createCouponsService(deps);
  const orders = createOrdersService({ ...deps, coupons });
  const shared = { ...deps, orders, coupons, payments };
  const cart = createCartService(shared);
  return {
    orders,
    coupons,
    orderRemoval: createOrderRemoval(deps),
    cart,
    couponEntry: createCouponEntry(shared),
    tips: createTipsService(shared),
    orderLinks: createOrderLinks(shared),
    checkout: createCheckoutService(shared),
  };
}

export function createOrdersModule(deps: OrdersModuleDeps): OrdersModule {
  const payments = lateBound<PaymentGuard>('payments');
  const metrics = createOrderMetrics(deps);
  const services = createOrderServices({ ...deps, metrics }, payments.port);
  const { orders, orderLinks } = services;
  deps.emails.register(createOrderEmails({ ...deps, orders, orderLinks }));
  return {
    services,
    connect: payments.connect,
    customerData: createOrderData(services),
    metrics: metrics.sources,
    registerRoutes(app) {
      registerCartRoutes(app, services);
      registerCouponsRoutes(app, services);
      registerTipsRoutes(app, services);
      registerCheckoutRoutes(app, services);
      registerOrdersRoutes(app, services);
      registerOrderLinksRoutes(app, services);
    },
    maintenance: [
      { run: () => orders.deleteAbandonedCarts() },
      { run: () => orders.customers.anonymizeEnded() },
      { run: () => orderLinks.sweep() },
    ],
  };
}
