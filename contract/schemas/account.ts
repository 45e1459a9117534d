/** SPEC §3, §4, §7. */
import Type, { type Static } from 'typebox';
import { addressTypes } from '../limits.ts';
import { Cents, described, EpochMs, Flag, Id, Nullable, Strict } from './common.ts';
import { AddressInput, Order } from './order.ts';
import { User } from './shop.ts';

/** Validated by `rules/account.ts`, so that each missing field has its own message. */
const name = Type.Optional(Type.String({ maxLength: 100 }));
const email = Type.Optional(Type.String({ maxLength: 254 }));
const phone = Type.Optional(Type.String({ maxLength: 40 }));
const password = Type.Optional(Type.String({ maxLength: 1000 }));

export const UserId = Type.String({ minLength: 1, maxLength: 254 });
export const AddressType = Type.Enum(addressTypes);

export const RegistrationInput = Strict({
  firstName: name,
  lastName: name,
  email,
  mobilePhone: phone,
  password,
  passwordConfirm: described('Compared with the password if it is sent.', password),
  acceptNewsletter: Type.Optional(
    described('If absent, the setting `newsletterTicked` decides, and true if it is null.', Flag),
  ),
});
export type RegistrationInput = Static<typeof RegistrationInput>;

export const SignOnInput = Strict({ userID: described("The customer's email.", email), password });
export type SignOnInput = Static<typeof SignOnInput>;

/** In order; the first entry is the default. */
export const AddressList = Type.Array(AddressInput, { maxItems: 100 });

/** Absent fields stay. `id`, `email` and the addresses are rejected only if they differ from the stored ones. */
export const ProfileInput = Strict({
  id: Type.Optional(described('Accepted if it is the stored one.', Id)),
  shippingAddresses: Type.Optional(described('Accepted if they are the stored ones.', AddressList)),
  billingAddresses: Type.Optional(described('Accepted if they are the stored ones.', AddressList)),
  firstName: name,
  lastName: name,
  email: described('Accepted if it is the stored one.', email),
  mobilePhone: phone,
  acceptNewsletter: Type.Optional(Flag),
});
export type ProfileInput = Static<typeof ProfileInput>;

export const PasswordChangeInput = Strict({
  userID: described("The customer's email.", email),
  currentPassword: password,
  password: described('The new password.', password),
  passwordConfirm: described('The new password again.', password),
});
export type PasswordChangeInput = Static<typeof PasswordChangeInput>;

export const PasswordResetInput = Strict({
  userID: described("The customer's email.", email),
  temporaryPassword: described('From the email.', password),
  password: described('The new password.', password),
  passwordConfirm: described('The new password again.', password),
});
export type PasswordResetInput = Static<typeof PasswordResetInput>;

export const SuccessStatus = Type.Enum(['success']);
export const Success = Type.Object({ status: SuccessStatus });

/** A device on which a customer is signed in. */
export const AccountSession = Type.Object({
  id: described('For `endSessions`.', Id),
  startedAt: described('When the device signed in.', EpochMs),
  lastSeenAt: described('Rounded down to the day.', EpochMs),
  expiresAt: EpochMs,
  current: described('Whether it is the session that sends the request.', Flag),
});
export type AccountSession = Static<typeof AccountSession>;

/** What staff wrote for each other; who wrote it is the shop's. */
export const StaffNote = Type.Object({ text: Type.String(), at: EpochMs });

/** All that the shop stores about a customer, as a download. */
export const AccountData = Type.Object({
  exportedAt: described('When the data was read.', EpochMs),
  user: User,
  language: described('The language of emails to the customer.', Type.String()),
  registeredAt: EpochMs,
  lastLoginDate: described('Null if the customer never signed in.', Nullable(EpochMs)),
  passwordChangedAt: EpochMs,
  sessions: described(
    'The devices on which the customer is signed in.',
    Type.Array(Type.Object({ startedAt: EpochMs, lastSeenAt: EpochMs, expiresAt: EpochMs })),
  ),
  mails: described(
    'Emails to the customer that are stored, without their texts.',
    Type.Array(
      Type.Object({
        kind: Type.String(),
        recipient: Type.String(),
        createdAt: EpochMs,
        sentAt: described('Null while the email waits.', Nullable(EpochMs)),
      }),
    ),
  ),
  cart: Nullable(Order),
  orders: Type.Array(Type.Object({ ...Order.properties, staffNotes: Type.Optional(Type.Array(StaffNote)) })),
  staffNotes: described('About the customer.', Type.Array(StaffNote)),
  messages: described(
    'Form messages sent while signed in and, once the email is confirmed, those sent with that address.',
    Type.Array(
      Type.Object({
        formName: Type.String(),
        createdAt: EpochMs,
        details: Type.Array(Type.Object({ label: Type.String(), value: Type.String() })),
      }),
    ),
  ),
  likedPosts: Type.Array(Type.Object({ link: Id, likedAt: EpochMs })),
});
export type AccountData = Static<typeof AccountData>;

/** In the customer's list. */
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
  total: described('Cents.', Cents),
  currency: described('ISO 4217.', Type.String()),
});
export type OrderBrief = Static<typeof OrderBrief>;
