import type { Badge as BadgeName } from '#contract/schemas/catalogue.ts';
import { useT } from '#web/i18n/i18n.tsx';

const badgeClass =
  'inline-block rounded-sm bg-clay px-2 py-[0.1875rem] font-semibold text-[0.8125rem]/[1.3] text-on-clay tracking-[0.06em] zh:tracking-normal max-product:text-[0.75rem]';
const keys = { SALE: 'badge.sale', CLEARANCE: 'badge.clearance' } as const;

/** SALE or CLEARANCE (SPEC §9), laid over a picture's corner or in a line of text. */
export function Badge({ badge }: { badge: BadgeName }) {
  return <span className={badgeClass}>{useT()(keys[badge])}</span>;
}

/** All badges of a product over the corner of its picture; put it inside a `relative` box. */
export function Badges({ badges }: { badges: BadgeName[] }) {
  if (badges.length === 0) return null;
  return (
    <span className="pointer-events-none absolute top-2 left-2 z-1 flex flex-wrap gap-1 print:hidden">
      {badges.map((badge) => (
        <Badge key={badge} badge={badge} />
      ))}
    </span>
  );
}
