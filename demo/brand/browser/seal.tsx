import type { AppContent } from '#contract/schemas/shop.ts';
import type { ShellExtras } from '../shared/schemas.ts';

/** Where each letter stands in a field of 64 × 64, by their number: Chinese seals are read from the right. */
const places: Record<number, readonly (readonly [x: number, y: number])[]> = {
  1: [[32, 33]],
  2: [
    [32, 20],
    [32, 46],
  ],
  3: [
    [44, 20],
    [44, 46],
    [20, 33],
  ],
  4: [
    [44, 20],
    [44, 46],
    [20, 20],
    [20, 46],
  ],
};

/** The shop's seal, drawn from one to four Chinese characters. Decoration: the shop's name stands beside it. */
export function TicketMark({ shop }: { shop: Pick<AppContent, 'extras'> | undefined }) {
  const { seal = '' } = (shop?.extras ?? {}) as Partial<ShellExtras>;
  const characters = [...seal];
  if (characters.length === 0) return null;
  return (
    <svg width={56} height={56} viewBox="0 0 64 64" className="-rotate-3 text-clay" aria-hidden>
      <path
        d="M5 4.5Q32 2.5 59.5 4 61.5 32 59.5 60 32 61.5 4.5 59.5 2.5 32 5 4.5Z"
        fill="none"
        stroke="currentColor"
        strokeWidth={3.5}
        strokeLinejoin="round"
      />
      {places[characters.length]?.map(([x, y], index) => (
        <text
          key={`${x} ${y}`}
          x={x}
          y={y}
          lang="zh"
          className="font-serif"
          fontSize={characters.length === 1 ? 36 : 24}
          fontWeight={600}
          textAnchor="middle"
          dominantBaseline="central"
          fill="currentColor"
        >
          {characters[index]}
        </text>
      ))}
    </svg>
  );
}
