import { cardErrors } from '#contract/rules/card.ts';
import { serve } from '#server/http/endpoint.ts';
import { gatewayNotSetUp, type ProviderDefinition } from '#server/modules/payments/providers/provider-definition.ts';
import { AppError, validationError } from '#server/platform/errors.ts';
import { house as contract } from '../contract.ts';
import { createHouseProvider, type HouseProvider } from './house.ts';

export const house: ProviderDefinition<HouseProvider, null> = {
  webhookPath: 'house',
  readConfig: null,
  create: (_config, deps) => createHouseProvider(deps),
  keyMode: () => null,
  dashboardUrl: () => null,

  registerRoutes(app, provider, { paying, now }) {
    serve(app, 'postBilling', ({ session, params, body, lang, request }) => {
      const { paymentInstrucment: card, billingAddress, billVersion } = body;
      // The other gateways have their own forms and calls.
      if (!provider || ![contract.name, contract.gatewayName].some((name) => name === params.gatewayName))
        throw gatewayNotSetUp();
      const errors = cardErrors(card, now());
      return paying.pay(session, provider.name, { input: card, billingAddress, billVersion, errors, address: request.ip }, lang);
    });
    serve(app, 'houseChallenge', async ({ body }) => {
      if (!provider) throw gatewayNotSetUp();
      const answer = await provider.answer(body.token, body.code);
      if (answer === 'unknown') throw new AppError('CONFLICT', { errorKey: 'payment.challengeUnknown' });
      if (answer === 'wrong') throw validationError({ code: 'payment.challengeWrong' });
      return {};
    });
  },
};
