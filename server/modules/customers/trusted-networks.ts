/** From there a customer has signed in before, and guesses by others do not delay them. */
import type { Database, Trx } from '#db/database.ts';
import type { SessionHandle } from '#server/platform/sessions/sessions.service.ts';
import { type CustomerRow, knownPlaces, trustNetwork } from './accounts.repository.ts';
import { deviceKeyOf, networkKeyOf } from './customer.ts';

/** After the last sign-in. */
export const trustedNetworkMs = 90 * 24 * 60 * 60 * 1000;

export type TrustedNetworks = ReturnType<typeof createTrustedNetworks>;

export function createTrustedNetworks({ db, now }: { db: Database; now: () => number }) {
  async function trustDevice(trx: Trx, handle: SessionHandle, customerId: string): Promise<void> {
    await trustNetwork(trx, deviceKeyOf(customerId, handle.keepDevice(trustedNetworkMs)), customerId, now());
  }

  return {
    trustDevice,

    /** That of the caller's browser or, in another one, of their network. Null if neither is trusted. */
    async trustedBy(customer: CustomerRow | null, network: string, device: string | null): Promise<string | null> {
      if (!customer) return null;
      const byNetwork = { key: networkKeyOf(customer.id, network), name: network };
      const byDevice = device === null ? [] : [{ key: deviceKeyOf(customer.id, device), name: `device ${device}` }];
      const candidates = [...byDevice, byNetwork];
      const trusted = await knownPlaces(
        db.read,
        candidates.map(({ key }) => key),
        now() - trustedNetworkMs,
      );
      return candidates.find(({ key }) => trusted.includes(key))?.name ?? null;
    },

    /** From now on. */
    async trust(trx: Trx, handle: SessionHandle, customerId: string, network: string): Promise<void> {
      await trustNetwork(trx, networkKeyOf(customerId, network), customerId, now());
      await trustDevice(trx, handle, customerId);
    },
  };
}
