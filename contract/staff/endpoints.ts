/** The calls of the office, below `staffBase`. */
import Type, { type Static, type TSchema } from 'typebox';
import type { Endpoint } from '../endpoint.ts';
import { Id, LangQuery, Strict } from '../schemas/common.ts';
import { kinds } from './messages.ts';
import type { Permission } from './permissions.ts';
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
  StaffChange,
  StaffMember,
  StaffSession,
  Token,
} from './schemas.ts';

/**
 * `needs` is the permission that a caller must have; 'nobody': the call is for whoever is not signed in; 'anybody': for everybody who
 * is. With `fresh`, the caller must have shown password and second factor within `freshMs`.
 */
export interface StaffEndpoint extends Omit<Endpoint, 'audience'> {
  needs: Permission | 'nobody' | 'anybody';
  fresh?: boolean;
}

const lang = Strict(LangQuery);
const Done = Type.Object({ done: Type.Literal(true) });

export const staffEndpoints = {
  signIn: {
    route: 'POST sign-in',
    summary: 'Signs somebody in by password, and by code where a second factor is set up.',
    needs: 'nobody',
    changes: true,
    query: lang,
    body: SignInInput,
    response: Me,
  },
  invitation: {
    route: 'POST invitation',
    summary: 'Whom an invitation is for.',
    needs: 'nobody',
    changes: true,
    query: lang,
    body: Strict({ token: Token }),
    response: Invitation,
  },
  acceptInvitation: {
    route: 'POST invitation/accept',
    summary: 'Accepts an invitation, or replaces the password and removes the second factor of an account, and signs in.',
    needs: 'nobody',
    changes: true,
    query: lang,
    body: AcceptInput,
    response: Me,
  },
  me: { route: 'GET me', summary: 'Who is signed in.', needs: 'anybody', query: lang, response: Me },
  signOut: {
    route: 'POST sign-out',
    summary: 'Ends this session.',
    needs: 'anybody',
    changes: true,
    query: lang,
    response: Done,
  },
  confirm: {
    route: 'POST confirm',
    summary: 'Shows password and code again, for calls that ask for them.',
    needs: 'anybody',
    changes: true,
    query: lang,
    body: ConfirmInput,
    response: Done,
  },
  newSecondFactor: {
    route: 'POST second-factor',
    summary: 'A new secret for an authenticator app. It counts once a code of it has been sent.',
    needs: 'anybody',
    fresh: true,
    changes: true,
    query: lang,
    response: NewSecondFactor,
  },
  confirmSecondFactor: {
    route: 'POST second-factor/confirm',
    summary: 'Sets the second factor up with a code of the app. Answers recovery codes, each of which works once.',
    needs: 'anybody',
    fresh: true,
    changes: true,
    query: lang,
    body: Strict({ code: Type.String({ maxLength: 40 }) }),
    response: RecoveryCodes,
  },
  mySessions: {
    route: 'GET sessions',
    summary: 'The sessions of the person who is signed in.',
    needs: 'anybody',
    query: lang,
    response: Type.Object({ sessions: Type.Array(StaffSession) }),
  },
  endSession: {
    route: 'POST sessions/:id/end',
    summary: 'Ends one of the own sessions.',
    needs: 'anybody',
    changes: true,
    params: Strict({ id: Id }),
    query: lang,
    response: Done,
  },
  staff: {
    route: 'GET staff',
    summary: 'Everybody who works in the office, and who is invited.',
    needs: 'staff.manage',
    query: lang,
    response: Type.Object({ staff: Type.Array(StaffMember) }),
  },
  inviteStaff: {
    route: 'POST staff',
    summary: 'Invites somebody, or gives somebody who is there already a link for a new password.',
    needs: 'staff.manage',
    fresh: true,
    changes: true,
    query: lang,
    body: InviteInput,
    response: InviteLink,
  },
  changeStaff: {
    route: 'POST staff/:id',
    summary: 'Changes role and stores of somebody, or blocks them, which ends their sessions.',
    needs: 'staff.manage',
    fresh: true,
    changes: true,
    params: Strict({ id: Id }),
    query: lang,
    body: StaffChange,
    response: Type.Object({ staff: Type.Array(StaffMember) }),
  },
  journal: {
    route: 'GET journal',
    summary: 'What was changed, when and by whom, the newest first.',
    needs: 'journal.read',
    query: Strict({
      kind: Type.Optional(Type.Enum(kinds)),
      id: Type.Optional(Type.String({ maxLength: 200 })),
      before: Type.Optional(Type.Integer({ minimum: 1 })),
      ...LangQuery,
    }),
    response: JournalPage,
  },
} as const satisfies Record<string, StaffEndpoint>;

export type StaffEndpoints = typeof staffEndpoints;
export type StaffEndpointName = keyof StaffEndpoints;
type Part<E, K extends string> = E extends Record<K, infer S extends TSchema> ? Static<S> : undefined;
export type StaffParams<N extends StaffEndpointName> = Part<StaffEndpoints[N], 'params'>;
export type StaffQuery<N extends StaffEndpointName> = Part<StaffEndpoints[N], 'query'>;
export type StaffBody<N extends StaffEndpointName> = Part<StaffEndpoints[N], 'body'>;
export type StaffResponse<N extends StaffEndpointName> = Part<StaffEndpoints[N], 'response'>;
/** The permission that a call needs; never for calls that need none. */
export type NeededBy<N extends StaffEndpointName> = Extract<StaffEndpoints[N]['needs'], Permission>;
