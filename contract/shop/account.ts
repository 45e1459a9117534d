import Type from 'typebox';
import type { Endpoint } from '../endpoint.ts';
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
} from '../schemas/account.ts';
import { Id, LangQuery, Strict } from '../schemas/common.ts';
import { Address } from '../schemas/order.ts';
import { SessionInfo, User } from '../schemas/shop.ts';

const lang = Strict(LangQuery);

export const accountEndpoints = {
  clientRegistration: {
    route: 'POST common3/clientRegistration',
    repeat: 'id',
    summary: 'Makes an account and signs its owner on.',
    audience: 'session',
    changes: true,
    query: lang,
    body: RegistrationInput,
    response: SessionInfo,
  },
  signon: {
    route: 'POST common3/signon',
    repeat: 'own',
    summary:
      'Signs a customer on; the guest cart joins theirs. 401 says the same of an unknown email and a wrong password.',
    audience: 'session',
    changes: true,
    query: lang,
    body: SignOnInput,
    response: SessionInfo,
  },
  logout: {
    route: 'GET common3/logout',
    repeat: 'same',
    summary: 'Ends the session.',
    audience: 'session',
    changes: true,
    query: lang,
    response: Success,
  },
  forgotPassword: {
    route: 'GET common3/forgotPassword',
    repeat: 'own',
    summary:
      'Mails a temporary password, good once and for 30 minutes. Answers the same whether there is such an account or not.',
    audience: 'session',
    changes: true,
    query: Strict({ emailID: Type.Optional(Type.String({ maxLength: 254 })), ...LangQuery }),
    response: Success,
  },
  resetPasswordExternal: {
    route: 'POST common3/resetPasswordExternal',
    repeat: 'used',
    summary: 'Sets a new password by a temporary one, and ends all sessions of the account.',
    audience: 'session',
    changes: true,
    query: lang,
    body: PasswordResetInput,
    response: Success,
  },
  updateUserInfo: {
    route: 'PUT admin/userManagement/userInfo',
    repeat: 'same',
    summary: "Changes the customer's profile.",
    audience: 'session',
    changes: true,
    query: lang,
    body: ProfileInput,
    response: SessionInfo,
  },
  resetPassword: {
    route: 'POST admin/userManagement/resetPassword',
    repeat: 'same',
    summary: "Changes the customer's password, and ends their other sessions.",
    audience: 'session',
    changes: true,
    query: lang,
    body: PasswordChangeInput,
    response: Success,
  },
  getAddresses: {
    route: 'GET admin/userManagement/getAddresses/:userId/type/:addressType',
    summary: "The customer's own addresses of a type, the default one first.",
    audience: 'session',
    params: Strict({ userId: UserId, addressType: AddressType }),
    query: lang,
    response: Type.Array(Address),
  },
  updateAddresses: {
    route: 'POST admin/userManagement/updateAddresses/:addressType/:id',
    repeat: 'seen',
    summary:
      "Replaces the customer's own addresses of a type. `id` is the customer's; the first address is the default one.",
    audience: 'session',
    changes: true,
    params: Strict({ addressType: AddressType, id: UserId }),
    query: Strict({ ...LangQuery, seen: Type.Optional(Type.String({ maxLength: 40 })) }),
    body: AddressList,
    response: Type.Object({ user: User }),
  },
  accountData: {
    route: 'GET admin/userManagement/accountData',
    summary: 'Everything kept about the customer, to take away.',
    audience: 'session',
    query: lang,
    response: AccountData,
  },
  accountSessions: {
    route: 'GET admin/userManagement/sessions',
    summary: 'Where the customer is signed in, the session used last first.',
    audience: 'session',
    query: lang,
    response: Type.Array(AccountSession),
  },
  endSessions: {
    route: 'POST admin/userManagement/endSessions',
    repeat: 'same',
    summary:
      "Ends one of the customer's other sessions by its `id`, or without it all but the one that asks.",
    audience: 'session',
    changes: true,
    query: lang,
    body: Strict({ id: Type.Optional(Id) }),
    response: Type.Array(AccountSession),
  },
  deleteAccount: {
    route: 'POST admin/userManagement/deleteAccount',
    repeat: 'used',
    summary: 'Deletes the account. Orders keep what bookkeeping needs.',
    audience: 'session',
    changes: true,
    query: lang,
    body: Strict({ currentPassword: Type.Optional(Type.String({ maxLength: 1000 })) }),
    response: Success,
  },

  customerOrders: {
    route: 'GET admin/orderManagement/customer/:customerid/orders',
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
} as const satisfies Record<string, Endpoint>;
