import type { Database } from '#db/database.ts';
import type { SettingsService } from '#server/modules/settings/index.ts';
import type { DeliveryQueue } from '#server/platform/deliveries/delivery-queue.ts';
import type { Env } from '#server/platform/env.ts';
import type { ServerModule } from '#server/platform/server-module.ts';
import type { Tracer } from '#server/platform/telemetry/tracer.ts';
import { createEmailRegistry, type EmailRegistry } from './email-frame.ts';
import { createMailSender, createMailTransport, type DeliveryFailure } from './mail-sender.ts';
import {
  type AlertsService,
  createAlertsService,
  createOutboxService,
  type MerchantAlert,
  type OutboxService,
} from './outbox.service.ts';

export interface NotificationsDeps {
  db: Database;
  env: Env;
  now: () => number;
  deliveries: DeliveryQueue;
  settings: SettingsService;
  onMailProblem?: (failure: DeliveryFailure) => void;
  onMerchantAlert?: (alert: MerchantAlert) => void;
  tracer?: Tracer;
}

export interface NotificationsServices {
  mail: OutboxService;
  alerts: AlertsService;
  emails: EmailRegistry;
  mailDestination: string;
}

export function createNotificationsModule(deps: NotificationsDeps): ServerModule<NotificationsServices> {
  const { deliveries, now, tracer, onMailProblem: report, onMerchantAlert } = deps;
  const mail = createOutboxService(deps);
  const emails = createEmailRegistry(deps);
  const transport = createMailTransport(deps.env);
  deliveries.register({ mail: createMailSender({ now, transport, templates: emails.templates, report, tracer }) });
  const alerts = createAlertsService({ mail, onMerchantAlert });
  return {
    services: { mail, alerts, emails, mailDestination: transport.destination },
    stop: async () => transport.close(),
  };
}
