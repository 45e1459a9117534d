/** Registering, signing on, and what a customer keeps with the shop (SPEC §3, §4, §7). */
import Type, { type Static } from 'typebox';
import { addressTypes } from '../limits.ts';
import { Cents, EpochMs, Flag, Id, Nullable, Strict } from './common.ts';
import { AddressInput, Order } from './order.ts';
import { User } from './shop.ts';

/** What is typed is judged by `rules/account.ts`, so that each missing field has its own message. */
const name = Type.Optional(Type.String({ maxLength: 100 }));
const email = Type.Optional(Type.String({ maxLength: 254 }));
const phone = Type.Optional(Type.String({ maxLength: 40 }));
const password = Type.Optional(Type.String({ maxLength: 1000 }));

/** A customer's id, or their email, which is a user id too (SPEC §3). */
export const UserId = Type.String({ minLength: 1, maxLength: 254 });
export const AddressType = Type.Enum(addressTypes);

export const RegistrationInput = Strict({
  firstName: name,
  lastName: name,
  email,
  mobilePhone: phone,
  password,
  /** Compared where it is sent. */
  passwordConfirm: password,
  /** Left out: the shop's setting `newsletterTicked`, which is yes unless the merchant says otherwise (SPEC §3). */
  acceptNewsletter: Type.Optional(Flag),
});
export type RegistrationInput = Static<typeof RegistrationInput>;

export const SignOnInput = Strict({ userID: email, password });
export type SignOnInput = Static<typeof SignOnInput>;

/** The whole list of one type, in order; the first is the one to begin with. */
export const AddressList = Type.Array(AddressInput, { maxItems: 100 });

/**
 * The profile. What is left out stays as it is. The whole user may be sent back as it was read: `id`,
 * `email` and the addresses are compared with what is stored, and refused only where they differ.
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

/** Changing one's password. */
export const PasswordChangeInput = Strict({ userID: email, currentPassword: password, password, passwordConfirm: password });
export type PasswordChangeInput = Static<typeof PasswordChangeInput>;

/** Setting a new password by the temporary one from the mail. */
export const PasswordResetInput = Strict({ userID: email, temporaryPassword: password, password, passwordConfirm: password });
export type PasswordResetInput = Static<typeof PasswordResetInput>;

export const Success = Type.Object({ status: Type.Enum(['success']) });

/** One place where a customer is signed in. */
export const AccountSession = Type.Object({
  id: Id,
  startedAt: EpochMs,
  /** To the day. */
  lastSeenAt: EpochMs,
  expiresAt: EpochMs,
  /** The one that asks. */
  current: Flag,
});
export type AccountSession = Static<typeof AccountSession>;

/** Everything the shop keeps about a customer, for them to take away. */
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
  /** What the customer sent by forms while signed on, and, once their email is confirmed, what was sent with it. */
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

/** One of a customer's orders, as their list shows it. */
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
