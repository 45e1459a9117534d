import type { Database } from '#db/database.ts';
import type { SettingsService } from '#server/modules/settings/index.ts';
import type { Env } from '#server/platform/env.ts';
import type { ServerModule } from '#server/platform/server-module.ts';
import type { Tracer } from '#server/platform/telemetry/tracer.ts';
import { type AlertsService, createAlertsService, type MerchantAlert } from './alerts.service.ts';
import { createEmailRegistry, type EmailRegistry } from './email-registry.ts';
import type { DeliveryFailure } from './mail-delivery.ts';
import { createMailer, type Mailer } from './mailer.ts';
import { createOutboxService, type OutboxService } from './outbox.service.ts';
import { outboxMetrics } from './outbox-metrics.ts';
import { createMailTransport } from './transport.ts';

/** The longest time until a process checks for a queued email, ms. */
const sendEveryMs = 2000;

export interface NotificationsDeps {
  db: Database;
  env: Env;
  now: () => number;
  settings: SettingsService;
  /** Called with emails that could not be sent. */
  onMailProblem?: (failure: DeliveryFailure) => void;
  /** Called with alerts that need the merchant's attention. */
  onMerchantAlert?: (alert: MerchantAlert) => void;
  /** Traces the sending of emails. */
  tracer?: Tracer;
}

export interface NotificationsServices {
  mail: OutboxService;
  alerts: AlertsService;
  emails: EmailRegistry;
  /** Sends the emails that are due. */
  mailer: Mailer;
}

export function createNotificationsModule(deps: NotificationsDeps): ServerModule<NotificationsServices> {
  const mail = createOutboxService(deps);
  const emails = createEmailRegistry(deps);
  const mailer = createMailer({
    ...deps,
    transport: createMailTransport(deps.env),
    templates: emails.templates,
    ...(deps.onMailProblem ? { report: deps.onMailProblem } : {}),
  });
  const alerts = createAlertsService({ mail, onMerchantAlert: deps.onMerchantAlert });
  return {
    services: { mail, alerts, emails, mailer },
    maintenance: [{ run: () => mail.sweep() }],
    jobs: [{ name: 'mailer', everyMs: sendEveryMs, run: () => mailer.run() }],
    metrics: [outboxMetrics(deps)],
  };
}
