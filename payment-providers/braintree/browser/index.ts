import type { GatewayPart } from '#web/features/payment/provider-panel.ts';

export const braintree: GatewayPart = {
  load: () => import('./panel.tsx'),
  billingAddress: true,
  externalScripts: true,
  testCards: false,
};
