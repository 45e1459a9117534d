import type { GatewayPart } from '#web/features/payment/provider-panel.ts';

export const house: GatewayPart = {
  load: () => import('./panel.tsx'),
  billingAddress: true,
  externalScripts: false,
  testCards: true,
};
