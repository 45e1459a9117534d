/**
 * The emails that the shop sends to its customers, and which of their texts merchants write themselves: the one list of both. Facts, such
 * as the lines of an order, a temporary password or the link to an order, are no part of a text, so that none can be lost.
 */
import type { MessageKey } from './locales.ts';

/** What a text may have in braces, as `{number}`. */
export const emailFields = ['amount', 'name', 'number', 'shop', 'store', 'when'] as const;
export type EmailField = (typeof emailFields)[number];

/** In their order in an email. `foot` stands below everything. */
export const emailSlots = ['subject', 'title', 'greeting', 'text', 'button', 'closing', 'foot'] as const;
export type EmailSlot = (typeof emailSlots)[number];

/** Of these, a text has one line. */
export const lineSlots: readonly EmailSlot[] = ['subject', 'title', 'greeting', 'button'];

export interface SlotFacts {
  /** The message that is sent as long as nobody wrote another; null: none, and an email is whole without. */
  delivered: MessageKey | null;
  fields: readonly EmailField[];
  /** Fields without which the email would not say what it is sent for. */
  required: readonly EmailField[];
  /** In place of a text whose fields cannot all be filled, such as one with the name of somebody who gave none. */
  nameless?: MessageKey;
}

export const emailGroups = ['orders', 'payments', 'accounts', 'every'] as const;

interface EmailFacts {
  group: (typeof emailGroups)[number];
  /** Which every text of it may have. */
  fields: readonly EmailField[];
  slots: Readonly<Partial<Record<EmailSlot, SlotFacts>>>;
}

interface Delivered {
  subject: MessageKey;
  title?: MessageKey;
  nameless?: MessageKey;
  text: MessageKey | null;
  button: MessageKey | null;
  /** Whether it begins with a greeting as it is delivered. */
  greets: boolean;
}

const slot = (
  delivered: MessageKey | null,
  fields: readonly EmailField[],
  required: readonly EmailField[] = [],
): SlotFacts => ({
  delivered,
  fields,
  required,
});

const named = (fields: readonly EmailField[]): readonly EmailField[] => ['name', ...fields];

function email<const F extends readonly EmailField[]>(
  group: EmailFacts['group'],
  fields: F,
  { subject, title, nameless, text, button, greets }: Delivered,
  required: readonly F[number][] = [],
) {
  const slots: EmailFacts['slots'] = {
    subject: slot(subject, fields),
    title: { ...slot(title ?? null, nameless ? named(fields) : fields), ...(nameless && { nameless }) },
    greeting: slot(greets ? 'mail.greeting' : null, named(fields)),
    text: slot(text, fields, required),
    ...(button && { button: slot(button, []) }),
    closing: slot(null, fields),
    foot: slot(null, ['shop']),
  };
  return { group, fields, slots };
}

const ofOrder = { button: 'mail.orderConfirmation.action', greets: true } as const;

export const customerEmails = {
  orderConfirmation: email('orders', ['shop', 'number'], {
    ...ofOrder,
    subject: 'mail.orderConfirmation.subject',
    title: 'confirm.titleNamed',
    nameless: 'confirm.title',
    text: null,
    greets: false,
  }),
  orderReady: email('orders', ['shop', 'number', 'store'], {
    ...ofOrder,
    subject: 'mail.orderReady.subject',
    text: 'mail.orderReady.text',
  }),
  orderShipped: email('orders', ['shop', 'number'], {
    ...ofOrder,
    subject: 'mail.orderShipped.subject',
    text: 'mail.orderShipped.text',
  }),
  orderChanged: email('orders', ['shop', 'number'], {
    ...ofOrder,
    subject: 'mail.orderChanged.subject',
    text: 'mail.orderChanged.text',
  }),
  orderCancelled: email('orders', ['shop', 'number'], {
    ...ofOrder,
    subject: 'mail.orderCancelled.subject',
    text: 'mail.orderCancelled.text',
  }),
  restCancelled: email('orders', ['shop', 'number'], {
    ...ofOrder,
    subject: 'mail.restCancelled.subject',
    text: 'mail.restCancelled.text',
  }),
  reservationLapsed: email('orders', ['shop', 'number'], {
    ...ofOrder,
    subject: 'mail.reservationLapsed.subject',
    text: 'mail.reservationLapsed.text',
  }),
  pickupMoved: email(
    'orders',
    ['shop', 'number', 'store', 'when'],
    { ...ofOrder, subject: 'mail.pickupMoved.subject', text: 'mail.pickupMoved.text' },
    ['when'],
  ),
  pickupClosed: email(
    'orders',
    ['shop', 'number', 'store', 'when'],
    { ...ofOrder, subject: 'mail.pickupClosed.subject', text: 'mail.pickupClosed.text' },
    ['when'],
  ),
  paymentReceived: email(
    'payments',
    ['shop', 'number', 'amount'],
    { ...ofOrder, subject: 'mail.paymentReceived.subject', text: 'mail.paymentReceived.text' },
    ['amount'],
  ),
  paymentUncollected: email(
    'payments',
    ['shop', 'number', 'amount'],
    { ...ofOrder, subject: 'mail.paymentUncollected.subject', text: 'mail.paymentUncollected.text' },
    ['amount'],
  ),
  refund: email('payments', ['shop', 'number', 'amount'], {
    ...ofOrder,
    subject: 'mail.refund.subject',
    title: 'mail.refund.title',
    text: 'mail.refund.text',
  }),
  refundLate: email('payments', ['shop', 'amount'], {
    ...ofOrder,
    subject: 'mail.refund.subjectNoOrder',
    title: 'mail.refund.title',
    text: 'mail.refund.late',
    button: null,
  }),
  refundFailed: email(
    'payments',
    ['shop', 'amount'],
    {
      ...ofOrder,
      subject: 'mail.refundFailed.subject',
      title: 'mail.refundFailed.title',
      text: 'mail.refundFailed.text',
    },
    ['amount'],
  ),
  welcome: email('accounts', ['shop'], {
    subject: 'mail.welcome.subject',
    text: 'mail.welcome.text',
    button: 'mail.welcome.action',
    greets: false,
  }),
  invitation: email('accounts', ['shop'], {
    subject: 'mail.invitation.subject',
    text: 'mail.invitation.text',
    button: 'mail.invitation.action',
    greets: false,
  }),
  temporaryPassword: email('accounts', ['shop'], {
    subject: 'mail.temporaryPassword.subject',
    text: 'mail.temporaryPassword.text',
    button: 'mail.temporaryPassword.action',
    greets: true,
  }),
  passwordChanged: email('accounts', ['shop'], {
    subject: 'mail.passwordChanged.subject',
    text: 'mail.passwordChanged.text',
    button: null,
    greets: true,
  }),
  /** Not an email of its own: what all of them have that say nothing else there. */
  everyEmail: {
    group: 'every',
    fields: ['shop'],
    slots: {
      greeting: slot('mail.greeting', named(['shop'])),
      closing: slot(null, ['shop']),
      foot: slot(null, ['shop']),
    },
  },
} as const satisfies Record<string, EmailFacts>;

export type EmailId = keyof typeof customerEmails;
export const emailIds = Object.keys(customerEmails) as EmailId[];
export const isEmailId = (id: string): id is EmailId => Object.hasOwn(customerEmails, id);
/** An email that is sent. */
export type CustomerEmail = Exclude<EmailId, 'everyEmail'>;

/** What fills the texts of an email. The name is '' if it is unknown, or not to be said. */
export type EmailValues<K extends EmailId> = Record<
  (typeof customerEmails)[K]['fields'][number] | 'name',
  string
>;

export const slotsOf = (id: EmailId): readonly EmailSlot[] =>
  emailSlots.filter((name) => Object.hasOwn(customerEmails[id].slots, name));
export const slotOf = (id: EmailId, name: EmailSlot): SlotFacts | undefined =>
  (customerEmails[id].slots as EmailFacts['slots'])[name];

const fieldPattern = /\{([^{}]*)\}/g;

/** What stands in braces in a text. */
export const fieldsIn = (text: string): string[] =>
  [...text.matchAll(fieldPattern)].map(([, name = '']) => name);
