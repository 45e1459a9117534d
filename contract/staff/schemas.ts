import Type, { type Static } from 'typebox';
import { localeCodes } from '../locales.ts';
import { described, EpochMs, Flag, Id, LocalText, Nullable, Strict } from '../schemas/common.ts';
import { kinds } from './messages.ts';
import { permissions } from './permissions.ts';

/** One that every shop has, or the id of one of its own. */
export const Role = Type.String({ minLength: 1, maxLength: 64 });
const RoleName = described('Of one of the shop’s own; null for the others.', Nullable(Type.String()));
export const Stores = described(
  'The stores, by id; null: all of them.',
  Nullable(Type.Array(Id, { maxItems: 200 })),
);
export const Email = Type.String({ maxLength: 254 });
export const Password = Type.String({ maxLength: 200 });
export const Code = described(
  'Six digits of the authenticator app, or a recovery code.',
  Type.String({ maxLength: 40 }),
);
export const Token = Type.String({ pattern: '^[\\w-]{43}$' });

/** The person who is signed in. */
export const Me = Type.Object({
  name: Type.String(),
  email: Type.String(),
  role: Role,
  roleName: RoleName,
  stores: Stores,
  may: described('What this person may do now.', Type.Array(Type.Enum(permissions))),
  demo: described("Whether this is one of the demo's people, who enter by a click.", Flag),
  secondFactor: described('Whether codes of an app are set up.', Flag),
  passkeys: described('How many passkeys there are: a second factor, too.', Type.Integer({ minimum: 0 })),
  waiting: described(
    'What this person may do once they have a second factor.',
    Type.Array(Type.Enum(permissions)),
  ),
  shop: Type.Object({
    timeZone: described('IANA; times are shown in it.', Type.String()),
    currency: described('ISO 4217; prices are typed in it.', Type.String()),
    languages: described(
      'Those that the shop offers, its own first: names are stored in it.',
      Type.Array(Type.Enum(localeCodes)),
    ),
    stores: Type.Array(Type.Object({ id: Id, nameContent: LocalText })),
  }),
  recoveryCodes: described('How many recovery codes are left.', Type.Integer({ minimum: 0 })),
  pin: described('Whether there is a PIN for stations.', Flag),
  station: described(
    "The store whose counter this device is; `name` is then of who entered a PIN, or ''.",
    Nullable(Id),
  ),
});
export type Me = Static<typeof Me>;

/** What the sign-in screen offers besides a password. */
export const SignInOptions = Type.Object({
  passkeys: described('Whether there can be passkeys at this address.', Flag),
  demo: described(
    "The demo's people; empty where the shop is not a demo on this machine.",
    Type.Array(Type.Object({ id: Id, name: Type.String(), role: Role, storeContent: Nullable(LocalText) })),
  ),
});
export type SignInOptions = Static<typeof SignInOptions>;
export const Invitation = Type.Object({
  email: described("'' for the first owner's.", Type.String()),
  role: Role,
  roleName: RoleName,
});
export const AcceptInput = Strict({
  token: Token,
  email: Type.Optional(described("Only for the first owner's invitation, which names none.", Email)),
  name: Type.String({ maxLength: 100 }),
  password: Password,
});

/** To be scanned or typed into an authenticator app. */
export const NewSecondFactor = Type.Object({
  secret: described('Base32.', Type.String()),
  uri: described('otpauth://…', Type.String()),
});

export const StaffSession = Type.Object({
  id: Id,
  device: described("The browser's name and system, as far as they are known.", Type.String()),
  createdAt: EpochMs,
  lastSeenAt: EpochMs,
  current: Flag,
});
export type StaffSession = Static<typeof StaffSession>;

export const StaffMember = Type.Object({
  id: Id,
  name: described("'' until the invitation is accepted.", Type.String()),
  email: Type.String(),
  role: Role,
  roleName: RoleName,
  stores: Stores,
  demo: Flag,
  secondFactor: Flag,
  blocked: Flag,
  lastSeenAt: Nullable(EpochMs),
  invitedUntil: described('When the invitation ends; null once it is accepted.', Nullable(EpochMs)),
  started: described(
    'What a block of this person ends besides their sessions: devices that they made stations, invitations and keys that they made.',
    Type.Object({
      stations: Type.Array(Type.Object({ store: Id, device: Type.String() })),
      invitations: described('Email addresses.', Type.Array(Type.String())),
      keys: described('Names.', Type.Array(Type.String())),
    }),
  ),
});
export type StaffMember = Static<typeof StaffMember>;

export const InviteLink = Type.Object({
  link: described('Works once, for 72 hours. It is shown only now.', Type.String()),
});
export const StaffChange = Strict({
  role: Type.Optional(Role),
  stores: Type.Optional(Stores),
  blocked: Type.Optional(Flag),
});
export type StaffChange = Static<typeof StaffChange>;

/** What staff wrote for each other. */
export const Note = Type.Object({
  id: Id,
  text: Type.String(),
  by: described("'' for somebody who is gone.", Type.String()),
  at: EpochMs,
});
export const NoteInput = Strict({
  text: Type.String({ minLength: 1, maxLength: 2000, pattern: '\\S', problem: 'problem.empty' }),
});

export const KeyName = described(
  'The name of the key by which a program did it for the person; null where nobody used one.',
  Nullable(Type.String()),
);

export const JournalEntry = Type.Object({
  no: Type.Integer(),
  at: EpochMs,
  by: described("The person's name; '' for the shop itself and the terminal.", Type.String()),
  actor: Type.Enum(['terminal', 'system', 'staff']),
  key: KeyName,
  action: Type.String(),
  kind: Type.Enum(kinds),
  id: Type.String(),
  fields: Nullable(
    Type.Array(
      Type.Object({
        field: Type.String(),
        from: Type.Optional(Type.Unknown()),
        to: Type.Optional(Type.Unknown()),
      }),
    ),
  ),
});

export const JournalPage = Type.Object({
  entries: Type.Array(JournalEntry),
  before: described('For the next page; null on the last.', Nullable(Type.Integer())),
  people: described(
    'Whose entries can be asked for, by id.',
    Type.Array(Type.Object({ id: Id, name: Type.String() })),
  ),
});
export type JournalPage = Static<typeof JournalPage>;
