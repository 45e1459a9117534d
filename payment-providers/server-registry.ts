/** The payment providers on the server, one line each, under the names of `contract-registry.ts`. */
export { braintree } from './braintree/server/index.ts';
export { house } from './house/server/index.ts';
export { paypal } from './paypal/server/index.ts';
export { stripe } from './stripe/server/index.ts';
