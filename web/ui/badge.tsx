import type { Badge as BadgeName } from '#contract/schemas/catalogue.ts';
import { useT } from '#ui/i18n.tsx';

const keys = { SALE: 'badge.sale', CLEARANCE: 'badge.clearance' } as const;

/** SALE or CLEARANCE (SPEC §9), over an image's corner or in a line of text. */
export function Badge({ badge }: { badge: BadgeName }) {
  return <span className="badge">{useT()(keys[badge])}</span>;
}

/** All badges of a product over the corner of its image; put it inside a `relative` box. */
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
