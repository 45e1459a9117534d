/** Notices of new orders on devices of the staff whose tab sleeps, by Web Push. They say a number and a store, nothing personal. */
import { inLocale, isLocale, type Locale } from '#contract/locales.ts';
import { staffTranslate } from '#contract/staff/messages.ts';
import type { SignedIn } from '#server/http/staff-endpoint.ts';
import { anyNetwork, createSafePost, type NetworkPolicy, publicInternet } from '#server/platform/safe-fetch/safe-fetch.ts';
import { ownSecret } from '#server/platform/secrets/secrets.service.ts';
import type { StaffSessions } from './sign-in.ts';
import { allPush, deletePush, type PushRow, putPush } from './staff.repository.ts';
import type { StaffDeps } from './staff.service.ts';

/** How long a push service keeps a notice for a device that is off, s. */
const ttl = 600;
const timeoutMs = 10_000;

export interface NewOrderNotice {
  number: string;
  storeId: string | null;
}

export type StaffPush = ReturnType<typeof createPush>;

export function createPush(deps: StaffDeps & { reach?: NetworkPolicy }, sessions: StaffSessions) {
  const { db, env, stores } = deps;
  const { pushContact, webhooksAllowPrivate: allowPrivate } = env;
  const post = createSafePost(deps.reach ?? (allowPrivate ? anyNetwork : publicInternet), { httpsOnly: !allowPrivate });
  const library = async () => (await import('web-push')).default;

  async function keys(): Promise<{ publicKey: string; privateKey: string }> {
    const fresh = (await library()).generateVAPIDKeys();
    return JSON.parse(await ownSecret(db, 'vapidKeys', JSON.stringify(fresh)));
  }

  const remove = (session: string): Promise<void> => db.transaction((trx) => deletePush(trx, session));

  /** Returns whether the push service took it, or will never take it. */
  async function send(row: PushRow, notice: NewOrderNotice, storeName: string, subject: string): Promise<boolean> {
    const who = await sessions.check(row.session_id);
    const reaches = who?.stores === null || (notice.storeId !== null && who?.stores.includes(notice.storeId));
    if (!who) await remove(row.session_id);
    if (!who?.may.has('orders.read') || !reaches) return true;
    const t = staffTranslate(isLocale(row.language) ? row.language : 'en');
    const title = t('desk.notice', { number: notice.number.split('-').at(-1) ?? notice.number, store: storeName });
    const { endpoint, headers, body } = (await library()).generateRequestDetails(
      { endpoint: row.endpoint, keys: { p256dh: row.p256dh, auth: row.auth } },
      JSON.stringify({ title, tag: notice.number }),
      { vapidDetails: { subject, ...(await keys()) }, TTL: ttl, contentEncoding: 'aes128gcm', urgency: 'high' },
    );
    const texts = Object.entries(headers).flatMap(([name, value]) =>
      name.toLowerCase() === 'content-length' ? [] : [[name.toLowerCase(), String(value)]],
    );
    const request = { url: endpoint, headers: Object.fromEntries(texts), body: body ?? '', timeoutMs, maxBytes: 1000 };
    const { status } = await post(request);
    if (status === 404 || status === 410) await remove(row.session_id);
    return status < 429;
  }

  return {
    /** Null where `WEB_PUSH_CONTACT` is not set. */
    publicKey: async (): Promise<string | null> => (pushContact === null ? null : (await keys()).publicKey),
    start: ({ session }: SignedIn, device: Pick<PushRow, 'endpoint' | 'p256dh' | 'auth'>, language: Locale): Promise<void> =>
      db.transaction((trx) => putPush(trx, { session_id: session, ...device, language })),
    stop: ({ session }: SignedIn): Promise<void> => remove(session),
    /** Tells all devices whose session sees the order. False if one of them should be tried again; the others then replace the notice. */
    async notify(notice: NewOrderNotice): Promise<boolean> {
      if (pushContact === null) return true;
      const store = (await stores.all()).find(({ id }) => id === notice.storeId);
      const sent = await Promise.all(
        (await allPush(db.read)).map(async (row) => {
          const language = isLocale(row.language) ? row.language : 'en';
          const name = store ? inLocale(store.name, language) : staffTranslate(language)('desk.shipping');
          return send(row, notice, name, pushContact).catch(() => false);
        }),
      );
      return sent.every(Boolean);
    },
  };
}
