/** Becoming a customer, coming and going (SPEC §4, §7). */
import { randomUUID } from 'node:crypto';
import type { Locale } from '#contract/locales.ts';
import { registrationErrors, signOnErrors } from '#contract/rules/account.ts';
import { isClean } from '#contract/rules/fields.ts';
import type { RegistrationInput, SignOnInput } from '#contract/schemas/account.ts';
import type { SessionInfo } from '#contract/schemas/shop.ts';
import type { Trx } from '#db/database.ts';
import { AppError, validationError } from '#server/platform/errors.ts';
import { type Attempt, networkOf } from '#server/platform/rate-limits/rate-limits.service.ts';
import type { CustomerSession, SessionHandle } from '#server/platform/sessions/sessions.service.ts';
import { emailKeyOf, oneLine } from '#server/platform/text.ts';
import {
  type CustomerRow,
  findByEmailKey,
  findCustomer,
  insertCustomer,
  knownPlaces,
  trustNetwork,
  updateCustomer,
} from './accounts.repository.ts';
import type { AccountsDeps } from './accounts.service.ts';
import { deviceKeyOf, networkKeyOf, toUser } from './customer.ts';
import type { CustomerOrderData } from './customer-data.ts';
import type { PasswordRules } from './password-rules.ts';
import type { Passwords } from './passwords.ts';

/** The network and the browser that a customer signed on from are theirs for so long after. Milliseconds. */
export const trustedNetworkMs = 90 * 24 * 60 * 60 * 1000;
type MoveOrders = Awaited<ReturnType<CustomerOrderData['prepareSignIn']>>;

const guest: SessionInfo = { user: null, lastLoginDate: null, userID: null };

export function toSessionInfo(row: CustomerRow): SessionInfo {
  return { user: toUser(row), lastLoginDate: row.last_login_at, userID: row.email };
}

export function createSignIn(deps: AccountsDeps, passwords: Passwords, chosen: PasswordRules) {
  const { db, now, attempts, data, mail, settings } = deps;

  /**
   * Gives the caller a new session of the customer's, and moves to it what they had as a guest. `moveOrders` is what
   * `CustomerOrderData.prepareSignIn` returned before the transaction.
   */
  async function enter(
    trx: Trx,
    handle: SessionHandle,
    customerId: string,
    moveOrders: MoveOrders,
    locale: Locale,
    isNewCustomer = false,
  ): Promise<CustomerSession> {
    const { session, previous } = await handle.signOn(trx, customerId);
    const isOwn = previous && (previous.customerId === null || previous.customerId === customerId);
    const signIn = { session, previousHash: isOwn ? previous.idHash : null, isNewCustomer, locale };
    await moveOrders(trx, signIn);
    await data.content.signedIn(trx, signIn);
    return session;
  }

  /**
   * By what this caller is known as somebody who has signed on as the customer before: their browser or,
   * where they have another one, their network. Null for everybody else.
   */
  async function whereKnown(customer: CustomerRow | null, place: string, device: string | null): Promise<string | null> {
    if (!customer) return null;
    const browser = device === null ? null : { key: deviceKeyOf(customer.id, device), known: `device ${device}` };
    const network = { key: networkKeyOf(customer.id, place), known: place };
    const candidates = browser ? [browser, network] : [network];
    const seen = await knownPlaces(
      db.read,
      candidates.map(({ key }) => key),
      now() - trustedNetworkMs,
    );
    return candidates.find(({ key }) => seen.includes(key))?.known ?? null;
  }

  /** Has strangers' guesses not hold this customer up any more, in this browser and on this network. */
  async function trust(trx: Trx, handle: SessionHandle, customerId: string, place: string): Promise<void> {
    await trustNetwork(trx, networkKeyOf(customerId, place), customerId, now());
    await trustDevice(trx, handle, customerId);
  }

  async function trustDevice(trx: Trx, handle: SessionHandle, customerId: string): Promise<void> {
    await trustNetwork(trx, deviceKeyOf(customerId, handle.keepDevice(trustedNetworkMs)), customerId, now());
  }

  return {
    enter,
    trustDevice,

    async info(session: SessionHandle): Promise<SessionInfo> {
      const current = await session.get();
      const row = current?.customerId ? await findCustomer(db.read, current.customerId) : null;
      if (row || current?.customerId === null) await session.prolong();
      return row ? toSessionInfo(row) : guest;
    },

    /**
     * Makes an account and signs its owner on. What they ordered in this session is theirs from now on.
     * @throws Refusal REQUEST_VALIDATION_ERROR, also where there is an account of this email; RATE_LIMITED
     */
    async register(handle: SessionHandle, input: RegistrationInput, address: string, locale: Locale): Promise<SessionInfo> {
      const errors = { ...(await chosen.errorsOf(input.password)), ...registrationErrors(input) };
      if (!isClean(errors)) throw validationError(errors);
      const place = networkOf(address);
      const { email = '', password = '' } = input;
      await attempts.count([['registerAddress', place]]);
      if (await findByEmailKey(db.read, emailKeyOf(email))) throw validationError({ email: 'rule.emailTaken' });
      const moveOrders = await data.orders.prepareSignIn();
      const { newsletterTicked } = await settings.all();
      const hash = await passwords.hash(password);
      return db.transaction(async (trx) => {
        const at = now();
        const row: CustomerRow = {
          id: randomUUID(),
          email: email.trim(),
          email_key: emailKeyOf(email),
          first_name: trimmed(input.firstName),
          last_name: trimmed(input.lastName),
          mobile_phone: trimmed(input.mobilePhone),
          password_hash: hash,
          accept_newsletter: (input.acceptNewsletter ?? newsletterTicked) ? 1 : 0,
          language: locale,
          shipping_addresses: '[]',
          billing_addresses: '[]',
          created_at: at,
          updated_at: at,
          password_changed_at: at,
          last_login_at: at,
          email_confirmed_at: null,
          blocked_at: null,
        };
        if (!(await insertCustomer(trx, row))) throw validationError({ email: 'rule.emailTaken' });
        await trust(trx, handle, row.id, place);
        await enter(trx, handle, row.id, moveOrders, locale, true);
        await mail.enqueue(trx, { kind: 'welcome', recipient: row.email, locale, data: {} });
        return toSessionInfo(row);
      });
    },

    /**
     * Signs a customer on. Cheap checks come first: what is malformed or has a pause to keep costs no hash.
     * In a browser or on a network where the customer has signed on before, others' wrong guesses do not hold
     * them up.
     * @throws Refusal AUTHORIZATION_ERROR, the same for an unknown email and a wrong password; RATE_LIMITED
     */
    async signOn(handle: SessionHandle, input: SignOnInput, address: string, locale: Locale): Promise<SessionInfo> {
      const errors = signOnErrors(input);
      if (!isClean(errors)) throw validationError(errors);
      const place = networkOf(address);
      const emailKey = emailKeyOf(input.userID ?? '');
      const customer = await findByEmailKey(db.read, emailKey);
      const known = await whereKnown(customer, place, handle.device);
      const tried: Attempt[] = known
        ? [['signOnKnownPlace', `${emailKey}\n${known}`]]
        : [
            ['signOnAccount', emailKey],
            ['signOnAddress', place],
          ];
      await attempts.count(tried);
      const moveOrders = await data.orders.prepareSignIn();
      const turn = { first: known !== null, who: `${emailKey}\n${known ?? place}` };
      const right = await passwords.verify(customer?.password_hash ?? null, input.password ?? '', turn).catch((error: unknown) =>
        // Too many at once: nobody's guess was judged, so none counts.
        db.transaction((trx) => attempts.undo(trx, tried)).then(() => Promise.reject(error)),
      );
      if (!customer || !right) throw wrongCredentials();
      // Only those who know the password hear of it.
      if (customer.blocked_at !== null) throw new AppError('FORBIDDEN', { errorKey: 'account.blocked' });
      const renewed = passwords.isOutdated(customer.password_hash) ? await passwords.hash(input.password ?? '') : null;
      return db.transaction(async (trx) => {
        const at = now();
        // Not, if the password was changed while this one was being judged.
        const row = await updateCustomer(
          trx,
          customer.id,
          { last_login_at: at, language: locale, ...(renewed ? { password_hash: renewed } : {}) },
          customer.password_hash,
        );
        if (!row) throw wrongCredentials();
        await attempts.undo(trx, tried);
        await attempts.reset(trx, known ? tried : [['signOnAccount', emailKey]]);
        await trust(trx, handle, row.id, place);
        await enter(trx, handle, row.id, moveOrders, locale);
        return toSessionInfo(row);
      });
    },

    /** Ends the session. */
    async signOff(handle: SessionHandle): Promise<void> {
      await db.transaction((trx) => handle.end(trx));
    },
  };
}

function wrongCredentials(): AppError {
  return new AppError('AUTHORIZATION_ERROR', { errorKey: 'account.signOnFailed' });
}

function trimmed(text: string | undefined): string {
  return oneLine(text ?? '');
}
