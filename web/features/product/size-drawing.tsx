import { numberFormat } from '#contract/formatters.ts';
import { inLocale, type Locale } from '#contract/locales.ts';
import type { Measured, ProductSize } from '#contract/schemas/measures.ts';
import type { Translate } from '#contract/translate.ts';
import { useLocale, useT } from '#ui/i18n.tsx';
import { outlinePaths } from './outlines.ts';
import { type Placed, toScale } from './scale.ts';

const frame = { width: 320, height: 200 };
/** The base line, and the room over it beside the line of the height. */
const base = 166;
const room = { width: 238, height: 152, gap: 28 };
/** For the line of the height and its measure, which is longest in Chinese: “23.5 厘米”. */
const left = 74;

/** A product to scale beside the shop's reference on one base line, with its width and height. 320 × 200. */
export function SizeDrawing({ name, size }: { name: string; size: ProductSize }) {
  const t = useT();
  const locale = useLocale();
  const { reference } = size;
  const [product, beside] = toScale(reference ? [size, reference] : [size], room);
  if (!product) return null;
  return (
    <svg
      role="img"
      aria-label={sizeInWords(name, size, locale, t)}
      viewBox={`0 0 ${frame.width} ${frame.height}`}
      width={frame.width}
      height={frame.height}
      className="h-auto max-w-full"
      fill="none"
      stroke="var(--color-edge)"
      strokeWidth="1.5"
      fontSize="13"
    >
      <path d={`M${left - 10} ${base}H${frame.width}`} stroke="var(--color-line)" />
      <Silhouette thing={size} placed={shifted(product)} base={base} />
      {reference && beside && <Silhouette thing={reference} placed={shifted(beside)} base={base} faint />}
      <Measures
        placed={shifted(product)}
        width={centimetres(size.widthCm, locale, t)}
        height={centimetres(size.heightCm, locale, t)}
      />
    </svg>
  );
}

/** Right of the line of the height. */
const shifted = (placed: Placed): Placed => ({ ...placed, x: left + placed.x });

interface SilhouetteProps {
  thing: Measured;
  /** In the drawing, not in the room. */
  placed: Placed;
  base: number;
  faint?: boolean;
}

function Silhouette({ thing, placed: { x, width, height }, base, faint = false }: SilhouetteProps) {
  return (
    <path
      d={outlinePaths[thing.outline]}
      transform={`matrix(${round(width / 100)} 0 0 ${round(height / 100)} ${round(x)} ${round(base - height)})`}
      vectorEffect="non-scaling-stroke"
      fill={faint ? undefined : 'var(--color-raised)'}
      strokeDasharray={faint ? '3 3' : undefined}
    />
  );
}

/** The lines of the width, under the base line, and of the height, on the left, with their measures. */
function Measures({ placed, width, height }: { placed: Placed; width: string; height: string }) {
  const start = round(placed.x);
  const end = round(start + placed.width);
  const top = round(base - placed.height);
  const at = round(start - 10);
  return (
    <>
      <path
        d={`M${start} ${base + 8}H${end}M${start} ${base + 4}v8M${end} ${base + 4}v8M${at} ${base}V${top}M${at - 4} ${top}h8M${at - 4} ${base}h8`}
      />
      <g fill="var(--color-ink-soft)" stroke="none">
        <text x={round((start + end) / 2)} y={base + 28} textAnchor="middle">
          {width}
        </text>
        <text x={at - 8} y={round((base + top) / 2 + 4)} textAnchor="end">
          {height}
        </text>
      </g>
    </>
  );
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

function centimetres(value: number, locale: Locale, t: Translate): string {
  return t('size.cm', { value: numberFormat(locale, { maximumFractionDigits: 1 }).format(value) });
}

/** The measures of the drawing for those who do not see it. */
function sizeInWords(name: string, { widthCm, heightCm, reference }: ProductSize, locale: Locale, t: Translate): string {
  const words = (of: string, thing: Pick<Measured, 'widthCm' | 'heightCm'>) =>
    t('size.words', {
      name: of,
      width: centimetres(thing.widthCm, locale, t),
      height: centimetres(thing.heightCm, locale, t),
    });
  return [
    words(name, { widthCm, heightCm }),
    ...(reference ? [words(inLocale(reference.nameContent, locale), reference)] : []),
  ].join(' ');
}

/** The text under a drawing; null without a reference. */
export function SizeCaption({ size: { reference } }: { size: ProductSize }) {
  const t = useT();
  const locale = useLocale();
  if (!reference) return null;
  return (
    <figcaption className="text-ink-soft text-sm">
      {t('size.nextTo', { name: inLocale(reference.nameContent, locale) })}
    </figcaption>
  );
}
