/**
 * Loads Braintree's drop-in form from Braintree's own host: its terms for cards require that, and the package would add 65 MB
 * of loaders to the repository's dependencies. The versions there match those of braintree-web-drop-in on npm; this is the
 * newest of November 2026.
 */
import type { Dropin, Options } from 'braintree-web-drop-in';
import { loadScript } from '#web/features/payment/script.ts';

const version = '1.48.0';

interface DropinScript {
  create(options: Options): Promise<Dropin>;
}

export async function loadDropin(): Promise<DropinScript> {
  await loadScript(`https://js.braintreegateway.com/web/dropin/${version}/js/dropin.min.js`);
  const { braintree } = window as { braintree?: { dropin?: DropinScript } };
  if (!braintree?.dropin) throw new Error("Braintree's script has run, but is not there");
  return braintree.dropin;
}

/** Whether the account has 3-D Secure, from the client token (base64 of JSON). */
export function hasThreeDSecure(clientToken: string): boolean {
  try {
    return (JSON.parse(atob(clientToken)) as { threeDSecureEnabled?: unknown }).threeDSecureEnabled === true;
  } catch {
    return false;
  }
}
