export type { EmailPart, EmailRegistry } from './email-frame.ts';
export { button, type MailShop, pageUrl, renderCustomerEmail, renderStaffEmail } from './email-frame.ts';
export {
  type EmailSample,
  type EmailSamples,
  type EmailWords,
  emailWords,
  paragraph,
} from './email-words.ts';
export { emailsOfOrder, redirectEmails } from './emails.repository.ts';
export type { DeliveryFailure, EmailTemplatesOf, MailContext, RenderedEmail } from './mail-sender.ts';
export { writtenToFile } from './mail-sender.ts';
export type {
  AlertsService,
  CustomerChange,
  LineDelta,
  MerchantAlert,
  NewMail,
  OrderMailKind,
  OutboxService,
} from './outbox.service.ts';
