/** The payment providers in the contract, one line each. The exported name is the provider's key in all registries. */
export { braintree } from './braintree/contract.ts';
export { house } from './house/contract.ts';
export { paypal } from './paypal/contract.ts';
export { stripe } from './stripe/contract.ts';
