import { serve } from '#server/http/endpoint.ts';
import {
  gatewayNotSetUp,
  type ProviderDefinition,
  paymentFormUnavailable,
} from '#server/modules/payments/providers/provider-definition.ts';
import { AppError } from '#server/platform/errors.ts';
import { type PayPalConfig, readPayPalConfig } from './config.ts';
import { createPayPalProvider, type PayPalProvider } from './paypal.ts';

const notOffered: PayPalProvider['option'] = {
  testingMode: false,
  enabled: false,
  sandBoxClientID: '',
  prodClientID: '',
};

export const paypal: ProviderDefinition<PayPalProvider, PayPalConfig> = {
  webhookPath: 'paypal',
  readConfig: readPayPalConfig,
  create: (config, deps) => createPayPalProvider({ ...deps, config }),
  keyMode: ({ mode }) => (mode === 'live' ? 'live' : 'test'),
  // Payment pages are addressed by the capture's id. Without it the link leads to the list, where the order's number finds it.
  dashboardUrl({ mode }, _providerId, transactionId) {
    const page = transactionId === null ? '' : `payment/${encodeURIComponent(transactionId)}`;
    return `https://www.${mode === 'sandbox' ? 'sandbox.' : ''}paypal.com/activity/${page}`;
  },

  disputeUrl: ({ mode }, disputeId) =>
    `https://www.${mode === 'sandbox' ? 'sandbox.' : ''}paypal.com/resolutioncenter/view/${encodeURIComponent(disputeId)}`,

  registerRoutes(app, providerNow, { paying }) {
    serve(app, 'payPalOption', async () => ({
      payPalPaymentOption: (await providerNow())?.option ?? notOffered,
    }));
    serve(app, 'payPalToken', async ({ session, query, lang, request }) => {
      const provider = await providerNow();
      if (!provider) throw gatewayNotSetUp();
      const pay = paying.pay(
        session,
        provider.name,
        { input: {}, billVersion: query.id, address: request.ip },
        lang,
      );
      const { action } = await pay.catch(async (error: unknown) => {
        if (!(error instanceof AppError) || error.details.errorKey !== 'payment.undecided') throw error;
        // Without a token the customer cannot approve anything, so there is nothing to wait for.
        await paying.cancel(session, lang, query.id);
        throw paymentFormUnavailable();
      });
      // The order was paid meanwhile, in another tab.
      if (!action) throw new AppError('CONFLICT', { errorKey: 'payment.alreadyPlaced' });
      return { token: action.token };
    });
    serve(app, 'payPalPayment', async ({ session, body, request }) => {
      const provider = await providerNow();
      if (!provider) throw gatewayNotSetUp();
      return paying.resume(session, provider.name, request.ip, {
        dueVersion: body.dueVersion,
        providerId: body.paymentId,
      });
    });
  },
};
