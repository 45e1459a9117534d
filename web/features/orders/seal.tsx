import { sealLetters } from '#contract/seal-letters.ts';

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

interface SealProps {
  name: string;
  /** px. */
  size?: number;
  /** The letters are cut into the colour, as on a maker's seal, instead of standing in a frame. */
  solid?: boolean;
}

/** A seal drawn from a name. Decoration: the name stands beside it. */
export function Seal({ name, size = 56, solid = false }: SealProps) {
  const letters = sealLetters(name);
  return (
    <svg width={size} height={size} viewBox="0 0 64 64" className="-rotate-3 text-clay" aria-hidden>
      <path
        d="M5 4.5Q32 2.5 59.5 4 61.5 32 59.5 60 32 61.5 4.5 59.5 2.5 32 5 4.5Z"
        fill={solid ? 'currentColor' : 'none'}
        stroke="currentColor"
        strokeWidth={3.5}
        strokeLinejoin="round"
      />
      {letters.map((letter, index) => {
        const [x, y] = places[letters.length]?.[index] ?? [32, 33];
        return (
          <text
            key={`${x} ${y}`}
            x={x}
            y={y}
            className="font-serif"
            fontSize={letters.length === 1 ? 36 : 24}
            fontWeight={600}
            textAnchor="middle"
            dominantBaseline="central"
            fill={solid ? 'var(--color-raised)' : 'currentColor'}
          >
            {letter}
          </text>
        );
      })}
    </svg>
  );
}
