/** Notifications: the outbox, the mailer and the email templates. */
export { type AlertsService, createAlertsService, type MerchantAlert } from './alerts.service.ts';
export { createEmailTemplates } from './email-templates.ts';
export { createMailer, type DeliveryFailure, type MailContext, type Mailer } from './mailer.ts';
export { createOutboxService, type OrderMailKind, type OutboxService } from './outbox.service.ts';
export { createMailTransport } from './transport.ts';
