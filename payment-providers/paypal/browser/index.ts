import type { WalletPart } from '#web/features/payment/provider-panel.ts';

export const paypal: WalletPart = {
  load: () => import('./button.tsx'),
  messages: {
    title: 'payment.method.payPal',
    note: 'payment.method.payPal.note',
    invalid: 'payment.paypal.invalid',
  },
  requestToken: async (api, billVersion) =>
    (await api.call('payPalToken', { query: { id: billVersion } })).token,
  approve: (api, approval, due) =>
    api.call('payPalPayment', { body: { ...approval, ...(due === undefined ? {} : { dueVersion: due }) } }),
};
