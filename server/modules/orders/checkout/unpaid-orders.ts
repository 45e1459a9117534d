import { type Attempt, networkOf } from '#server/platform/rate-limits/rate-limits.service.ts';
import { emailKeyOf } from '#server/platform/text.ts';

/** The rate limits of an unpaid order. `email` receives its confirmation, if any; `address` is the client's. */
export function unpaidOrderRateLimits(email: string | null | undefined, address: string): Attempt[] {
  const counted: Attempt[] = [['reserveAddress', networkOf(address)]];
  if (email) counted.push(['reserveEmail', emailKeyOf(email)]);
  return counted;
}
