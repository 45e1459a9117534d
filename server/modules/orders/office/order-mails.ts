/** The emails of an order as staff see them, sent once more, and the address that they go to. */
import { offeredOr } from '#contract/locales.ts';
import { isEmail } from '#contract/rules/contact.ts';
import type { OrderMailKind, OrderSheet } from '#contract/staff/orders.ts';
import type { Reader } from '#db/database.ts';
import type { Change } from '#server/modules/changes/index.ts';
import { emailsOfOrder, type OutboxService, redirectEmails } from '#server/modules/notifications/index.ts';
import { dayMs, minuteMs } from '#server/platform/durations.ts';
import { notFound, OperationError, validationError } from '#server/platform/errors.ts';
import { revokeOrderLinks } from '../links/order-links.repository.ts';
import type { OrderHead } from '../order/order.ts';
import { writeOrderWords } from '../order/order-pages.repository.ts';
import { updateOrder } from '../order/orders.repository.ts';

/** Emails about one order within a day, after which none is sent again. */
const mostADay = 20;

export interface OrderMailsDeps {
  now: () => number;
  mail: OutboxService;
}

/** Staff see an address that is not the order's present one only in part. */
const masked = (email: string) => email.replace(/^(.).*@/, '$1…@');

export async function mailsOf(reader: Reader, { id, contact }: OrderHead): Promise<OrderSheet['mails']> {
  return (await emailsOfOrder(reader, id)).map(({ id: mailId, kind, recipient, state, answer, createdAt, attemptedAt }) => ({
    id: mailId,
    // Other kinds are about no order.
    kind: kind as OrderMailKind,
    to: recipient === contact?.email ? recipient : masked(recipient),
    state,
    problem: state === 'delivered' ? null : answer,
    at: (state === 'delivered' ? attemptedAt : null) ?? createdAt,
  }));
}

/**
 * Sends an email of an order once more, as it reads now, to the order's present address; one to the staff to its own.
 * @throws {AppError} NOT_FOUND if there is no such email @throws {OperationError} if it was just sent again, or too many were sent
 */
export async function sendAgain(
  { now, mail }: OrderMailsDeps,
  { trx, note }: Change,
  { id, number, contact }: OrderHead,
  mailId: string,
): Promise<void> {
  const sent = await emailsOfOrder(trx, id);
  const email = sent.find((each) => each.id === mailId);
  if (!email) throw notFound();
  const recipient = email.kind === 'newOrder' ? email.recipient : contact?.email;
  if (!recipient) throw new OperationError('error.order.noEmail', { number: number ?? '' });
  if (sent.filter(({ createdAt }) => createdAt > now() - dayMs).length >= mostADay)
    throw new OperationError('error.order.mailsMany', { number: number ?? '', count: mostADay });
  // The reference is the same for two people who press at once.
  const reference = `again:${id}:${email.kind}:${Math.floor(now() / minuteMs)}`;
  const again = {
    kind: email.kind as OrderMailKind,
    recipient,
    locale: offeredOr(email.language),
    data: JSON.parse(email.body),
    reference,
  };
  if ((await mail.enqueue(trx, again)) === 0) throw new OperationError('error.order.mailAgain');
  note('order', number ?? '', [{ field: 'sentAgain', to: email.kind }]);
}

/**
 * Corrects the address of an order's contact. Emails that wait go there, and links that went to the old address end.
 * @throws {AppError} if it is no address @throws {OperationError} if the order has no contact, such as after its erasure
 */
export async function correctEmail({ now }: Pick<OrderMailsDeps, 'now'>, { trx, note }: Change, order: OrderHead, text: string) {
  const email = text.trim();
  const number = order.number ?? '';
  if (!isEmail(email)) throw validationError({ email: 'rule.emailInvalid' });
  // Locks the order, so that its contact is the present one.
  const locked = await updateOrder(trx, order.id, { updated_at: now() });
  const contact = locked?.contact;
  if (!contact) throw new OperationError('error.order.noContact', { number });
  if (contact.email === email) return note('order', number, []);
  const corrected = await updateOrder(trx, order.id, { contact: JSON.stringify({ ...contact, email }) });
  if (corrected) await writeOrderWords(trx, corrected);
  await redirectEmails(trx, order.id, contact.email, email);
  await revokeOrderLinks(trx, order.id, now());
  // The journal keeps that it changed, and no address.
  note('order', number, [{ field: 'contact.email', from: contact.email, to: email }]);
}
