/**
 * Lists the online payment providers of the payment page. Each panel is a chunk of its own, loaded when the customer reaches
 * it, and only then loads its provider's script (`script.ts`). To add a provider, add its folder, and an import and an entry
 * here.
 */

import { braintree } from '#payment-providers/braintree/browser/index.ts';
import { house } from '#payment-providers/house/browser/index.ts';
import { paypal } from '#payment-providers/paypal/browser/index.ts';
import { stripe } from '#payment-providers/stripe/browser/index.ts';
import type { GatewayPart, WalletPart } from './provider-panel.ts';

const parts: readonly (GatewayPart | WalletPart)[] = [stripe, braintree, paypal, house];

export const gateways = parts.filter((part) => part.kind === 'gateway');
export const walletParts = parts.filter((part) => part.kind === 'wallet');

/** The gateway by its name in `paymentConfig`. */
export function findGateway(gatewayName: string): GatewayPart | undefined {
  return gateways.find((part) => part.gatewayName === gatewayName);
}

/** The wallet that a customer chose; undefined for another choice. */
export function findWallet(choice: string | null): WalletPart | undefined {
  return walletParts.find(({ wallet }) => wallet.method === choice);
}
