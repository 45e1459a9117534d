import Type, { type Static } from 'typebox';
import { described } from '../schemas/annotate.ts';
import { Id, LangQuery, Strict } from '../schemas/common.ts';
import { Done, type StaffEndpoint } from './endpoint.ts';
import { kinds } from './messages.ts';
import { permissions } from './permissions.ts';
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

const Permissions = Type.Array(Type.Enum(permissions), { maxItems: permissions.length, uniqueItems: true });

const OwnRole = Type.Object({
  id: Id,
  name: Type.String(),
  permissions: Permissions,
  people: described('How many have it, or are invited to it.', Type.Integer({ minimum: 0 })),
});
export type OwnRole = Static<typeof OwnRole>;
const OwnRoles = Type.Object({ roles: Type.Array(OwnRole) });

export const RoleInput = Strict({ name: Type.String({ maxLength: 60 }), permissions: Permissions });

const enters = { needs: 'nobody', response: Me } as const;
const manages = { needs: 'staff.manage', fresh: true } as const;

export const accountEndpoints = {
  signIn: {
    route: 'POST sign-in',
    summary: 'Signs somebody in by password, and by code where a second factor is set up.',
    ...enters,
    body: SignInInput,
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
    ...enters,
    params: Strict({ id: Id }),
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
    ...enters,
    body: AcceptInput,
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
    ...manages,
    body: InviteInput,
    response: InviteLink,
  },
  changeStaff: {
    route: 'POST staff/:id',
    summary: 'Changes role and stores of somebody, or blocks them, which ends their sessions.',
    ...manages,
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
  roles: { route: 'GET roles', summary: "The shop's own roles.", needs: 'staff.manage', response: OwnRoles },
  addRole: {
    route: 'POST roles',
    summary: 'Adds a role, with permissions that the caller has.',
    ...manages,
    body: RoleInput,
    response: OwnRoles,
  },
  changeRole: {
    route: 'POST roles/:id',
    summary: 'Changes a role for everybody who has it.',
    ...manages,
    params: Strict({ id: Id }),
    body: RoleInput,
    response: OwnRoles,
  },
  removeRole: {
    route: 'POST roles/:id/remove',
    summary: 'Removes a role that nobody has.',
    ...manages,
    params: Strict({ id: Id }),
    response: OwnRoles,
  },
} as const satisfies Record<string, StaffEndpoint>;
