/** The calls by which a device is notified of new orders while its tab sleeps (Web Push). */
import Type from 'typebox';
import { described } from '../schemas/annotate.ts';
import { Nullable, Strict } from '../schemas/common.ts';
import { Done, type StaffEndpoint } from './endpoint.ts';

const Key = Type.String({ pattern: '^[\\w-]+$', minLength: 16, maxLength: 120 });

export const pushEndpoints = {
  push: {
    route: 'GET push',
    summary: 'The public key by which a device subscribes to notices of new orders.',
    needs: 'orders.read',
    response: Type.Object({ key: described('Base64url; null where the shop sends no notices.', Nullable(Type.String())) }),
  },
  startPush: {
    route: 'POST push',
    summary: 'Notifies this device of new orders, for as long as it is signed in.',
    needs: 'orders.read',
    body: Strict({
      endpoint: described('The address that the browser gave.', Type.String({ pattern: '^https?://', maxLength: 1000 })),
      p256dh: Key,
      auth: Key,
    }),
    response: Done,
  },
  stopPush: { route: 'POST push/stop', summary: 'Notifies this device no more.', needs: 'orders.read', response: Done },
} as const satisfies Record<string, StaffEndpoint>;
