import type { Locale } from '#contract/locales.ts';
import type { OrderBrief } from '#contract/schemas/account.ts';
import type { Order } from '#contract/schemas/order.ts';
import type { Trx } from '#db/database.ts';
import type { CustomerSession, SessionHandle } from '#server/platform/sessions/sessions.service.ts';

export interface SignIn {
  session: CustomerSession;
  /** A guest's or their own, whose data moves along; null if there was none. */
  previousHash: string | null;
  /** By this sign-in. */
  isNewCustomer: boolean;
  locale: Locale;
}

/** A customer's, those sent with an email, or both. */
export interface MessageSender {
  customerId: string | null;
  email: string | null;
}

/** `createdAt` is epoch ms. */
export interface SentMessage {
  formName: string;
  createdAt: number;
  details: { label: string; value: string }[];
}

export interface CustomerOrderData {
  /** Reads before the transaction what moving carts and orders needs. The function that it returns moves them in it. */
  prepareSignIn(): Promise<(trx: Trx, signIn: SignIn) => Promise<void>>;
  /** Its `orderID` is null if there is none. */
  cart(session: SessionHandle, locale: Locale): Promise<Order>;
  list(customerId: string, from: number, count: number, locale: Locale): Promise<OrderBrief[]>;
  /** How many orders customers have placed, at some stores or at all, by their ids; customers without one are left out. */
  placedBy(
    customerIds: readonly string[],
    stores: ReadonlySet<string> | null,
  ): Promise<ReadonlyMap<string, { orders: number; lastOrderAt: number }>>;
  all(customerId: string, locale: Locale): Promise<Order[]>;
  ofGuest(email: string, locale: Locale): Promise<Order[]>;
  /** @throws {AppError} CONFLICT while a payment is under way */
  detachFromCustomer(trx: Trx, customerId: string): Promise<void>;
  /** Returns their number. @throws {AppError} CONFLICT while a payment is under way */
  releaseGuest(trx: Trx, email: string): Promise<number>;
}

export interface CustomerContentData {
  signedIn(trx: Trx, signIn: SignIn): Promise<void>;
  likedPosts(customerId: string): Promise<{ link: string; likedAt: number }[]>;
  forgetLikes(trx: Trx, customerId: string): Promise<void>;
  messages(sender: MessageSender): Promise<SentMessage[]>;
  forgetMessages(trx: Trx, sender: MessageSender): Promise<number>;
}

/** Files of other shops, while what they say is kept. */
export interface CustomerImportData {
  /** `at` is epoch ms. */
  about(email: string): Promise<{ at: number; content: unknown }[]>;
  forget(trx: Trx, email: string): Promise<void>;
}

export interface CustomerData {
  orders: CustomerOrderData;
  content: CustomerContentData;
  imports: CustomerImportData;
}
