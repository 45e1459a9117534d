/** The payment providers on the payment page, one line each, under the names of `contract-registry.ts`. */
export { braintree } from './braintree/browser/index.ts';
export { house } from './house/browser/index.ts';
export { paypal } from './paypal/browser/index.ts';
export { stripe } from './stripe/browser/index.ts';
