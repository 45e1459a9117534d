import { inLocale } from '#contract/locales.ts';
import type { Product } from '#contract/schemas/catalogue.ts';
import type { Measured } from '#contract/schemas/measures.ts';
import { useLocale, useT } from '#web/i18n/i18n.tsx';
import { toScale } from './scale.ts';
import { centimetres, Silhouette } from './size-drawing.tsx';

const frame = { width: 480, height: 240 };
const base = 200;
const room = { width: 460, height: 170, gap: 24 };
const left = 10;

interface Piece extends Measured {
  name: string;
  /** '' for the reference. */
  label: string;
}

/** Products to scale on one base line, with the shop's reference at the end. Those without measures are left out. */
export function ComparedSizes({ products }: { products: Product[] }) {
  const t = useT();
  const locale = useLocale();
  const pieces = products.flatMap(({ nameContent, size }, index): Piece[] =>
    size ? [{ ...size, name: inLocale(nameContent, locale), label: String(index + 1) }] : [],
  );
  const reference = products.find(({ size }) => size?.reference)?.size?.reference;
  if (pieces.length === 0) return null;
  const things = [...pieces, ...(reference ? [{ ...reference, name: inLocale(reference.nameContent, locale), label: '' }] : [])];
  const words = things.map(({ name, widthCm, heightCm }) =>
    t('size.words', { name, width: centimetres(widthCm, locale, t), height: centimetres(heightCm, locale, t) }),
  );
  const placed = toScale(things, room);
  return (
    <figure className="grid justify-items-center gap-3">
      <svg
        role="img"
        aria-label={words.join(' ')}
        viewBox={`0 0 ${frame.width} ${frame.height}`}
        className="w-full max-w-text"
        fill="none"
        stroke="var(--color-edge)"
        strokeWidth="1.5"
        fontSize="15"
      >
        <path d={`M0 ${base}H${frame.width}`} stroke="var(--color-line)" />
        {things.map((thing, index) => {
          const at = placed[index];
          if (!at) return null;
          const middle = Math.round(left + at.x + at.width / 2);
          return (
            <g key={`${thing.label}${thing.name}`}>
              <Silhouette thing={thing} placed={{ ...at, x: left + at.x }} base={base} faint={thing.label === ''} />
              <g fill="var(--color-ink-soft)" stroke="none" textAnchor="middle">
                <text x={middle} y={Math.round(base - at.height - 8)}>
                  {centimetres(thing.heightCm, locale, t)}
                </text>
                <text x={middle} y={base + 22}>
                  {thing.label}
                </text>
              </g>
            </g>
          );
        })}
      </svg>
      {reference && (
        <figcaption className="text-ink-soft text-sm">
          {t('size.nextTo', { name: inLocale(reference.nameContent, locale) })}
        </figcaption>
      )}
    </figure>
  );
}
