/** The calls of signing in, of the own account, of staff and of the journal. */
import Type from 'typebox';
import { described } from '../schemas/annotate.ts';
import { Id, LangQuery, Strict } from '../schemas/common.ts';
import { Done, type StaffEndpoint } from './endpoint.ts';
import { kinds } from './messages.ts';
import {
  AcceptInput,
  ConfirmInput,
  Invitation,
  InviteInput,
  InviteLink,
  JournalPage,
  Me,
  NewSecondFactor,
  RecoveryCodes,
  SignInInput,
  SignInOptions,
  StaffChange,
  StaffMember,
  StaffSession,
  Token,
} from './schemas.ts';

const Day = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' });

const JournalQuery = Strict({
  kind: Type.Optional(Type.Enum(kinds)),
  id: Type.Optional(Type.String({ maxLength: 200 })),
  by: Type.Optional(described('terminal, system, or the id of a person.', Type.String({ maxLength: 80 }))),
  from: Type.Optional(described('The first day, YYYY-MM-DD, in the time zone of the shop.', Day)),
  to: Type.Optional(described('The last day.', Day)),
  before: Type.Optional(Type.Integer({ minimum: 1 })),
  ...LangQuery,
});

export const accountEndpoints = {
  signIn: {
    route: 'POST sign-in',
    summary: 'Signs somebody in by password, and by code where a second factor is set up.',
    needs: 'nobody',
    body: SignInInput,
    response: Me,
  },
  signInOptions: {
    route: 'GET sign-in',
    summary: 'What the sign-in screen offers besides a password.',
    needs: 'nobody',
    response: SignInOptions,
  },
  signInDemo: {
    route: 'POST sign-in/demo/:id',
    summary: "Signs in as one of the demo's people, where the shop is a demo on this machine.",
    needs: 'nobody',
    params: Strict({ id: Id }),
    response: Me,
  },
  invitation: {
    route: 'POST invitation',
    summary: 'Whom an invitation is for.',
    needs: 'nobody',
    body: Strict({ token: Token }),
    response: Invitation,
  },
  acceptInvitation: {
    route: 'POST invitation/accept',
    summary: 'Accepts an invitation, or replaces the password and removes the second factor of an account, and signs in.',
    needs: 'nobody',
    body: AcceptInput,
    response: Me,
  },
  me: { route: 'GET me', summary: 'Who is signed in.', needs: 'anybody', station: 'too', response: Me },
  signOut: { route: 'POST sign-out', summary: 'Ends this session.', needs: 'anybody', station: 'too', response: Done },
  confirm: {
    route: 'POST confirm',
    summary: 'Shows password and code again, for calls that ask for them.',
    needs: 'anybody',
    body: ConfirmInput,
    response: Done,
  },
  newSecondFactor: {
    route: 'POST second-factor',
    summary: 'A new secret for an authenticator app. It counts once a code of it has been sent.',
    needs: 'anybody',
    fresh: true,
    response: NewSecondFactor,
  },
  confirmSecondFactor: {
    route: 'POST second-factor/confirm',
    summary: 'Sets the second factor up with a code of the app. Answers recovery codes, each of which works once.',
    needs: 'anybody',
    fresh: true,
    body: Strict({ code: Type.String({ maxLength: 40 }) }),
    response: RecoveryCodes,
  },
  mySessions: {
    route: 'GET sessions',
    summary: 'The sessions of the person who is signed in.',
    needs: 'anybody',
    response: Type.Object({ sessions: Type.Array(StaffSession) }),
  },
  endSession: {
    route: 'POST sessions/:id/end',
    summary: 'Ends one of the own sessions.',
    needs: 'anybody',
    params: Strict({ id: Id }),
    response: Done,
  },
  staff: {
    route: 'GET staff',
    summary: 'Everybody who works in the office, and who is invited.',
    needs: 'staff.manage',
    response: Type.Object({ staff: Type.Array(StaffMember) }),
  },
  inviteStaff: {
    route: 'POST staff',
    summary: 'Invites somebody, or gives somebody who is there already a link for a new password.',
    needs: 'staff.manage',
    fresh: true,
    body: InviteInput,
    response: InviteLink,
  },
  changeStaff: {
    route: 'POST staff/:id',
    summary: 'Changes role and stores of somebody, or blocks them, which ends their sessions.',
    needs: 'staff.manage',
    fresh: true,
    params: Strict({ id: Id }),
    body: StaffChange,
    response: Type.Object({ staff: Type.Array(StaffMember) }),
  },
  journal: {
    route: 'GET journal',
    summary: 'What was changed, when and by whom, the newest first.',
    needs: 'journal.read',
    query: JournalQuery,
    response: JournalPage,
  },
  exportJournal: {
    route: 'GET journal/export',
    summary: 'The same in longer pages, for a file.',
    needs: 'journal.read',
    fresh: true,
    query: JournalQuery,
    response: JournalPage,
  },
} as const satisfies Record<string, StaffEndpoint>;
