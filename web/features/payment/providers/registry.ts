/**
 * Lists the online payment providers of the payment page. Each panel is a chunk of its own, loaded when the customer reaches
 * it, and only then loads its provider's script (`script.ts`). To add a provider, add its folder, and an import and an entry
 * here.
 */
import type { GatewayPart, WalletPart } from '../provider-panel.ts';
import { braintree } from './braintree/index.ts';
import { house } from './house/index.ts';
import { paypal } from './paypal/index.ts';
import { stripe } from './stripe/index.ts';

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
