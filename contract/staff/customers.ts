/** The calls of the rooms Customers and Messages, which were sent through the forms of pages, and what they carry. */
import Type, { type Static } from 'typebox';
import { localeCodes } from '../locales.ts';
import {
  CalendarDay,
  Count,
  described,
  EpochMs,
  Flag,
  Id,
  LangQuery,
  Nullable,
  Strict,
} from '../schemas/common.ts';
import { User } from '../schemas/shop.ts';
import { exemptionKinds } from '../tax-exemptions.ts';
import { Done, type StaffEndpoint } from './endpoint.ts';
import { Note, NoteInput } from './schemas.ts';

export const customersPage = 30;

export const CustomerQuery = Strict({
  text: Type.Optional(
    described(
      'Beginnings of a name or email, or the end of a phone number.',
      Type.String({ maxLength: 200 }),
    ),
  ),
  after: Type.Optional(described('The last customer of the page before.', Id)),
  ...LangQuery,
});
export type CustomerQuery = Static<typeof CustomerQuery>;

const CustomerRow = Type.Object({
  ...Type.Pick(User, ['id', 'firstName', 'lastName', 'email', 'mobilePhone']).properties,
  registeredAt: EpochMs,
  orders: described('Of the stores of whoever asks.', Count),
  lastOrderAt: Nullable(EpochMs),
});
export type CustomerRow = Static<typeof CustomerRow>;

export const CustomersPage = Type.Object({
  customers: described(
    'By the word that was found; without a text, the newest first.',
    Type.Array(CustomerRow),
  ),
  after: described(
    'Where the next page begins, which may have fewer customers, or none; null on the last.',
    Nullable(Id),
  ),
});
export type CustomersPage = Static<typeof CustomersPage>;

export const TaxExemptionInput = Strict({
  kind: described(
    'What the buyer is exempt by, which says from which taxes (contract/tax-exemptions.ts).',
    Type.Enum([...exemptionKinds]),
  ),
  number: described(
    'Of the certificate, card or registration.',
    Type.String({ minLength: 1, maxLength: 60 }),
  ),
  expires: described('The last day on which it holds; null if it has no end.', Nullable(CalendarDay)),
  postCode: described(
    'Where it is delivered for the exemption to hold, for `reserve`; otherwise empty.',
    Type.String({ maxLength: 20 }),
  ),
});
export type TaxExemptionInput = Static<typeof TaxExemptionInput>;

export const StoredTaxExemption = Type.Object({
  ...TaxExemptionInput.properties,
  checkedBy: described('Who of the staff has seen it.', Type.String()),
  checkedAt: EpochMs,
});

export const CustomerSheet = Type.Object({
  customer: User,
  emailConfirmed: described(
    'Whether they have used something that only an email to the address contained.',
    Flag,
  ),
  language: Type.String(),
  registeredAt: EpochMs,
  lastLoginAt: Nullable(EpochMs),
  blocked: Flag,
  notes: described('Of the staff, oldest first.', Type.Array(Note)),
  taxExemptions: described('Why they do not pay a tax.', Type.Array(StoredTaxExemption)),
});
export type CustomerSheet = Static<typeof CustomerSheet>;

const id = Strict({ id: Id });

export const messagesPage = 20;

export const ReceivedMessage = Type.Object({
  id: Id,
  formName: Type.String(),
  mailTo: described('Where it was emailed to; spam is not.', Type.String()),
  locale: described('The language that the form was filled in.', Type.Enum(localeCodes)),
  details: described(
    'The labels are in this language.',
    Type.Array(Type.Object({ name: Type.String(), label: Type.String(), value: Type.String() })),
  ),
  replyTo: described('Null if the form asks for no email.', Nullable(Type.String())),
  createdAt: EpochMs,
  done: Nullable(Type.Object({ at: EpochMs, by: described("'' for somebody who is gone.", Type.String()) })),
});
export type ReceivedMessage = Static<typeof ReceivedMessage>;

export const MessagesQuery = Strict({
  state: Type.Optional(described('open if it is left out.', Type.Enum(['open', 'done', 'spam']))),
  after: Type.Optional(described('The last message of the page before.', Id)),
  ...LangQuery,
});
export type MessagesQuery = Static<typeof MessagesQuery>;

export const MessagesPage = Type.Object({
  messages: Type.Array(ReceivedMessage),
  after: described('The last message, if there are more.', Nullable(Id)),
});
export type MessagesPage = Static<typeof MessagesPage>;

export const customerEndpoints = {
  customers: {
    route: 'GET customers',
    summary: 'Customers with an account, found by name, email or phone.',
    needs: 'customers.read',
    query: CustomerQuery,
    response: CustomersPage,
  },
  customer: {
    route: 'GET customers/:id',
    summary: 'One customer with addresses and notes.',
    needs: 'customers.read',
    params: id,
    response: CustomerSheet,
  },
  noteCustomer: {
    route: 'POST customers/:id/notes',
    repeat: 'key',
    summary: 'Writes a note about a customer for the staff.',
    needs: 'customers.note',
    params: id,
    body: NoteInput,
    response: Done,
  },
  exemptCustomer: {
    route: 'POST customers/:id/exemptions',
    repeat: 'same',
    summary:
      'Says which taxes a customer does not pay, and by which evidence. What is left out is charged again; orders that were placed stay.',
    needs: 'settings.money',
    params: id,
    body: Strict({ exemptions: Type.Array(TaxExemptionInput, { maxItems: exemptionKinds.length }) }),
    response: CustomerSheet,
  },
  exportCustomer: {
    tool: false,
    route: 'POST customers/:id/export',
    repeat: 'own',
    summary: 'All that the shop stores about a customer, as `customer export` prints it.',
    needs: 'customers.export',
    fresh: true,
    params: id,
    response: Type.Object({ data: Type.Unknown() }),
  },
  eraseCustomer: {
    route: 'POST customers/:id/erase',
    repeat: 'used',
    summary: 'Deletes a customer’s account and contact data. Orders keep what bookkeeping needs.',
    needs: 'customers.erase',
    fresh: true,
    params: id,
    body: Strict({ email: described('Of the customer, typed again.', Type.String({ maxLength: 254 })) }),
    response: Type.Object({ guestOrders: Count, messages: Count }),
  },
  messages: {
    route: 'GET messages',
    summary: 'Messages sent through forms, newest first.',
    needs: 'messages.read',
    query: MessagesQuery,
    response: MessagesPage,
  },
  markMessage: {
    route: 'POST messages/:id',
    repeat: 'same',
    summary: 'Marks a message as done, or as open again.',
    needs: 'messages.answer',
    params: Strict({ id: Id }),
    body: Strict({ done: Flag }),
    response: ReceivedMessage,
  },
} as const satisfies Record<string, StaffEndpoint>;
