import type { Database } from '#db/database.ts';
import type { ConnectionsService } from '#server/modules/connections/index.ts';
import type { SettingsService } from '#server/modules/settings/index.ts';
import type { DeliveryQueue } from '#server/platform/deliveries/delivery-queue.ts';
import type { Env } from '#server/platform/env.ts';
import type { RateLimitsService } from '#server/platform/rate-limits/rate-limits.service.ts';
import type { ServerModule } from '#server/platform/server-module.ts';
import type { Tracer } from '#server/platform/telemetry/tracer.ts';
import { createEmailRegistry, type EmailRegistry, type EmailRegistryDeps } from './email-frame.ts';
import { registerEmailTrials } from './email-trials.ts';
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
  rateLimits: RateLimitsService;
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

/** The people of the office, whose module comes later. */
interface NotificationsPeople {
  person(id: string): Promise<{ name: string; email: string } | null>;
}

export interface NotificationsModule extends ServerModule<NotificationsServices> {
  connect(people: NotificationsPeople): void;
}

export function createNotificationsModule(deps: NotificationsDeps): NotificationsModule {
  let people: NotificationsPeople = { person: async () => null };
  const { deliveries, now, tracer, onMailProblem: report, onMerchantAlert } = deps;
  const mail = createOutboxService(deps);
  const emails = createEmailRegistry(deps);
  const transports = createMailTransports(deps.connections.current, deps.env.dataDir);
  const transport = transports.current;
  deliveries.register({
    mail: createMailSender({ now, transport, templates: emails.templates, report, tracer }),
  });
  deps.connections.registerTest('mail', createMailTest({ now, emails, connections: deps.connections }));
  const alerts = createAlertsService({ mail, onMerchantAlert });
  async function mailDestination() {
    const { destination, writesFiles } = await transport();
    return { to: destination, sends: !writesFiles };
  }
  return {
    services: { mail, alerts, emails, mailDestination },
    connect(found) {
      people = found;
    },
    registerRoutes(app) {
      const person = (id: string) => people.person(id);
      registerEmailTrials(app, { ...deps, mail, emails, mailDestination, person });
    },
    stop: async () => transports.close(),
  };
}
