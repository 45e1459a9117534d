/** The interface to modules that store customer data. Orders and content implement it; the container connects them. */
import type { Locale } from '#contract/locales.ts';
import type { OrderBrief } from '#contract/schemas/account.ts';
import type { Order } from '#contract/schemas/order.ts';
import type { Trx } from '#db/database.ts';
import type { CustomerSession, SessionHandle } from '#server/platform/sessions/sessions.service.ts';

export interface SignIn {
  session: CustomerSession;
  /** The hash of their previous session, a guest's or their own, whose data moves along; null if there was none. */
  previousHash: string | null;
  /** Whether this sign-in created the account. */
  isNewCustomer: boolean;
  locale: Locale;
}

/** Selects form messages: a customer's, those sent with an email, or both. */
export interface MessageSender {
  customerId: string | null;
  email: string | null;
}

/** A message as a customer's data shows it. `createdAt` is epoch ms. */
export interface SentMessage {
  formName: string;
  createdAt: number;
  details: { label: string; value: string }[];
}

export interface CustomerOrderData {
  /**
   * Reads the data that moving carts and orders needs, before the transaction. Returns the function that moves them, to be called
   * in the transaction of the sign-in.
   */
  prepareSignIn(): Promise<(trx: Trx, signIn: SignIn) => Promise<void>>;
  /** The caller's cart; its `orderID` is null if there is none. */
  cart(session: SessionHandle, locale: Locale): Promise<Order>;
  /** Placed orders, latest first, from position `from` on. */
  list(customerId: string, from: number, count: number, locale: Locale): Promise<OrderBrief[]>;
  all(customerId: string, locale: Locale): Promise<Order[]>;
  /** All orders placed with an email and without an account. */
  ofGuest(email: string, locale: Locale): Promise<Order[]>;
  /** Removes the customer from their orders. @throws {AppError} CONFLICT while a payment is under way */
  detachFromCustomer(trx: Trx, customerId: string): Promise<void>;
  /**
   * Detaches a guest's orders; returns their number.
   * @throws {AppError} CONFLICT while a payment is under way
   */
  releaseGuest(trx: Trx, email: string): Promise<number>;
}

export interface CustomerContentData {
  /** Moves a guest's likes to the customer, in the transaction of the sign-in. */
  signedIn(trx: Trx, signIn: SignIn): Promise<void>;
  likedPosts(customerId: string): Promise<{ link: string; likedAt: number }[]>;
  forgetLikes(trx: Trx, customerId: string): Promise<void>;
  messages(sender: MessageSender): Promise<SentMessage[]>;
  /** Deletes messages; returns how many. */
  forgetMessages(trx: Trx, sender: MessageSender): Promise<number>;
}

export interface CustomerData {
  orders: CustomerOrderData;
  content: CustomerContentData;
}
