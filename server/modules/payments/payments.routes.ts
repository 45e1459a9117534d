/** Calls about paying online (SPEC §7). */
import type { FastifyInstance } from 'fastify';
import { cardErrors } from '#contract/rules/card.ts';
import type { ServiceDeps, Services } from '#server/container.ts';
import { serve } from '#server/http/endpoint.ts';
import { AppError, validationError } from '#server/platform/errors.ts';

const notSetUp = () => new AppError('NOT_FOUND', { errorKey: 'rule.gatewayNotSetUp' });
/** A provider that cannot be asked for what its own form needs. */
const unavailable = () => new AppError('SYSTEM_ERROR', { errorKey: 'payment.unavailable', status: 503 });

export function registerPaymentsRoutes(
  app: FastifyInstance,
  { payments, orders }: Services,
  { now }: Pick<ServiceDeps, 'now'>,
): void {
  const { house, stripe, payPal, braintree } = payments.registry;

  serve(app, 'getBilling', ({ session, params, query, lang }) =>
    payments.bill(session, params.gatewayName, query.pickUpAandPayAtStore ?? false, lang),
  );
  serve(app, 'postBilling', ({ session, params, body, lang, request }) => {
    const { paymentInstrucment: card, billingAddress, billVersion } = body;
    // The other gateways have forms and calls of their own.
    if (!house || payments.registry.find(params.gatewayName) !== house) throw notSetUp();
    return payments.pay(
      session,
      house.name,
      { input: card, billingAddress, billVersion, errors: cardErrors(card, now()), address: request.ip },
      lang,
    );
  });

  serve(app, 'stripePublicKey', () => {
    if (!stripe) throw notSetUp();
    return { publishableKey: stripe.publishableKey };
  });
  serve(app, 'payByStripe', ({ session, body, lang, request }) => {
    const { confirmationToken = '', billVersion, billingAddress } = body;
    const errors = confirmationToken === '' ? { confirmationToken: 'field.required' as const } : {};
    if (!stripe) throw notSetUp();
    return payments.pay(
      session,
      stripe.name,
      { input: { confirmationToken }, billVersion, billingAddress, errors, address: request.ip },
      lang,
    );
  });

  serve(app, 'payPalOption', () => ({
    payPalPaymentOption: payPal?.option ?? { testingMode: false, enabled: false, sandBoxClientID: '', prodClientID: '' },
  }));
  serve(app, 'payPalToken', async ({ session, query, lang, request }) => {
    if (!payPal) throw notSetUp();
    const pay = payments.pay(session, payPal.name, { input: {}, billVersion: query.id, address: request.ip }, lang);
    const { action } = await pay.catch(async (error: unknown) => {
      if (!(error instanceof AppError) || error.details.errorKey !== 'payment.undecided') throw error;
      // Without a token nobody can agree to anything, so there is nothing to wait for.
      await payments.cancel(session, lang);
      throw unavailable();
    });
    // Paid meanwhile, in another tab.
    if (!action) throw new AppError('CONFLICT', { errorKey: 'payment.alreadyPlaced' });
    return { token: action.token };
  });
  serve(app, 'payPalPayment', ({ session, body, request }) => {
    if (!payPal) throw notSetUp();
    return payments.resume(session, payPal.name, request.ip, body.paymentId);
  });

  serve(app, 'braintreeToken', async ({ request }) => {
    if (!braintree) throw notSetUp();
    const { currency } = await orders.settings();
    const token = await braintree.clientToken(currency).catch((err: unknown) => {
      request.log.warn({ err, provider: braintree.name }, 'payment form not available');
      throw unavailable();
    });
    return { token };
  });
  serve(app, 'payByBraintree', ({ session, body, lang, request }) => {
    const { payment_method_nonce = '', deviceData = '', billVersion, billingAddress } = body;
    const errors = payment_method_nonce === '' ? { payment_method_nonce: 'field.required' as const } : {};
    if (!braintree) throw notSetUp();
    return payments.pay(
      session,
      braintree.name,
      { input: { payment_method_nonce, deviceData }, billVersion, billingAddress, errors, address: request.ip },
      lang,
    );
  });

  serve(app, 'resumePayment', ({ session, body, request }) => payments.resume(session, body.provider, request.ip));
  serve(app, 'cancelPayment', ({ session, lang }) => payments.cancel(session, lang));

  serve(app, 'houseChallenge', async ({ body }) => {
    if (!house) throw notSetUp();
    const heard = await house.answer(body.token, body.code);
    if (heard === 'unknown') throw new AppError('CONFLICT', { errorKey: 'payment.challengeUnknown' });
    if (heard === 'wrong') throw validationError({ code: 'payment.challengeWrong' });
    return {};
  });
}
