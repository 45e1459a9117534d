/** What neither the schema of a coupon nor the database refuses: the same for the office, files and commands. */
import { type Problem, problem, shown } from '#contract/problems.ts';
import type { CouponInput } from '#contract/schemas/coupon.ts';
import type { StoredCoupon } from './coupons.repository.ts';

/** The ids that are there. */
export interface CouponItems {
  products: ReadonlySet<string>;
  categories: ReadonlySet<string>;
}

/** What it named before may be gone meanwhile; what is named newly is there. `stored`: as it is, null for a new one. */
export function couponProblems(
  content: CouponInput,
  stored: StoredCoupon | null,
  known: CouponItems,
): Problem[] {
  const { kind, startsAt, endsAt, totalLimit } = content;
  const unknown = (list: 'products' | 'categories', of: 'product' | 'category') =>
    content[list]
      .filter((id) => !known[list].has(id) && !stored?.coupon[list].includes(id))
      .map((id) => problem([list], 'problem.reference', { kind: of, found: shown(id) }));
  return [
    ...(['percent', 'amount'] as const).flatMap((field) =>
      kind === field && content[field] === 0
        ? [problem([field], 'problem.exclusiveMinimum', { limit: 0 })]
        : [],
    ),
    ...(endsAt !== null && endsAt <= (startsAt ?? 0) ? [problem(['endsAt'], 'problem.coupon.ends')] : []),
    ...(totalLimit !== null && stored && totalLimit < stored.used
      ? [problem(['totalLimit'], 'problem.minimum', { limit: stored.used })]
      : []),
    ...unknown('products', 'product'),
    ...unknown('categories', 'category'),
  ];
}
