/** Makes the services, in the order in which they lean on each other. Modules meet only here. */
import type { Database } from '#db/database.ts';
import type { Env } from './env.ts';
import { type AccountsService, createAccountsService } from './modules/accounts/accounts.service.ts';
import { createAttemptsService } from './modules/attempts/attempts.service.ts';
import { type CartService, createCartService } from './modules/cart/cart.service.ts';
import { type CatalogueEditor, createCatalogueEditor } from './modules/catalogue/catalogue.editor.ts';
import { type CatalogueService, createCatalogueService } from './modules/catalogue/catalogue.service.ts';
import { type CheckoutService, createCheckoutService } from './modules/checkout/checkout.service.ts';
import { type ContentService, createContentService } from './modules/content/content.service.ts';
import { createShellService, type ShellService } from './modules/content/shell.service.ts';
import { type CouponsService, createCouponsService } from './modules/coupons/coupons.service.ts';
import { type CouponEntry, createCouponEntry } from './modules/coupons/entry.service.ts';
import { createGeoService, type GeoService } from './modules/geo/geo.service.ts';
import { createInventoryService, type InventoryService } from './modules/inventory/inventory.service.ts';
import { createComposers } from './modules/mail/composers.ts';
import { createMailService } from './modules/mail/mail.service.ts';
import { createMailer, type Mailer, type MailReport } from './modules/mail/mailer.ts';
import { createMailTransport } from './modules/mail/transport.ts';
import { createMediaService, type MediaService } from './modules/media/media.service.ts';
import { createOrdersService, type OrdersService } from './modules/orders/orders.service.ts';
import { createPaymentsService, type PaymentsService } from './modules/payments/payments.service.ts';
import { createSettling } from './modules/payments/settling.ts';
import { createPickupService, type PickupService } from './modules/pickup/pickup.service.ts';
import { createInterpreter } from './modules/search/interpreter.ts';
import { createSearchService, type SearchService } from './modules/search/search.service.ts';
import { createSessionsService, type SessionsService } from './modules/sessions/sessions.service.ts';
import { createSettingsService, type SettingsService } from './modules/settings/settings.service.ts';
import { createStockService, type StockService } from './modules/stock/stock.service.ts';
import { createStoresService, type StoresService } from './modules/stores/stores.service.ts';
import { createTipsService, type TipsService } from './modules/tips/tips.service.ts';
import { createPaymentRegistry, type Providers } from './payments/registry.ts';
import type { ProviderProblem } from './payments/reporting.ts';

export interface ServiceDeps {
  db: Database;
  env: Env;
  /** The clock: milliseconds since the epoch. */
  now: () => number;
  /** Told of mails that could not be sent. */
  onMailProblem?: (report: MailReport) => void;
  /** Told of payment providers that could not be asked. */
  onPaymentProblem?: (problem: ProviderProblem) => void;
  /** Payment providers in the place of those of the configuration, for tests. */
  providers?: Partial<Providers>;
}

export interface Services {
  /** Clears away what has expired. Safe to run in several processes at once. */
  sweep(): Promise<void>;
  sessions: SessionsService;
  settings: SettingsService;
  geo: GeoService;
  media: MediaService;
  stores: StoresService;
  catalogue: CatalogueService;
  editor: CatalogueEditor;
  search: SearchService;
  inventory: InventoryService;
  content: ContentService;
  shell: ShellService;
  stock: StockService;
  pickup: PickupService;
  orders: OrdersService;
  cart: CartService;
  coupons: CouponsService;
  couponEntry: CouponEntry;
  tips: TipsService;
  accounts: AccountsService;
  /** Sends the mails that are due. */
  mailer: Mailer;
  checkout: CheckoutService;
  payments: PaymentsService;
}

export function createServices(deps: ServiceDeps): Services {
  const sessions = createSessionsService(deps);
  const settings = createSettingsService(deps);
  const media = createMediaService(deps);
  const stores = createStoresService({ ...deps, media });
  const geo = createGeoService({ settings });
  const editor = createCatalogueEditor({ ...deps, media, settings });
  const catalogue = createCatalogueService({ ...deps, media, settings, interpreter: createInterpreter(deps) });
  const search = createSearchService({ catalogue });
  const inventory = createInventoryService({ ...deps, settings, stores });
  const content = createContentService({ ...deps, catalogue, media });
  const shell = createShellService({ catalogue, settings });
  const stock = createStockService({ ...deps, onBoundary: editor.stockCrossed });
  const pickup = createPickupService({ ...deps, stores });
  const mail = createMailService(deps);
  const coupons = createCouponsService(deps);
  const orders = createOrdersService({ ...deps, settings, stores, media, stock, pickup, mail, coupons });
  const registry = createPaymentRegistry(deps, deps.providers);
  const settling = createSettling({ ...deps, orders, payments: registry });
  const cart = createCartService({ ...deps, orders, stock, settling });
  const attempts = createAttemptsService(deps);
  const couponEntry = createCouponEntry({ ...deps, orders, coupons, attempts, settling });
  const tips = createTipsService({ ...deps, orders, settling });
  const accounts = createAccountsService({ ...deps, sessions, attempts, orders, cart, mail });
  const mailer = createMailer({
    ...deps,
    transport: createMailTransport(deps.env),
    composers: createComposers({ publicUrl: deps.env.publicUrl, settings, stores, orders, accounts }),
    ...(deps.onMailProblem ? { report: deps.onMailProblem } : {}),
  });
  const checkout = createCheckoutService({ ...deps, orders, pickup, payments: registry, accounts, settling });
  const payments = createPaymentsService({ ...deps, orders, checkout, payments: registry, settling });
  return {
    sessions,
    settings,
    geo,
    media,
    stores,
    catalogue,
    editor,
    search,
    inventory,
    content,
    shell,
    stock,
    pickup,
    orders,
    cart,
    coupons,
    couponEntry,
    tips,
    accounts,
    mailer,
    checkout,
    payments,
    async sweep() {
      await sessions.sweep();
      await payments.reconcile();
      await orders.dropAbandoned();
      await attempts.sweep();
      await accounts.sweep();
      await mail.sweep();
      await orders.customers.forgetEnded();
    },
  };
}
