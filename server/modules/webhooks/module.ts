import type { Database } from '#db/database.ts';
import type { ChangesService } from '#server/modules/changes/index.ts';
import type { AlertsService } from '#server/modules/notifications/index.ts';
import type { SettingsService } from '#server/modules/settings/index.ts';
import type { DeliveryQueue } from '#server/platform/deliveries/delivery-queue.ts';
import type { Env } from '#server/platform/env.ts';
import {
  anyNetwork,
  createSafePost,
  type NetworkPolicy,
  publicInternet,
} from '#server/platform/safe-fetch/safe-fetch.ts';
import type { ServerModule } from '#server/platform/server-module.ts';
import {
  createLowStockEvents,
  createWebhookEvents,
  type LowStockEvents,
  type WebhookEvents,
} from './events.service.ts';
import { createWebhookSender, type WebhookFailure } from './sender.ts';
import { registerWebhooks } from './webhook.kind.ts';
import { createWebhooksService, type WebhooksService } from './webhooks.service.ts';

export interface WebhooksModuleDeps {
  db: Database;
  env: Pick<Env, 'webhooksAllowPrivate'>;
  now: () => number;
  deliveries: DeliveryQueue;
  settings: SettingsService;
  alerts: AlertsService;
  /** How endpoints are reached; for tests. */
  reach?: NetworkPolicy;
  onWebhookProblem?: (failure: WebhookFailure) => void;
  changes: ChangesService;
}

export interface WebhooksServices {
  webhookEvents: WebhookEvents;
  lowStock: LowStockEvents;
  webhooks: WebhooksService;
}

export function createWebhooksModule(deps: WebhooksModuleDeps): ServerModule<WebhooksServices> {
  const { webhooksAllowPrivate: allowPrivate } = deps.env;
  const post = createSafePost(deps.reach ?? (allowPrivate ? anyNetwork : publicInternet), {
    httpsOnly: !allowPrivate,
  });
  const webhookEvents = createWebhookEvents(deps);
  deps.deliveries.register({
    webhook: createWebhookSender({
      ...deps,
      post,
      agentMessage: webhookEvents.agentMessage,
      report: deps.onWebhookProblem,
    }),
  });
  const lowStock = createLowStockEvents(webhookEvents, deps.now);
  const webhooks = createWebhooksService({ ...deps, post, allowPrivate });
  return {
    services: { webhookEvents, lowStock, webhooks },
    registerRoutes: (app) => registerWebhooks(app, { ...deps, webhooks }),
  };
}
