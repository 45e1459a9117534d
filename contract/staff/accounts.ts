/**
 * The calls of signing in, of the own account, of staff, their roles, and of the journal; and of stations, devices that are signed in as
 * the counter of a store, where people are told apart by a PIN.
 */
import Type, { type Static } from 'typebox';
import { CalendarDay, described, EpochMs, Id, LangQuery, Nullable, Strict } from '../schemas/common.ts';
import { Done, type StaffEndpoint } from './endpoint.ts';
import { kinds } from './messages.ts';
import { permissions } from './permissions.ts';
import * as schemas from './schemas.ts';

const JournalQuery = Strict({
  kind: Type.Optional(Type.Enum(kinds)),
  id: Type.Optional(Type.String({ maxLength: 200 })),
  by: Type.Optional(described('terminal, system, or the id of a person.', Type.String({ maxLength: 80 }))),
  from: Type.Optional(described('The first day, YYYY-MM-DD, in the time zone of the shop.', CalendarDay)),
  to: Type.Optional(described('The last day.', CalendarDay)),
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

const RoleInput = Strict({ name: Type.String({ maxLength: 60 }), permissions: Permissions });

const enters = { needs: 'nobody', response: schemas.Me } as const;
const manages = { needs: 'staff.manage', fresh: true } as const;

const Base64Url = (maxLength: number) => Type.String({ pattern: '^[\\w-]+$', minLength: 1, maxLength });
/** What a browser passes to the device, as the standard WebAuthn has it. */
const Options = Type.Object({ options: Type.Record(Type.String(), Type.Unknown()) });

const shown = { id: Base64Url(1400), clientDataJSON: Base64Url(4000) };

const PasskeyAssertion = Strict({ ...shown, authenticatorData: Base64Url(4000), signature: Base64Url(4000) });

const Passkey = Type.Object({
  id: Id,
  device: described("The browser's name and system when it was made.", Type.String()),
  createdAt: EpochMs,
  lastUsedAt: Nullable(EpochMs),
});
export type Passkey = Static<typeof Passkey>;
const Passkeys = Type.Object({ passkeys: Type.Array(Passkey) });

const Pin = described('Four to six digits.', Type.String({ pattern: '^\\d{4,6}$', problem: 'problem.pin' }));

const Stations = Type.Object({
  stations: Type.Array(
    Type.Object({ ...Type.Omit(schemas.StaffSession, ['current']).properties, store: Id }),
  ),
});
export type Station = Static<typeof Stations>['stations'][number];

const atStation = { needs: 'anybody', station: 'only' } as const;

export const accountEndpoints = {
  signIn: {
    route: 'POST sign-in',
    repeat: 'own',
    summary: 'Signs somebody in by password, and by code where a second factor is set up.',
    ...enters,
    body: Strict({ email: schemas.Email, password: schemas.Password, code: Type.Optional(schemas.Code) }),
  },
  signInOptions: {
    route: 'GET sign-in',
    summary: 'What the sign-in screen offers besides a password.',
    needs: 'nobody',
    response: schemas.SignInOptions,
  },
  signInDemo: {
    route: 'POST sign-in/demo/:id',
    repeat: 'own',
    summary: "Signs in as one of the demo's people, where the shop is a demo on this machine.",
    ...enters,
    params: Strict({ id: Id }),
  },
  invitation: {
    route: 'POST invitation',
    repeat: 'own',
    summary: 'Whom an invitation is for.',
    needs: 'nobody',
    body: Strict({ token: schemas.Token }),
    response: schemas.Invitation,
  },
  acceptInvitation: {
    route: 'POST invitation/accept',
    repeat: 'used',
    summary:
      'Accepts an invitation, or replaces the password and removes the second factor of an account, and signs in.',
    ...enters,
    body: schemas.AcceptInput,
  },
  me: {
    route: 'GET me',
    summary: 'Who is signed in.',
    needs: 'anybody',
    station: 'too',
    keys: 'too',
    response: schemas.Me,
  },
  signOut: {
    route: 'POST sign-out',
    repeat: 'same',
    summary: 'Ends this session.',
    needs: 'anybody',
    station: 'too',
    response: Done,
  },
  confirm: {
    route: 'POST confirm',
    repeat: 'same',
    summary: 'Shows password and code again, for calls that ask for them.',
    needs: 'anybody',
    body: Strict({ password: Type.Optional(schemas.Password), code: Type.Optional(schemas.Code) }),
    response: Done,
  },
  newSecondFactor: {
    route: 'POST second-factor',
    repeat: 'own',
    summary: 'A new secret for an authenticator app. It counts once a code of it has been sent.',
    needs: 'anybody',
    fresh: true,
    response: schemas.NewSecondFactor,
  },
  confirmSecondFactor: {
    route: 'POST second-factor/confirm',
    repeat: 'used',
    summary:
      'Sets the second factor up with a code of the app. Answers recovery codes, each of which works once.',
    needs: 'anybody',
    fresh: true,
    body: Strict({ code: Type.String({ maxLength: 40 }) }),
    response: Type.Object({ codes: Type.Array(Type.String()) }),
  },
  mySessions: {
    route: 'GET sessions',
    summary: 'The sessions of the person who is signed in.',
    needs: 'anybody',
    response: Type.Object({ sessions: Type.Array(schemas.StaffSession) }),
  },
  endSession: {
    route: 'POST sessions/:id/end',
    repeat: 'same',
    summary: 'Ends one of the own sessions.',
    needs: 'anybody',
    params: Strict({ id: Id }),
    response: Done,
  },
  staff: {
    route: 'GET staff',
    summary: 'Everybody who works in the office, and who is invited.',
    needs: 'staff.manage',
    response: Type.Object({ staff: Type.Array(schemas.StaffMember) }),
  },
  inviteStaff: {
    route: 'POST staff',
    repeat: 'own',
    summary: 'Invites somebody, or gives somebody who is there already a link for a new password.',
    ...manages,
    body: Strict({ email: schemas.Email, role: schemas.Role, stores: schemas.Stores }),
    response: schemas.InviteLink,
  },
  endInvitation: {
    route: 'POST staff-invitations/end',
    repeat: 'same',
    summary:
      'Ends the invitation to an address: its link opens nothing any more. Changes nothing if there is none.',
    ...manages,
    body: Strict({ email: schemas.Email }),
    response: Type.Object({ staff: Type.Array(schemas.StaffMember) }),
  },
  changeStaff: {
    route: 'POST staff/:id',
    repeat: 'same',
    summary: 'Changes role and stores of somebody, or blocks them, which ends their sessions.',
    ...manages,
    params: Strict({ id: Id }),
    body: schemas.StaffChange,
    response: Type.Object({ staff: Type.Array(schemas.StaffMember) }),
  },
  journal: {
    route: 'GET journal',
    summary: 'What was changed, when and by whom, the newest first.',
    needs: 'journal.read',
    query: JournalQuery,
    response: schemas.JournalPage,
  },
  exportJournal: {
    tool: false,
    route: 'GET journal/export',
    summary: 'The same in longer pages, for a file.',
    needs: 'journal.read',
    fresh: true,
    query: JournalQuery,
    response: schemas.JournalPage,
  },
  roles: { route: 'GET roles', summary: "The shop's own roles.", needs: 'staff.manage', response: OwnRoles },
  addRole: {
    route: 'POST roles',
    repeat: 'key',
    summary: 'Adds a role, with permissions that the caller has.',
    ...manages,
    body: RoleInput,
    response: OwnRoles,
  },
  changeRole: {
    route: 'POST roles/:id',
    repeat: 'same',
    summary: 'Changes a role for everybody who has it.',
    ...manages,
    params: Strict({ id: Id }),
    body: RoleInput,
    response: OwnRoles,
  },
  removeRole: {
    route: 'POST roles/:id/remove',
    repeat: 'used',
    summary: 'Removes a role that nobody has.',
    ...manages,
    params: Strict({ id: Id }),
    response: OwnRoles,
  },
  passkeyOptions: {
    route: 'POST passkeys/options',
    repeat: 'own',
    summary: 'What a browser needs to show a passkey.',
    needs: 'nobody',
    response: Options,
  },
  passkeySignIn: {
    route: 'POST passkeys/sign-in',
    repeat: 'used',
    summary: 'Signs in by a passkey, which is both factors in one.',
    needs: 'nobody',
    body: PasskeyAssertion,
    response: schemas.Me,
  },
  confirmPasskey: {
    route: 'POST passkeys/confirm',
    repeat: 'used',
    summary: 'Shows a passkey again, for calls that ask for it.',
    needs: 'anybody',
    body: PasskeyAssertion,
    response: Done,
  },
  myPasskeys: { route: 'GET passkeys', summary: 'The own passkeys.', needs: 'anybody', response: Passkeys },
  newPasskey: {
    route: 'POST passkeys/new',
    repeat: 'own',
    summary: 'What a browser needs to make a passkey.',
    needs: 'anybody',
    fresh: true,
    response: Options,
  },
  addPasskey: {
    route: 'POST passkeys',
    repeat: 'used',
    summary: 'Adds a passkey, and ends the other sessions of the account.',
    needs: 'anybody',
    fresh: true,
    body: Strict({ ...shown, attestationObject: Base64Url(20_000) }),
    response: Passkeys,
  },
  removePasskey: {
    route: 'POST passkeys/:id/remove',
    repeat: 'used',
    summary: 'Removes one of the own passkeys.',
    needs: 'anybody',
    fresh: true,
    params: Strict({ id: Id }),
    response: Passkeys,
  },
  stations: {
    route: 'GET stations',
    summary: 'The devices that are signed in as counters of stores.',
    needs: 'stations.manage',
    response: Stations,
  },
  startStation: {
    route: 'POST stations',
    repeat: 'own',
    summary: 'Signs this device in as the counter of a store, in place of the person.',
    needs: 'stations.manage',
    fresh: true,
    body: Strict({ store: Id }),
    response: schemas.Me,
  },
  endStation: {
    route: 'POST stations/:id/end',
    repeat: 'same',
    summary: 'Signs a station out.',
    needs: 'stations.manage',
    params: Strict({ id: Id }),
    response: Stations,
  },
  stationPeople: {
    route: 'GET station/people',
    summary: 'Who can enter a PIN at this station.',
    ...atStation,
    response: Type.Object({ people: Type.Array(Type.Object({ id: Id, name: Type.String() })) }),
  },
  enterPin: {
    route: 'POST station/person',
    repeat: 'same',
    summary: 'Says by a PIN who is at this station. They stay for five minutes after their last change.',
    ...atStation,
    body: Strict({ person: Id, pin: Pin }),
    response: schemas.Me,
  },
  leaveStation: {
    route: 'POST station/leave',
    repeat: 'same',
    summary: 'Nobody is at this station any more.',
    ...atStation,
    response: schemas.Me,
  },
  setPin: {
    route: 'POST pin',
    repeat: 'same',
    summary: 'Sets the own PIN for stations, or removes it.',
    needs: 'anybody',
    fresh: true,
    body: Strict({ pin: Nullable(Pin) }),
    response: Done,
  },
} as const satisfies Record<string, StaffEndpoint>;
