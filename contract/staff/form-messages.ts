/** The calls of the room Messages: what was sent through the forms of pages. */
import Type, { type Static } from 'typebox';
import { localeCodes } from '../locales.ts';
import { described } from '../schemas/annotate.ts';
import { EpochMs, Flag, Id, LangQuery, Nullable, Strict } from '../schemas/common.ts';
import type { StaffEndpoint } from './endpoint.ts';

/** Messages on a page of the list. */
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

export const formMessageEndpoints = {
  messages: {
    route: 'GET messages',
    summary: 'Messages sent through forms, newest first.',
    needs: 'messages.read',
    query: MessagesQuery,
    response: MessagesPage,
  },
  markMessage: {
    route: 'POST messages/:id',
    summary: 'Marks a message as done, or as open again.',
    needs: 'messages.answer',
    params: Strict({ id: Id }),
    body: Strict({ done: Flag }),
    response: ReceivedMessage,
  },
} as const satisfies Record<string, StaffEndpoint>;
