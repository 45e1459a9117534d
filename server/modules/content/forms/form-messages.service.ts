/** SPEC §7 `message/submitForm`: each is stored with its email in one transaction; the mailer sends it. */
import { createHash, randomUUID } from 'node:crypto';
import type { PublishedForm } from '#blocks/define-block.ts';
import { defaultLocale, inLocale, isLocale, type Locale } from '#contract/locales.ts';
import { isClean } from '#contract/rules/fields.ts';
import { formErrors } from '#contract/rules/form.ts';
import type { FormMessage } from '#contract/shop/content.ts';
import {
  type MessagesPage,
  type MessagesQuery,
  messagesPage,
  type ReceivedMessage,
} from '#contract/staff/customers.ts';
import type { Database } from '#db/database.ts';
import type { Change } from '#server/modules/changes/index.ts';
import {
  type EmailRegistry,
  type EmailTemplatesOf,
  type MailShop,
  type OutboxService,
  type RenderedEmail,
  renderStaffEmail,
} from '#server/modules/notifications/index.ts';
import { notFound, validationError } from '#server/platform/errors.ts';
import { translate } from '#server/platform/i18n.ts';
import type { Permit } from '#server/platform/permits.ts';
import { networkOf, type RateLimitsService } from '#server/platform/rate-limits/rate-limits.service.ts';
import { oneLine } from '#server/platform/text.ts';
import { dayMs } from '#server/platform/time-zone.ts';
import type { PublishedBlocks } from '../blocks/published-blocks.ts';
import {
  deleteMessagesBefore,
  deleteMessagesFrom,
  insertMessage,
  type MessageRow,
  type MessagesFrom,
  markMessage,
  messageById,
  messagePage,
  messagesFrom,
} from './form-messages.repository.ts';

export interface MessageDetail {
  name: string;
  /** In the sender's language. */
  label: string;
  value: string;
}

export interface Message {
  id: string;
  formName: string;
  mailTo: string;
  locale: Locale;
  details: MessageDetail[];
  /** The reply address; null if the form has no email field. */
  replyTo: string | null;
  /** Epoch ms. */
  createdAt: number;
}

export interface Sender {
  locale: Locale;
  address: string;
  customerId: string | null;
}

export type FormMessagesService = ReturnType<typeof createFormMessagesService>;

/** A faster submission is suspected spam: people read before they write. */
const quickestSeconds = 2;
const keptMs = 365 * dayMs;
const suspectedKeptMs = 30 * dayMs;

interface MessagesDeps {
  db: Database;
  now: () => number;
  published: PublishedBlocks;
  attempts: RateLimitsService;
  mail: OutboxService;
}

export function createFormMessagesService({ db, now, published, attempts, mail }: MessagesDeps) {
  return {
    /** One message per text, network and day. Suspected spam is kept apart, unmailed. @throws {AppError} 404, REQUEST_VALIDATION_ERROR, RATE_LIMITED */
    async submit(message: FormMessage, { locale, address, customerId }: Sender): Promise<void> {
      const form = await formOf(published, message);
      const values = valuesOf(message, form);
      const errors = formErrors(form.fields, values, locale);
      if (!isClean(errors)) throw validationError(errors);
      const network = networkOf(address);
      await attempts.count([['formAddress', network]]);
      const at = now();
      const suspected = isSuspected(message);
      const row: MessageRow = {
        id: randomUUID(),
        form_name: form.uiFormName,
        mail_to: form.uiMailTo,
        language: locale,
        details: JSON.stringify(detailsOf(form, values, locale)),
        reply_to: replyAddress(form, values),
        suspected: suspected ? 1 : 0,
        fingerprint: fingerprint([
          network,
          String(Math.floor(at / dayMs)),
          form.uiFormName,
          form.uiMailTo,
          values,
          suspected,
        ]),
        created_at: at,
        customer_id: customerId,
        done_at: null,
        done_by: null,
      };
      await db.transaction(async (trx) => {
        const first = await insertMessage(trx, row);
        if (!first || suspected) return;
        await mail.enqueue(trx, {
          kind: 'formMessage',
          recipient: form.uiMailTo,
          locale,
          data: { messageId: row.id },
        });
      });
    },
    /** For the mailer; null if the message no longer exists. */
    async byId(id: string): Promise<Message | null> {
      const row = await messageById(db.read, id);
      return row ? messageOf(row) : null;
    },
    /** Latest first. */
    async latest({ suspected, most }: { suspected: boolean; most: number }): Promise<Message[]> {
      return (await messagePage(db.read, suspected ? 'spam' : 'any', null, most)).map(messageOf);
    },
    async from(sender: MessagesFrom): Promise<Message[]> {
      return (await messagesFrom(db.read, sender)).map(messageOf);
    },
    /** Deletes the sender's messages; their unsent emails are then skipped. Returns how many. */
    forget: deleteMessagesFrom,
    sweep: (): Promise<void> =>
      db.transaction(async (trx) => {
        await deleteMessagesBefore(trx, true, now() - suspectedKeptMs);
        await deleteMessagesBefore(trx, false, now() - keptMs);
      }),
  };
}

/** Several pages may have forms with the same name and address; this selects the one with these fields. */
async function formOf(
  published: PublishedBlocks,
  { formName, mailTo, messageDetails }: FormMessage,
): Promise<PublishedForm> {
  const forms = await published.forms();
  const named = forms.filter(({ uiFormName, uiMailTo }) => uiFormName === formName && uiMailTo === mailTo);
  const sent = messageDetails.map(({ key }) => key);
  const fits = ({ fields }: PublishedForm) =>
    sent.every((key) => fields.some(({ name }) => name === key)) &&
    fields.every(({ name }) => sent.includes(name));
  const form = named.find(fits) ?? named[0];
  // An address that no page names must never receive email.
  if (!form) throw notFound('block.formGone');
  return form;
}

/** Keys that the form does not have are rejected; of a repeated key the last counts. Single-line fields lose their line breaks. */
function valuesOf({ messageDetails }: FormMessage, { fields }: PublishedForm): Record<string, string> {
  const values: Record<string, string> = Object.create(null);
  for (const { key, value } of messageDetails) {
    const field = fields.find(({ name }) => name === key);
    if (!field) throw notFound('block.formGone');
    values[key] = field.fieldType === 'textarea' ? manyLines(value) : oneLine(value);
  }
  return values;
}

function manyLines(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?|[\p{Zl}\p{Zp}]/gu, '\n')
    .replace(/[^\P{Cc}\n\t]/gu, '')
    .trim();
}

function isSuspected({ website = '', secondsOpen }: FormMessage): boolean {
  return website !== '' || (secondsOpen !== undefined && secondsOpen < quickestSeconds);
}

function detailsOf(
  { fields }: PublishedForm,
  values: Record<string, string>,
  locale: Locale,
): MessageDetail[] {
  return fields.flatMap(({ name, nameContent }) => {
    const value = values[name] ?? '';
    return value === '' ? [] : [{ name, label: inLocale(nameContent, locale), value }];
  });
}

function replyAddress({ fields }: PublishedForm, values: Record<string, string>): string | null {
  const field = fields.find(({ name, fieldType }) => fieldType === 'email' && values[name]);
  return (field && values[field.name]) || null;
}

function fingerprint(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}

function messageOf(row: MessageRow): Message {
  return {
    id: row.id,
    formName: row.form_name,
    mailTo: row.mail_to,
    locale: isLocale(row.language) ? row.language : defaultLocale,
    details: JSON.parse(row.details) as MessageDetail[],
    replyTo: row.reply_to,
    createdAt: row.created_at,
  };
}

export function createFormMessageEmails(deps: {
  emails: Pick<EmailRegistry, 'shopFor'>;
  messages: Pick<FormMessagesService, 'byId'>;
}): EmailTemplatesOf<'content'> {
  return {
    async formMessage({ messageId }, { locale }) {
      const message = await deps.messages.byId(messageId);
      return message && formMessageMail(await deps.emails.shopFor(locale), locale, message);
    },
  };
}

interface MailedMessage {
  formName: string;
  details: readonly { label: string; value: string }[];
  /** Validated as a single address when the form was submitted. */
  replyTo: string | null;
}

/** Text from the form appears in the body only. Its one header is the reply address. */
function formMessageMail(
  shop: MailShop,
  locale: Locale,
  { formName, details, replyTo }: MailedMessage,
): RenderedEmail {
  const t = translate(locale);
  const mail = renderStaffEmail({
    shop,
    locale,
    subject: t('mail.formMessage.subject', { form: formName, shop: shop.name }),
    title: t('mail.formMessage.title', { form: formName }),
    parts: [
      ...details.flatMap(({ label, value }) => [
        { kind: 'heading' as const, text: label },
        { kind: 'text' as const, text: value },
      ]),
      ...(replyTo ? [{ kind: 'text' as const, text: t('mail.formMessage.reply') }] : []),
    ],
    why: t('mail.why.form', { shop: shop.name }),
  });
  return replyTo ? { ...mail, replyTo } : mail;
}

/** Messages of forms as the office shows them. They belong to the shop: whoever is limited to stores has no permit for them. */
export interface OfficeMessagesDeps {
  db: Database;
  now: () => number;
  staff: { names(): Promise<ReadonlyMap<string, string>> };
}

export type OfficeMessages = ReturnType<typeof createOfficeMessages>;

export function createOfficeMessages({ db, now, staff }: OfficeMessagesDeps) {
  return {
    /** @throws {AppError} 404 for a page after a message that is gone */
    async page(
      _permit: Permit<'messages.read'>,
      { state = 'open', after }: MessagesQuery,
    ): Promise<MessagesPage> {
      const last = after === undefined ? null : found(await messageById(db.read, after));
      const rows = await messagePage(db.read, state, last, messagesPage + 1);
      const shown = rows.slice(0, messagesPage);
      const names = await staff.names();
      return {
        messages: shown.map((row) => received(row, names)),
        after: rows.length > messagesPage ? (shown.at(-1)?.id ?? null) : null,
      };
    },

    /** @throws {AppError} 404 */
    async show(_permit: Permit<'messages.answer'>, id: string): Promise<ReceivedMessage> {
      return received(found(await messageById(db.read, id)), await staff.names());
    },

    /** A message that is done stays with whoever was first. @throws {AppError} 404 */
    async mark(
      { trx, actor, note }: Change,
      _permit: Permit<'messages.answer'>,
      id: string,
      done: boolean,
    ): Promise<void> {
      const by = actor.kind === 'staff' ? actor.id : null;
      const isChanged = await markMessage(trx, id, done ? { done_at: now(), done_by: by } : null);
      if (!isChanged) found(await messageById(trx, id));
      note('message', id, isChanged ? [{ field: 'done', from: !done, to: done }] : []);
    },
  };
}

function received(row: MessageRow, names: ReadonlyMap<string, string>): ReceivedMessage {
  const { id, formName, mailTo, locale, details, replyTo, createdAt } = messageOf(row);
  const done = row.done_at === null ? null : { at: row.done_at, by: names.get(row.done_by ?? '') ?? '' };
  return { id, formName, mailTo, locale, details, replyTo, createdAt, done };
}

function found(row: MessageRow | undefined): MessageRow {
  if (!row) throw notFound();
  return row;
}
