import type { Database } from '#db/database.ts';
import type { AlertsService } from '#server/modules/notifications/index.ts';
import type { SettingsService } from '#server/modules/settings/index.ts';
import type { Env } from '#server/platform/env.ts';
import { anyNetwork, type NetworkPolicy, publicInternet } from '#server/platform/safe-fetch/safe-fetch.ts';
import { createSafePost } from '#server/platform/safe-fetch/safe-post.ts';
import type { ServerModule } from '#server/platform/server-module.ts';
import { deliveryMetrics } from './delivery-metrics.ts';
import { createWebhookEvents, type WebhookEvents } from './events.service.ts';
import { createLowStockEvents, type LowStockEvents } from './low-stock.ts';
import { createWebhookSender, type WebhookFailure, type WebhookSender } from './sender.ts';
import { createWebhooksService, type WebhooksService } from './webhooks.service.ts';

/** The longest time until a process checks for a delivery that is due, ms. */
const sendEveryMs = 2000;

export interface WebhooksModuleDeps {
  db: Database;
  env: Pick<Env, 'webhooksAllowPrivate'>;
  now: () => number;
  settings: SettingsService;
  alerts: AlertsService;
  /** How endpoints are reached; for tests. */
  reach?: NetworkPolicy;
  /** Called with deliveries that failed. */
  onWebhookProblem?: (failure: WebhookFailure) => void;
}

export interface WebhooksServices {
  /** Records events. */
  webhookEvents: WebhookEvents;
  lowStock: LowStockEvents;
  /** The merchant's operations. */
  webhooks: WebhooksService;
  webhookSender: WebhookSender;
}

export function createWebhooksModule(deps: WebhooksModuleDeps): ServerModule<WebhooksServices> {
  const { webhooksAllowPrivate: allowPrivate } = deps.env;
  const post = createSafePost(deps.reach ?? (allowPrivate ? anyNetwork : publicInternet), { httpsOnly: !allowPrivate });
  const webhookEvents = createWebhookEvents(deps);
  const webhookSender = createWebhookSender({ ...deps, post, report: deps.onWebhookProblem });
  const webhooks = createWebhooksService({ ...deps, post, allowPrivate });
  return {
    services: { webhookEvents, lowStock: createLowStockEvents({ ...deps, events: webhookEvents }), webhooks, webhookSender },
    maintenance: [{ run: () => webhooks.prune() }],
    jobs: [{ name: 'webhooks', everyMs: sendEveryMs, run: () => webhookSender.start() }],
    stop: () => webhookSender.stop(),
    metrics: [deliveryMetrics(deps)],
  };
}
