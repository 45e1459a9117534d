/** The house gateway's panel, as the registry lists it. */
import type { GatewayPart } from '#web/features/payment/provider-panel.ts';

/** The gateway's name in the API. */
export const gatewayName = '{host}';

export const house: GatewayPart = {
  kind: 'gateway',
  provider: 'house',
  gatewayName,
  load: () => import('./panel.tsx'),
  billingAddress: true,
  externalScripts: false,
  testCards: true,
};
