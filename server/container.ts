/** In the order of their allowed imports. */
import type { Database, Reader } from '#db/database.ts';
import { createAgentsModule } from '#server/modules/agents/module.ts';
import { createBookkeepingModule } from '#server/modules/bookkeeping/module.ts';
import { createCatalogueModule } from '#server/modules/catalogue/module.ts';
import { createChangesModule } from '#server/modules/changes/module.ts';
import { createCheckoutModule, createSettlement } from '#server/modules/checkout/module.ts';
import { createConnectionsModule } from '#server/modules/connections/module.ts';
import type { PageReport, SourceFailure } from '#server/modules/content/index.ts';
import { createContentModule } from '#server/modules/content/module.ts';
import type { Passwords } from '#server/modules/customers/index.ts';
import { createCustomersModule } from '#server/modules/customers/module.ts';
import { createDiagnosticsModule } from '#server/modules/diagnostics/module.ts';
import { createExportsModule } from '#server/modules/exports/module.ts';
import { createImportsModule } from '#server/modules/imports/module.ts';
import { createInventoryModule } from '#server/modules/inventory/module.ts';
import { createLanguagesModule } from '#server/modules/languages/module.ts';
import { createLedgerModule } from '#server/modules/ledger/module.ts';
import { createMediaModule } from '#server/modules/media/module.ts';
import type { DeliveryFailure, MerchantAlert } from '#server/modules/notifications/index.ts';
import { createNotificationsModule } from '#server/modules/notifications/module.ts';
import { createCartModule, createOrdersModule } from '#server/modules/orders/module.ts';
import type {
  GivenUpAttempt,
  ProviderProblem,
  Providers,
  QueueLimits,
} from '#server/modules/payments/index.ts';
import { createPaymentsModule } from '#server/modules/payments/module.ts';
import { createProgramsModule } from '#server/modules/programs/module.ts';
import { createRemovalModule } from '#server/modules/removal/module.ts';
import { createSeoModule } from '#server/modules/seo/module.ts';
import { createSettingsModule } from '#server/modules/settings/module.ts';
import { createSettlementsModule } from '#server/modules/settlements/module.ts';
import { createStaffModule } from '#server/modules/staff/module.ts';
import { createStoresModule } from '#server/modules/stores/module.ts';
import type { WebhookFailure } from '#server/modules/webhooks/index.ts';
import { createWebhooksModule } from '#server/modules/webhooks/module.ts';
import { createPlatformModule } from '#server/platform/platform.module.ts';
import type { NetworkPolicy } from '#server/platform/safe-fetch/safe-fetch.ts';
import { runMaintenance, type ServerModule } from '#server/platform/server-module.ts';
import type { Tracer } from '#server/platform/telemetry/tracer.ts';
import { type Env, readConnected } from './env.ts';

export interface ServiceDeps {
  db: Database;
  env: Env;
  now: () => number;
  onMailProblem?: (failure: DeliveryFailure) => void;
  onPaymentProblem?: (problem: ProviderProblem) => void;
  onAttemptGivenUp?: (attempt: GivenUpAttempt) => void;
  /** For tests. */
  queueLimits?: QueueLimits;
  onMerchantAlert?: (alert: MerchantAlert) => void;
  /** In place of the configured ones; for tests. */
  providers?: Partial<Providers>;
  onWebhookProblem?: (failure: WebhookFailure) => void;
  onBadBlocks?: (report: PageReport) => void;
  onSourceProblem?: (problem: SourceFailure) => void;
  /** In place of hashes that take time on purpose; for tests. */
  passwords?: Passwords;
  /** By default over the internet, public addresses only. */
  reach?: NetworkPolicy;
  /** By default nothing is traced. */
  tracer?: Tracer;
}

export type Services = ReturnType<typeof createContainer>;

export function createContainer(deps: ServiceDeps) {
  const modules: ServerModule[] = [];
  const add = <M extends ServerModule>(module: M): M => {
    modules.push(module);
    return module;
  };

  const platform = add(createPlatformModule(deps)).services;
  const changes = add(createChangesModule(deps)).services;
  const connections = add(
    createConnectionsModule({ ...deps, ...changes, rateLimits: platform.attempts, readConnected }),
  );
  const settings = add(createSettingsModule({ ...deps, ...changes })).services;
  const media = add(createMediaModule(deps)).services;
  const base = {
    ...deps,
    ...platform,
    ...changes,
    rateLimits: platform.attempts,
    ...connections.services,
    ...settings,
    ...media,
  };
  const stores = add(createStoresModule(base)).services;
  const mailing = add(createNotificationsModule(base));
  const notifications = mailing.services;
  const webhooks = add(createWebhooksModule({ ...base, ...notifications })).services;
  const customers = add(createCustomersModule({ ...base, ...notifications }));
  const staff = add(createStaffModule({ ...base, ...stores })).services;
  add(createProgramsModule(base));
  const catalogue = add(createCatalogueModule({ ...base, ...stores, ...webhooks })).services;
  const shop = { ...base, ...stores, ...notifications, ...webhooks, ...customers.services, ...catalogue };
  const content = add(createContentModule({ ...shop, ...staff, sessionInfo: shop.accounts.info }));
  const inventory = add(createInventoryModule({ ...shop, ...staff })).services;
  const orders = add(createOrdersModule({ ...shop, ...inventory, ...staff })).services;
  const sale = { ...shop, ...inventory, ...orders };
  const currency = async (reader: Reader) => (await settings.settings.read(reader)).currency;
  const books = add(createLedgerModule({ ...base, ...stores, people: staff.staff.names, currency })).services;
  const bookkeeping = add(createBookkeepingModule({ ...base, ...stores, ...staff, ...books })).services;
  const payables = createSettlement(sale);
  const payments = add(createPaymentsModule({ ...sale, payables })).services;
  const checkout = add(createCheckoutModule({ ...sale, ...payments, payables })).services;
  const cart = add(createCartModule({ ...sale, endPayment: checkout.paying.endPayment }));
  const agents = add(createAgentsModule({ ...sale, ...payments, ...checkout, ...cart.services })).services;
  const languages = add(createLanguagesModule(base)).services;
  const imports = add(createImportsModule({ ...sale, ...content.services, ...languages }));
  const settlements = add(createSettlementsModule({ ...sale, ...payments, ...books })).services;
  add(createDiagnosticsModule(shop));
  connections.connect(staff.staff);
  mailing.connect(staff.staff);
  customers.connect({
    orders: cart.customerData,
    content: content.customerData,
    imports: imports.customerData,
  });

  return {
    ...platform,
    ...changes,
    ...connections.services,
    ...settings,
    ...media,
    ...stores,
    ...notifications,
    ...webhooks,
    ...customers.services,
    ...staff,
    ...catalogue,
    ...content.services,
    ...inventory,
    ...orders,
    ...payments,
    ...books,
    ...bookkeeping,
    payables,
    ...checkout,
    ...cart.services,
    ...agents,
    ...add(createSeoModule({ ...shop, ...content.services })).services,
    ...languages,
    ...imports.services,
    ...settlements,
    ...add(createExportsModule({ ...sale, ...content.services, ...settlements, ...languages })).services,
    ...add(createRemovalModule({ ...shop, ...content.services, ...orders })).services,
    modules: modules as readonly ServerModule[],
    /** Deletes and settles what has expired. Safe to run in several processes at once. @throws {AggregateError} of all failures */
    runMaintenance: () => runMaintenance(modules),
  };
}
