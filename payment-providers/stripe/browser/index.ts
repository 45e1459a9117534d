import type { GatewayPart } from '#web/features/payment/provider-panel.ts';

export const stripe: GatewayPart = {
  load: () => import('./panel.tsx'),
  billingAddress: true,
  externalScripts: true,
  testCards: false,
  returnParameters: {
    secret: 'payment_intent_client_secret',
    all: ['payment_intent', 'payment_intent_client_secret', 'redirect_status'],
  },
};
