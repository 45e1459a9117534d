import { type Attempt, networkOf } from '#server/platform/rate-limits/rate-limits.service.ts';
import { emailKeyOf } from '#server/platform/text.ts';

/** What such an order counts under. `email` is where its confirmation goes, if anywhere; `address` is the caller's. */
export function unpaidOrderRateLimits(email: string | null | undefined, address: string): Attempt[] {
  const counted: Attempt[] = [['reserveAddress', networkOf(address)]];
  if (email) counted.push(['reserveEmail', emailKeyOf(email)]);
  return counted;
}
