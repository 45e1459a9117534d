/** Notices of new orders on devices of the staff whose tab sleeps, by Web Push. They say a number and a store, nothing personal. */
import { inLocale, isLocale, type Locale } from '#contract/locales.ts';
import { staffTranslate } from '#contract/staff/messages.ts';
import type { SignedIn } from '#server/http/staff-endpoint.ts';
import { AppError } from '#server/platform/errors.ts';
import {
  anyNetwork,
  createSafePost,
  type NetworkPolicy,
  publicInternet,
} from '#server/platform/safe-fetch/safe-fetch.ts';
import { ownSecret } from '#server/platform/secrets/secrets.service.ts';
import type { StaffSessions } from './sign-in.ts';
import { allPush, deletePush, type PushRow, putPush } from './staff.repository.ts';
import type { StaffDeps } from './staff.service.ts';

/** How long a push service keeps a notice for a device that is off, s. */
const ttl = 600;
const timeoutMs = 10_000;
/** RFC 8188. */
const contentEncoding = 'aes128gcm';

type Library = typeof import('web-push');

export interface NewOrderNotice {
  number: string;
  storeId: string | null;
  /** What its customer did; left out for a new order. */
  what?: 'moved' | 'cancelled' | undefined;
}

type Device = Pick<PushRow, 'endpoint' | 'p256dh' | 'auth'>;

/** Whether a browser made the keys: each order would otherwise be told in vain, again and again. */
function isUsable(library: Library, { endpoint, p256dh, auth }: Device): boolean {
  try {
    library.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, 'x', { contentEncoding });
    return true;
  } catch {
    return false;
  }
}

export type StaffPush = ReturnType<typeof createPush>;

export function createPush(deps: StaffDeps & { reach?: NetworkPolicy }, sessions: StaffSessions) {
  const { db, env, stores } = deps;
  const { pushContact, webhooksAllowPrivate: allowPrivate } = env;
  const post = createSafePost(deps.reach ?? (allowPrivate ? anyNetwork : publicInternet), {
    httpsOnly: !allowPrivate,
  });
  const library = async () => (await import('web-push')).default;

  async function keys(): Promise<{ publicKey: string; privateKey: string }> {
    const fresh = (await library()).generateVAPIDKeys();
    return JSON.parse(await ownSecret(db, 'vapidKeys', JSON.stringify(fresh)));
  }

  const remove = (session: string): Promise<void> => db.transaction((trx) => deletePush(trx, session));

  const seesStore = (who: SignedIn | null, storeId: string | null) =>
    who?.may.has('orders.read') === true &&
    (who.stores === null || (storeId !== null && who.stores.includes(storeId)));

  async function messageFor(
    row: PushRow,
    { number, storeId, what }: NewOrderNotice,
  ): Promise<{ title: string; tag: string }> {
    const language = isLocale(row.language) ? row.language : 'en';
    const t = staffTranslate(language);
    const found = (await stores.all()).find(({ id }) => id === storeId);
    const store = found ? inLocale(found.name, language) : t('desk.shipping');
    return {
      title: t(what ? `desk.notice.${what}` : 'desk.notice', {
        number: number.split('-').at(-1) ?? number,
        store,
      }),
      tag: number,
    };
  }

  return {
    /** Null where `WEB_PUSH_CONTACT` is not set. */
    publicKey: async (): Promise<string | null> => (pushContact === null ? null : (await keys()).publicKey),
    /** @throws {AppError} 400 for keys that nothing can be encrypted for */
    async start({ session }: SignedIn, device: Device, language: Locale): Promise<void> {
      if (pushContact !== null && !isUsable(await library(), device))
        throw new AppError('REQUEST_VALIDATION_ERROR', { errorKey: 'error.malformed' });
      await db.transaction((trx) => putPush(trx, { session_id: session, ...device, language }));
    },
    stop: ({ session }: SignedIn): Promise<void> => remove(session),
    /** The sessions whose devices are told of the order. */
    async devices({ storeId }: NewOrderNotice): Promise<string[]> {
      if (pushContact === null) return [];
      const seen = await Promise.all(
        (await allPush(db.read)).map(async ({ session_id: session }) => {
          const who = await sessions.check(session);
          if (!who) await remove(session);
          return seesStore(who, storeId) ? session : [];
        }),
      );
      return seen.flat();
    },
    /**
     * Tells the device of one session. Returns whether its push service took it, or will never take it; one that knows the device no
     * longer ends its notices. @throws if the push service cannot be reached
     */
    async tell(session: string, notice: NewOrderNotice): Promise<boolean> {
      const row = (await allPush(db.read)).find(({ session_id }) => session_id === session);
      // It may have signed out, or have lost the right, since the order came.
      if (!row || pushContact === null || !seesStore(await sessions.check(session), notice.storeId))
        return true;
      const { endpoint, headers, body } = (await library()).generateRequestDetails(
        { endpoint: row.endpoint, keys: { p256dh: row.p256dh, auth: row.auth } },
        JSON.stringify(await messageFor(row, notice)),
        {
          vapidDetails: { subject: pushContact, ...(await keys()) },
          TTL: ttl,
          contentEncoding,
          urgency: 'high',
        },
      );
      const texts = Object.entries(headers).flatMap(([name, value]) =>
        name.toLowerCase() === 'content-length' ? [] : [[name.toLowerCase(), String(value)]],
      );
      const request = {
        url: endpoint,
        headers: Object.fromEntries(texts),
        body: body ?? '',
        timeoutMs,
        maxBytes: 1000,
      };
      const { status } = await post(request);
      if (status === 404 || status === 410) await remove(session);
      return status < 429;
    },
  };
}
