/** The address of the payment page after a customer has returned from a provider's site. */
import { gateways } from './registry.ts';
import { rememberAttempt, rememberedAttempt } from './remembered-attempt.ts';

/**
 * The address of this page without the parameters that a provider added when the customer returned from another site: they are
 * secret and must not be shared or bookmarked. Null if the customer does not return. The tab may differ from the one that
 * began, because banking apps open their own.
 */
export function addressAfterReturn(): string | null {
  if (typeof location === 'undefined') return null;
  const { pathname, search } = location;
  const parameters = new URLSearchParams(search);
  const returned = gateways.find(({ returnParameters: added }) => added && parameters.has(added.secret));
  if (!returned?.returnParameters) return null;
  if (rememberedAttempt() === null) rememberAttempt(returned.name);
  for (const name of returned.returnParameters.all) parameters.delete(name);
  return pathname + (parameters.size > 0 ? `?${parameters}` : '');
}
