import type { Database } from '#db/database.ts';
import type { ConnectionsService } from '#server/modules/connections/index.ts';
import type { SettingsService } from '#server/modules/settings/index.ts';
import type { DeliveryQueue } from '#server/platform/deliveries/delivery-queue.ts';
import type { Env } from '#server/platform/env.ts';
import type { ServerModule } from '#server/platform/server-module.ts';
import type { Tracer } from '#server/platform/telemetry/tracer.ts';
import { createEmailRegistry, type EmailRegistry, type EmailRegistryDeps } from './email-frame.ts';
import { createMailSender, createMailTransports, type DeliveryFailure } from './mail-sender.ts';
import { createMailTest } from './mail-test.ts';
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
  connections: ConnectionsService;
  deliveries: DeliveryQueue;
  settings: SettingsService;
  media: EmailRegistryDeps['media'];
  onMailProblem?: (failure: DeliveryFailure) => void;
  onMerchantAlert?: (alert: MerchantAlert) => void;
  tracer?: Tracer;
}

export interface NotificationsServices {
  mail: OutboxService;
  alerts: AlertsService;
  emails: EmailRegistry;
  /** Where emails go now, without secrets, and whether to a mail server. */
  mailDestination: () => Promise<{ to: string; sends: boolean }>;
}

export function createNotificationsModule(deps: NotificationsDeps): ServerModule<NotificationsServices> {
  const { deliveries, now, tracer, onMailProblem: report, onMerchantAlert } = deps;
  const mail = createOutboxService(deps);
  const emails = createEmailRegistry(deps);
  const transports = createMailTransports(deps.connections.current, deps.env.dataDir);
  const transport = transports.current;
  deliveries.register({ mail: createMailSender({ now, transport, templates: emails.templates, report, tracer }) });
  deps.connections.registerTest('mail', createMailTest({ now, emails, connections: deps.connections }));
  const alerts = createAlertsService({ mail, onMerchantAlert });
  return {
    services: {
      ...{ mail, alerts, emails },
      async mailDestination() {
        const { destination, writesFiles } = await transport();
        return { to: destination, sends: !writesFiles };
      },
    },
    stop: async () => transports.close(),
  };
}
