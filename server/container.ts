/** Makes the services, in the order in which they lean on each other. Modules meet only here. */
import type { Database } from '#db/database.ts';
import {
  type CatalogueEditor,
  type CatalogueService,
  createCatalogueEditor,
  createCatalogueService,
  createQueryPlanner,
  createSearchService,
  type SearchService,
} from '#server/modules/catalogue/index.ts';
import {
  type BlogService,
  type ContentService,
  createBlogService,
  createContentService,
  createExternalSourcesService,
  createFeedReader,
  createFeedsService,
  createFormMessagesService,
  createOwnFeed,
  createPhotographsService,
  createPublishedBlocks,
  createShellService,
  type FeedReader,
  type FeedsService,
  type FormMessagesService,
  type PageReport,
  type PhotographsService,
  type ShellService,
  type SourceFailure,
} from '#server/modules/content/index.ts';
import {
  type AccountsService,
  createAccountsService,
  createGeoService,
  type GeoService,
} from '#server/modules/customers/index.ts';
import {
  createInventoryService,
  createStockService,
  type InventoryService,
  type StockService,
} from '#server/modules/inventory/index.ts';
import { createMediaService, createVideos, type MediaService, type Videos } from '#server/modules/media/index.ts';
import {
  createAlertsService,
  createEmailTemplates,
  createMailer,
  createMailTransport,
  createOutboxService,
  type DeliveryFailure,
  type Mailer,
  type MerchantAlert,
} from '#server/modules/notifications/index.ts';
import {
  type CartService,
  type CheckoutService,
  type CouponEntry,
  type CouponsService,
  createCartService,
  createCheckoutService,
  createCouponEntry,
  createCouponsService,
  createOrdersService,
  createTipsService,
  type OrdersService,
  type TipsService,
} from '#server/modules/orders/index.ts';
import {
  createFailureAlerts,
  createPaymentRegistry,
  createPaymentSettlement,
  createPaymentsService,
  type GivenUpAttempt,
  type PaymentsService,
  type ProviderProblem,
  type Providers,
  type QueueLimits,
} from '#server/modules/payments/index.ts';
import { createSitemapService, type SitemapService } from '#server/modules/seo/index.ts';
import { createSettingsService, type SettingsService } from '#server/modules/settings/index.ts';
import {
  createPickupService,
  createStoresService,
  type PickupService,
  type StoresService,
} from '#server/modules/stores/index.ts';
import type { Env } from '#server/platform/env.ts';
import { createRateLimitsService } from '#server/platform/rate-limits/rate-limits.service.ts';
import { createSafeFetch, loopbackOnly, type NetworkPolicy, publicInternet } from '#server/platform/safe-fetch/safe-fetch.ts';
import { createSessionsService, type SessionsService } from '#server/platform/sessions/sessions.service.ts';

export interface ServiceDeps {
  db: Database;
  env: Env;
  /** The clock: milliseconds since the epoch. */
  now: () => number;
  /** Told of mails that could not be sent. */
  onMailProblem?: (report: DeliveryFailure) => void;
  /** Told of payment providers that could not be asked. */
  onPaymentProblem?: (problem: ProviderProblem) => void;
  /** Told of attempts to pay that were ended because their provider no longer knows them. */
  onAttemptGivenUp?: (attempt: GivenUpAttempt) => void;
  /** How long reconciliation waits for payment providers, for tests. */
  queueLimits?: QueueLimits;
  /** Told of what a merchant has to see to (`modules/alerts`). */
  onMerchantAlert?: (alert: MerchantAlert) => void;
  /** Payment providers in the place of those of the configuration, for tests. */
  providers?: Partial<Providers>;
  /** Told of blocks in the database that cannot be shown. */
  onBadBlocks?: (report: PageReport) => void;
  /** Told of feeds and the like that could not be read. */
  onSourceProblem?: (problem: SourceFailure) => void;
  /** How other sites are reached; left out, over the internet, public addresses only. */
  reach?: NetworkPolicy;
}

export interface Services {
  /**
   * Clears away what has expired. Safe to run in several processes at once.
   * @throws AggregateError at the end of what failed; one step must not keep the others from it
   */
  runMaintenance(): Promise<void>;
  sessions: SessionsService;
  settings: SettingsService;
  geo: GeoService;
  media: MediaService;
  stores: StoresService;
  catalogue: CatalogueService;
  editor: CatalogueEditor;
  search: SearchService;
  inventory: InventoryService;
  blog: BlogService;
  /** The blog's own feeds. */
  blogFeeds: FeedsService;
  content: ContentService;
  feeds: FeedReader;
  photographs: PhotographsService;
  formMessages: FormMessagesService;
  videos: Videos;
  /** Whose players published films need. */
  framedSites(): Promise<string[]>;
  /** Reads feeds and photographs that are due. Safe to run in several processes at once. */
  refreshExternalFeeds(): Promise<void>;
  shell: ShellService;
  sitemaps: SitemapService;
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

export function createContainer(deps: ServiceDeps): Services {
  const attempts = createRateLimitsService(deps);
  const sessions = createSessionsService({ ...deps, attempts });
  const settings = createSettingsService(deps);
  const media = createMediaService(deps);
  const stores = createStoresService({ ...deps, media });
  const geo = createGeoService({ settings });
  const editor = createCatalogueEditor({ ...deps, media });
  const catalogue = createCatalogueService({ ...deps, media, settings, interpreter: createQueryPlanner(deps) });
  const search = createSearchService({ catalogue });
  const inventory = createInventoryService({ ...deps, settings, stores });
  const blog = createBlogService({ ...deps, media, stores, attempts });
  const films = createVideos(deps.env);
  const published = createPublishedBlocks(deps);
  const sources = createExternalSourcesService({ ...deps, onProblem: deps.onSourceProblem });
  const outside = createSafeFetch(deps.reach ?? publicInternet);
  const feeds = createFeedReader({ published, sources, outside, own: createOwnFeed(blog) });
  const account = deps.env.instagram;
  // A stand-in for Instagram, and its pictures, are on this machine.
  const instagram = account?.apiUrl.startsWith('http:') ? createSafeFetch(loopbackOnly) : outside;
  const social = createPhotographsService({ ...deps, media, sources, outside: instagram, account });
  const content = createContentService({ ...deps, catalogue, media, films, blog, feeds, social });
  const sitemaps = createSitemapService({ ...deps, catalogue, content, blog, media });
  const shell = createShellService({ ...deps, blog, catalogue, settings, stores, media });
  const stock = createStockService({ ...deps, onBoundary: editor.stockCrossed });
  const pickup = createPickupService({ ...deps, stores });
  const mail = createOutboxService(deps);
  const coupons = createCouponsService(deps);
  const alerts = createAlertsService({ mail, onMerchantAlert: deps.onMerchantAlert });
  const orders = createOrdersService({ ...deps, settings, stores, media, stock, pickup, mail, alerts, coupons });
  const registry = createPaymentRegistry(deps, deps.providers);
  const failureAlerts = createFailureAlerts({ ...deps, alerts });
  const settlement = createPaymentSettlement({ ...deps, orders, payments: registry, failureAlerts });
  const cart = createCartService({ ...deps, orders, stock, payments: settlement });
  const couponEntry = createCouponEntry({ ...deps, orders, coupons, attempts, payments: settlement });
  const tips = createTipsService({ ...deps, orders, payments: settlement });
  const messages = createFormMessagesService({ ...deps, published, attempts, mail });
  const accounts = createAccountsService({
    ...deps,
    settings,
    sessions,
    attempts,
    orders,
    cart,
    mail,
    messages,
    likes: blog.likes,
  });
  const mailer = createMailer({
    ...deps,
    transport: createMailTransport(deps.env),
    templates: createEmailTemplates({ publicUrl: deps.env.publicUrl, settings, stores, orders, accounts, messages }),
    ...(deps.onMailProblem ? { report: deps.onMailProblem } : {}),
  });
  const checkout = createCheckoutService({ ...deps, orders, pickup, payments: settlement, accounts, attempts });
  const payments = createPaymentsService({ ...deps, orders, checkout, payments: registry, settlement, attempts });
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
    blog,
    blogFeeds: createFeedsService({ blog, settings }),
    content,
    feeds,
    photographs: social,
    formMessages: messages,
    videos: films,
    framedSites: () => published.framedSites(),
    async refreshExternalFeeds() {
      await Promise.all([feeds.refresh(), social.refresh()]);
    },
    shell,
    sitemaps,
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
    async runMaintenance() {
      const failures: unknown[] = [];
      const run = (step: () => Promise<unknown>) => step().catch((error: unknown) => failures.push(error));
      // Beside the others: these wait for payment providers, and the others wait for nobody.
      const reconciling = Promise.all([run(() => payments.reconcile()), run(() => payments.checkDue())]);
      for (const step of [
        () => sessions.sweep(),
        () => orders.deleteAbandonedCarts(),
        () => attempts.deleteExpired(),
        () => blog.editor.release(),
        () => accounts.sweep(),
        () => mail.sweep(),
        () => messages.sweep(),
        () => orders.customers.anonymizeEnded(),
      ])
        await run(step);
      await reconciling;
      if (failures.length > 0) throw new AggregateError(failures, failures.map(String).join('; '));
    },
  };
}
