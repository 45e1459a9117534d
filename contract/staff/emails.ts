/** The calls of the room Words: the texts of emails. */
import Type from 'typebox';
import { emailFields, emailGroups, emailIds, emailSlots } from '../emails.ts';
import { localeCodes } from '../locales.ts';
import { described, Flag, LocalText, Nullable, Strict } from '../schemas/common.ts';
import { EmailDocument } from '../schemas/email.ts';
import { fixedDocumentCalls, ofDocument } from './documents.ts';
import { documentOf, Patch, type StaffEndpoint } from './endpoint.ts';

const Slot = Type.Object({
  name: described('Which of its texts.', Type.Enum(emailSlots)),
  delivered: described('What is sent as long as nobody wrote another; null: nothing.', Nullable(LocalText)),
  fields: described('What may stand in it in braces.', Type.Array(Type.Enum(emailFields))),
  required: described('Without which of these it is refused.', Type.Array(Type.Enum(emailFields))),
});

const trial = Strict({
  edits: Patch.properties.edits,
  language: described('In which it is written.', Type.Enum(localeCodes)),
});

export const emailEndpoints = {
  ...fixedDocumentCalls('email', 'emails', {
    route: 'emails',
    called: 'the texts of an email',
    answer: Type.Object({ ...documentOf(EmailDocument).properties, slots: Type.Array(Slot) }),
    list: Type.Object({
      emails: Type.Array(
        Type.Object({
          id: Type.Enum(emailIds),
          group: Type.Enum(emailGroups),
          changed: described(
            'The languages in which a text is not as delivered.',
            Type.Array(Type.Enum(localeCodes)),
          ),
        }),
      ),
    }),
    needs: ['settings.shop', 'settings.shop'],
  }),
  tryEmail: {
    route: 'POST emails/:id/try',
    reads: true,
    summary:
      'An email with an example order or account as it would be sent after an edit of its texts. Changes nothing.',
    needs: 'settings.shop',
    params: ofDocument,
    body: trial,
    response: Type.Object({
      from: described('Name and address of the sender.', Type.String()),
      subject: Type.String(),
      html: described('A whole document, with styles as `data-style`.', Type.String()),
    }),
  },
  sendTestEmail: {
    tool: false,
    route: 'POST emails/:id/test',
    repeat: 'key',
    summary: 'Sends such an email to whoever asks, and to nobody else.',
    needs: 'settings.shop',
    params: ofDocument,
    body: trial,
    response: Type.Object({
      to: described('The address of whoever asked.', Type.String()),
      sends: described('False: there is no mail server, and emails are written to files.', Flag),
    }),
  },
} as const satisfies Record<string, StaffEndpoint>;
