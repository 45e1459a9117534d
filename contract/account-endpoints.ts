/** The calls about accounts, for the table of all endpoints. */
import Type from 'typebox';
import type { Endpoint } from './endpoints.ts';
import type { EndpointName } from './paths.ts';
import {
  AccountData,
  AccountSession,
  AddressList,
  AddressType,
  OrderBrief,
  PasswordChangeInput,
  PasswordResetInput,
  ProfileInput,
  RegistrationInput,
  SignOnInput,
  Success,
  UserId,
} from './schemas/account.ts';
import { Id, LangQuery, Strict } from './schemas/common.ts';
import { Address } from './schemas/order.ts';
import { SessionInfo, User } from './schemas/shop.ts';

const lang = Strict(LangQuery);

export const accountEndpoints = {
  clientRegistration: {
    summary: 'Makes an account and signs its owner on.',
    audience: 'session',
    changes: true,
    query: lang,
    body: RegistrationInput,
    response: SessionInfo,
  },
  signon: {
    summary: 'Signs a customer on; the guest cart joins theirs. 401 says the same of an unknown email and a wrong password.',
    audience: 'session',
    changes: true,
    query: lang,
    body: SignOnInput,
    response: SessionInfo,
  },
  logout: { summary: 'Ends the session.', audience: 'session', changes: true, query: lang, response: Success },
  forgotPassword: {
    summary:
      'Mails a temporary password, good once and for 30 minutes. Answers the same whether there is such an account or not.',
    audience: 'session',
    changes: true,
    query: Strict({ emailID: Type.Optional(Type.String({ maxLength: 254 })), ...LangQuery }),
    response: Success,
  },
  resetPasswordExternal: {
    summary: 'Sets a new password by a temporary one, and ends all sessions of the account.',
    audience: 'session',
    changes: true,
    query: lang,
    body: PasswordResetInput,
    response: Success,
  },
  updateUserInfo: {
    summary: "Changes the customer's profile.",
    audience: 'session',
    changes: true,
    query: lang,
    body: ProfileInput,
    response: SessionInfo,
  },
  resetPassword: {
    summary: "Changes the customer's password, and ends their other sessions.",
    audience: 'session',
    changes: true,
    query: lang,
    body: PasswordChangeInput,
    response: Success,
  },
  getAddresses: {
    summary: "The customer's own addresses of a type, the default one first.",
    audience: 'session',
    params: Strict({ userId: UserId, addressType: AddressType }),
    query: lang,
    response: Type.Array(Address),
  },
  updateAddresses: {
    summary: "Replaces the customer's own addresses of a type. `id` is the customer's; the first address is the default one.",
    audience: 'session',
    changes: true,
    params: Strict({ addressType: AddressType, id: UserId }),
    query: lang,
    body: AddressList,
    response: Type.Object({ user: User }),
  },
  accountData: {
    summary: 'Everything kept about the customer, to take away.',
    audience: 'session',
    query: lang,
    response: AccountData,
  },
  accountSessions: {
    summary: 'Where the customer is signed in, the session used last first.',
    audience: 'session',
    query: lang,
    response: Type.Array(AccountSession),
  },
  endSessions: {
    summary: "Ends one of the customer's other sessions by its `id`, or without it all but the one that asks.",
    audience: 'session',
    changes: true,
    query: lang,
    body: Strict({ id: Type.Optional(Id) }),
    response: Type.Array(AccountSession),
  },
  deleteAccount: {
    summary: 'Deletes the account. Orders keep what bookkeeping needs.',
    audience: 'session',
    changes: true,
    query: lang,
    body: Strict({ currentPassword: Type.Optional(Type.String({ maxLength: 1000 })) }),
    response: Success,
  },

  customerOrders: {
    summary: "The customer's own placed orders, latest first.",
    audience: 'session',
    params: Strict({ customerid: UserId }),
    query: Strict({
      startingPosition: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
      numberToLoad: Type.Optional(Type.Integer({ minimum: 1, maximum: 48 })),
      ...LangQuery,
    }),
    response: Type.Array(OrderBrief),
  },
} as const satisfies Partial<Record<EndpointName, Endpoint>>;
