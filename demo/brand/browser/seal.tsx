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

/**
 * 枫 over 土, in a field of 64 × 64: the mark of the demo, drawn for it and not set in a font. It is that of `favicon.svg`, from which
 * icons and emails have theirs, and of what is printed on tins and over doors (demo/studio).
 */
const marks: Readonly<Record<string, string>> = {
  枫土: 'M6.6 12.8 26.6 12.2 26.6 16 6.6 16.4ZM18.8 6.6 18.3 36.6 14.7 36.6 14.8 6.6ZM16.9 17.3 13 24.9 7.7 29.9 5.1 26.9 10.2 22.7 14.3 15.9ZM19.1 16 22.9 21.6 27.8 25.2 25.4 28.4 20.3 24 16.5 17.6ZM35.7 7.4 35.4 27.5 30.4 37.4 27.2 35.8 31.6 26.5 31.9 7.4ZM31.9 6.8 55.3 6.3 55.2 29.8 56.8 32.4 56.5 32.7 56.6 29.4 59.4 29.4 59.5 35.3 55.2 36 51.4 31 51.5 10.1 31.9 10.4ZM39.9 14.4 50.7 30.4 47.7 32.4 36.9 16.4ZM50.3 15.7 39.6 33.4 36.4 31.4 47.3 13.9ZM16 45 48.2 44.5 48.2 48.5 16 48.8ZM34 40.8 33.7 57 29.9 57 30 40.8ZM6.2 55.7 57.9 55 57.9 59.2 6.2 59.5Z',
};

/** The shop's seal, drawn from its mark, or else from one to four Chinese characters. Decoration: the shop's name stands beside it. */
export function TicketMark({ shop }: { shop: Pick<AppContent, 'extras'> | undefined }) {
  const { seal = '' } = (shop?.extras ?? {}) as Partial<ShellExtras>;
  const characters = [...seal];
  if (characters.length === 0) return null;
  const mark = marks[seal];
  return (
    <svg width={56} height={56} viewBox="0 0 64 64" className="-rotate-3 text-clay" aria-hidden>
      <path
        d="M5 4.5Q32 2.5 59.5 4 61.5 32 59.5 60 32 61.5 4.5 59.5 2.5 32 5 4.5Z"
        fill="none"
        stroke="currentColor"
        strokeWidth={3.5}
        strokeLinejoin="round"
      />
      {mark && (
        <path d={mark} transform="translate(32 32) scale(.84) translate(-32 -32.6)" fill="currentColor" />
      )}
      {(mark ? [] : places[characters.length])?.map(([x, y], index) => (
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
