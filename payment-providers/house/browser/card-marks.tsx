import { brandNames, type CardBrand } from './card-text.ts';

/** The letters on each mark. Mastercard's mark has two circles instead. */
const letters: Record<Exclude<CardBrand, 'mastercard'>, string> = {
  visa: 'VISA',
  amex: 'AMEX',
  discover: 'DISC',
  unionpay: 'UP',
  jcb: 'JCB',
  diners: 'DC',
};

const markColors: Record<CardBrand, string> = {
  visa: '#1a1f71',
  mastercard: '#252525',
  amex: '#1f6fb5',
  discover: '#8a4a12',
  unionpay: '#0b6b6b',
  jcb: '#0e4c96',
  diners: '#3a4d63',
};

/** 38 × 24 px. Its colours do not follow the page's theme. */
export function BrandMark({ brand }: { brand: CardBrand }) {
  return (
    <svg width={38} height={24} viewBox="0 0 38 24" role="img" aria-label={brandNames[brand]}>
      <rect width={38} height={24} rx={3} fill={markColors[brand]} />
      {brand === 'mastercard' ? (
        <g>
          <circle cx={15.5} cy={12} r={7} fill="#eb001b" />
          <circle cx={22.5} cy={12} r={7} fill="#f79e1b" fillOpacity={0.9} />
        </g>
      ) : (
        <text x={19} y={16} textAnchor="middle" fontSize={11} fontWeight={700} fontFamily="Arial, sans-serif" fill="#fff">
          {letters[brand]}
        </text>
      )}
    </svg>
  );
}

/** On the back, or on the front of American Express. */
export function CodeMark({ front }: { front: boolean }) {
  return (
    <svg width={56} height={36} viewBox="0 0 56 36" fill="none" stroke="currentColor" strokeWidth={1.5} aria-hidden>
      <rect x={1} y={1} width={50} height={34} rx={4} />
      {front ? <path d="M7 23h22M7 28h14" /> : <path d="M1 9.5h50" strokeWidth={5} />}
      <path d={front ? 'M35 12h10' : 'M8 21h20'} />
      <path d={front ? 'M36 12h1m2 0h1m2 0h1' : 'M37 21h1m3 0h1m3 0h1'} strokeWidth={2.5} strokeLinecap="round" />
      <rect className="text-action" x={31} y={front ? 5.5 : 14.5} width={20} height={13} rx={6.5} strokeWidth={2} />
    </svg>
  );
}
