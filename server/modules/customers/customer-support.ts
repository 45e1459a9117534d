/** For a merchant, on a person known by email: a customer, a guest, or both. */
import { defaultLocale } from '#contract/locales.ts';
import type { Order } from '#contract/schemas/order.ts';
import type { User } from '#contract/schemas/shop.ts';
import type { TaxExemption } from '#contract/tax-exemptions.ts';
import { notesOf } from '#db/notes.ts';
import type { Change } from '#server/modules/changes/index.ts';
import { emailKeyOf } from '#server/platform/text.ts';
import {
  type CustomerRow,
  deleteTrustedNetworks,
  exemptionsIn,
  findByEmailKey,
  updateCustomer,
} from './accounts.repository.ts';
import type { AccountsDeps } from './accounts.service.ts';
import { toUser } from './customer.ts';
import type { createProfile } from './profile.ts';

/** What staff wrote, in epoch ms; who wrote it is the shop's. */
type StaffNote = { text: string; at: number };

/** Times are epoch ms, amounts cents. */
export interface PersonData {
  exportedAt: number;
  email: string;
  /** Null if there is no account with this email. */
  account:
    | (User & { registeredAt: number; blockedAt: number | null; sessions: number; orders: Order[] } & {
        staffNotes: StaffNote[];
        taxExemptions: TaxExemption[];
      })
    | null;
  guestOrders: Order[];
  messages: { formName: string; createdAt: number; details: { label: string; value: string }[] }[];
  /** What files of other shops say, while they are kept. */
  imported: { at: number; content: unknown }[];
  mails: { kind: string; recipient: string; createdAt: number; sentAt: number | null }[];
}

export interface Erased {
  account: boolean;
  guestOrders: number;
  messages: number;
}

export type CustomerDesk = ReturnType<typeof createCustomerDesk>;

export function createCustomerDesk(
  deps: AccountsDeps,
  { erase }: Pick<ReturnType<typeof createProfile>, 'erase'>,
) {
  const { now, sessions, data, mail } = deps;

  return {
    /** For a person who has shown that the address is theirs. Returns what reads the data. */
    async export({ trx, note }: Change, email: string): Promise<() => Promise<PersonData>> {
      const row = await findByEmailKey(trx, emailKeyOf(email));
      note(row ? 'customer' : 'guest', row?.id ?? '');
      return async () => {
        const [account, guestOrders, messages, imported, mails] = await Promise.all([
          row ? accountOf(deps, row) : null,
          data.orders.ofGuest(email, defaultLocale),
          data.content.messages({ customerId: row?.id ?? null, email }),
          data.imports.about(email),
          mail.to(email),
        ]);
        return { exportedAt: now(), email, account, guestOrders, messages, imported, mails };
      };
    },

    /** Orders keep what bookkeeping needs. @throws {AppError} CONFLICT while a payment is under way, nothing deleted */
    async erase({ trx, note }: Change, email: string): Promise<Erased> {
      const row = await findByEmailKey(trx, emailKeyOf(email));
      const guestOrders = await data.orders.releaseGuest(trx, email);
      const messages = await data.content.forgetMessages(trx, { customerId: row?.id ?? null, email });
      await mail.forget(trx, email);
      await data.imports.forget(trx, email);
      const isKnown = row !== null || guestOrders + messages > 0;
      note(row ? 'customer' : 'guest', row?.id ?? '', isKnown ? undefined : []);
      return { account: row !== null && (await erase(trx, row)), guestOrders, messages };
    },

    /** How many there were; null if there is no such account. */
    async signOut({ trx, note }: Change, email: string): Promise<number | null> {
      const row = await findByEmailKey(trx, emailKeyOf(email));
      const open = row && (await sessions.of(row.id));
      if (row) await sessions.endAll(trx, row.id);
      note('customer', row?.id ?? '', open?.length ? [{ field: 'sessions', from: open.length, to: 0 }] : []);
      return open?.length ?? null;
    },

    /** Blocking ends the sessions. False if there is no such account. */
    async setBlocked({ trx, note }: Change, email: string, blocked: boolean): Promise<boolean> {
      const row = await findByEmailKey(trx, emailKeyOf(email));
      const isSame = !row || (row.blocked_at !== null) === blocked;
      note('customer', row?.id ?? '', isSame ? [] : [{ field: 'blocked', from: !blocked, to: blocked }]);
      if (!row) return false;
      if (isSame) return true;
      await updateCustomer(trx, row.id, { blocked_at: blocked ? now() : null, updated_at: now() });
      if (blocked) {
        await sessions.endAll(trx, row.id);
        await deleteTrustedNetworks(trx, row.id, []);
      }
      return true;
    },
  };
}

async function accountOf({ db, sessions, data }: AccountsDeps, row: CustomerRow) {
  const [open, placed, notes] = await Promise.all([
    sessions.of(row.id),
    data.orders.all(row.id, defaultLocale),
    notesOf(db.read, 'customer', row.id),
  ]);
  return {
    ...toUser(row),
    registeredAt: row.created_at,
    blockedAt: row.blocked_at,
    sessions: open.length,
    orders: placed,
    taxExemptions: exemptionsIn(row.tax_exemptions),
    staffNotes: notes.map(({ text, at }) => ({ text, at })),
  };
}
