import type { Database } from '#db/database.ts';
import type { AlertsService } from '#server/modules/notifications/index.ts';
import type { RightMissing } from './provider.ts';

/** Alerts the merchant to a right that the shop's keys lack: one email for each right and month. */
export async function reportMissingRight(
  { db, now, alerts }: { db: Database; now: () => number; alerts: AlertsService },
  provider: string,
  { message: reason }: RightMissing,
): Promise<void> {
  const reference = `${provider}:${reason}:${new Date(now()).toISOString().slice(0, 7)}`;
  await db.transaction((trx) =>
    alerts.raiseOnce(trx, { kind: 'rightMissing', values: { provider, reason }, reference }),
  );
}
