/** Schemas for registering, signing in and the data of a customer (SPEC §3, §4, §7). */
import Type, { type Static } from 'typebox';
import { addressTypes } from '../limits.ts';
import { Cents, EpochMs, Flag, Id, Nullable, Strict } from './common.ts';
import { AddressInput, Order } from './order.ts';
import { User } from './shop.ts';

/** Validated by `rules/account.ts`, so that each missing field has its own message. */
const name = Type.Optional(Type.String({ maxLength: 100 }));
const email = Type.Optional(Type.String({ maxLength: 254 }));
const phone = Type.Optional(Type.String({ maxLength: 40 }));
const password = Type.Optional(Type.String({ maxLength: 1000 }));

/** A customer's id or email; SPEC §3 allows either as a user id. */
export const UserId = Type.String({ minLength: 1, maxLength: 254 });
export const AddressType = Type.Enum(addressTypes);

export const RegistrationInput = Strict({
  firstName: name,
  lastName: name,
  email,
  mobilePhone: phone,
  password,
  /** Compared with the password if it is sent. */
  passwordConfirm: password,
  /** If absent, the setting `newsletterTicked` decides, which defaults to true (SPEC §3). */
  acceptNewsletter: Type.Optional(Flag),
});
export type RegistrationInput = Static<typeof RegistrationInput>;

export const SignOnInput = Strict({ userID: email, password });
export type SignOnInput = Static<typeof SignOnInput>;

/** The whole list of one type, in order; the first entry is the default. */
export const AddressList = Type.Array(AddressInput, { maxItems: 100 });

/**
 * The profile. Absent fields stay unchanged. A client may send the whole user as it received it: `id`, `email` and the
 * addresses are compared with the stored ones and rejected only if they differ.
 */
export const ProfileInput = Strict({
  id: Type.Optional(Id),
  shippingAddresses: Type.Optional(AddressList),
  billingAddresses: Type.Optional(AddressList),
  firstName: name,
  lastName: name,
  email,
  mobilePhone: phone,
  acceptNewsletter: Type.Optional(Flag),
});
export type ProfileInput = Static<typeof ProfileInput>;

/** Changing the password while signed in. */
export const PasswordChangeInput = Strict({ userID: email, currentPassword: password, password, passwordConfirm: password });
export type PasswordChangeInput = Static<typeof PasswordChangeInput>;

/** Setting a new password with the temporary one from the email. */
export const PasswordResetInput = Strict({ userID: email, temporaryPassword: password, password, passwordConfirm: password });
export type PasswordResetInput = Static<typeof PasswordResetInput>;

export const SuccessStatus = Type.Enum(['success']);
export const Success = Type.Object({ status: SuccessStatus });

/** One device on which a customer is signed in. */
export const AccountSession = Type.Object({
  id: Id,
  startedAt: EpochMs,
  /** Rounded down to the day. */
  lastSeenAt: EpochMs,
  expiresAt: EpochMs,
  /** Whether it is the session that sends the request. */
  current: Flag,
});
export type AccountSession = Static<typeof AccountSession>;

/** Everything the shop stores about a customer, as a download. */
export const AccountData = Type.Object({
  exportedAt: EpochMs,
  user: User,
  language: Type.String(),
  registeredAt: EpochMs,
  lastLoginDate: Nullable(EpochMs),
  passwordChangedAt: EpochMs,
  sessions: Type.Array(Type.Object({ startedAt: EpochMs, lastSeenAt: EpochMs, expiresAt: EpochMs })),
  mails: Type.Array(
    Type.Object({ kind: Type.String(), recipient: Type.String(), createdAt: EpochMs, sentAt: Nullable(EpochMs) }),
  ),
  cart: Nullable(Order),
  orders: Type.Array(Order),
  /** Form messages sent while signed in and, once the email is confirmed, those sent with that address. */
  messages: Type.Array(
    Type.Object({
      formName: Type.String(),
      createdAt: EpochMs,
      details: Type.Array(Type.Object({ label: Type.String(), value: Type.String() })),
    }),
  ),
  likedPosts: Type.Array(Type.Object({ link: Id, likedAt: EpochMs })),
});
export type AccountData = Static<typeof AccountData>;

/** An order as the customer's order list shows it. */
export const OrderBrief = Type.Object({
  ...Type.Pick(Order, [
    'orderID',
    'orderNumber',
    'version',
    'state',
    'method',
    'localStoreName',
    'pickupDate',
    'lineItems',
    'timeZone',
    'placedAt',
    'payment',
  ]).properties,
  /** Cents. */
  total: Cents,
  currency: Type.String(),
});
export type OrderBrief = Static<typeof OrderBrief>;
