import { numberFormat } from '#contract/formatters.ts';
import { inLocale, type Locale } from '#contract/locales.ts';
import type { Product } from '#contract/schemas/catalogue.ts';
import { useLocale } from '#ui/i18n.tsx';
import { type BrandTranslate, brandTranslate } from '../shared/messages.ts';
import type { Measured, Outline, ProductExtras, ProductSize } from '../shared/schemas.ts';

/** SVG paths in a box of 100 × 100 that they fill from edge to edge. */
export const outlinePaths: Record<Outline, string> = {
  box: 'M4 0H96Q100 0 100 3V97Q100 100 96 100H4Q0 100 0 97V3Q0 0 4 0Z',
  teapot:
    'M22 60C22 40 36 30 51 30S80 40 80 60S70 94 62 100H40C32 94 22 80 22 60ZM34 34C36 22 66 22 68 34M47 25C38 -8 64 -8 55 25M24 72C10 64 12 40 0 34L8 28C18 36 20 46 24 50M79 48C106 34 108 80 78 76',
  'side-handle-teapot':
    'M16 44C16 32 28 24 41 24S66 32 66 44C72 68 64 96 54 100H28C18 96 10 68 16 44ZM36 24C32 -8 50 -8 46 24M15 64C6 58 5 44 0 36L8 32C12 38 14 44 17 46M66 50L94 32Q100 36 100 48L68 68',
  mug: 'M0 0H72V88C72 96 68 100 60 100H12C4 100 0 96 0 88ZM72 18C104 10 114 72 72 76',
  cup: 'M0 0H100C100 58 86 100 64 100H36C14 100 0 58 0 0Z',
  tumbler: 'M6 0H94V12H100L88 100H12L0 12H6ZM0 12H100',
  gaiwan:
    'M14 38C18 22 36 16 42 14L40 0H60L58 14C64 16 82 22 86 38M8 38H92C88 66 76 86 66 88H34C24 86 12 66 8 38ZM0 84C10 96 24 100 34 100H66C76 100 90 96 100 84',
  pitcher:
    'M0 0H62C60 36 76 50 76 74C76 92 68 100 56 100H22C10 100 2 92 2 74C2 50 18 34 14 16ZM66 26C104 14 114 78 75 84',
  bowl: 'M0 0H100C98 50 78 86 66 90V100H34V90C22 86 2 50 0 0Z',
  plate: 'M0 0H100C92 60 78 80 70 80V100H30V80C22 80 8 60 0 0Z',
  tray: 'M0 0H5V60H95V0H100V84Q100 100 96 100H4Q0 100 0 84Z',
  vase: 'M38 0H62C60 24 66 32 82 46C106 66 104 92 76 100H24C-4 92 -6 66 18 46C34 32 40 24 38 0Z',
  'round-jar': 'M34 0H66V8C110 26 110 86 64 100H36C-10 86 -10 26 34 8Z',
  jar: 'M16 20H84C106 38 104 86 80 100H20C-4 86 -6 38 16 20ZM20 20C20 6 80 6 80 20M44 9V0H56V9',
  tin: 'M0 22H100V96Q100 100 96 100H4Q0 100 0 96ZM4 22V4Q4 0 9 0H91Q96 0 96 4V22',
  planter: 'M0 0H100V16H94L84 100H16L6 16H0ZM6 16H94',
  lamp: 'M24 0H76L100 46H0ZM45 46C45 62 30 66 30 84C30 94 36 100 42 100H58C64 100 70 94 70 84C70 66 55 62 55 46',
  'dome-lamp': 'M0 48C0 -16 100 -16 100 48ZM40 48V90C30 91 24 94 24 100H76C76 94 70 91 60 90V48',
  candle: 'M0 18C30 10 70 10 100 18V100H0ZM50 12V0',
  stand: 'M0 0H100V16H0ZM45 16V76C45 88 22 92 22 100H78C78 92 55 88 55 76V16',
  cloth: 'M0 0H100V100H0ZM0 88H100M0 84H100',
};

const frame = { width: 320, height: 200 };
/** The base line, and the room over it beside the line of the height. */
const base = 166;
const room = { width: 238, height: 152, gap: 28 };
/** For the line of the height and its measure, which is longest in Chinese: “23.5 厘米”. */
const left = 74;

export function ProductPicture({ product: { extras, nameContent } }: { product: Product }) {
  const name = inLocale(nameContent, useLocale());
  const { size } = (extras ?? {}) as ProductExtras;
  return (
    size && (
      <figure className="picture grid aspect-square place-content-center justify-items-center gap-3 p-6">
        <SizeDrawing name={name} size={size} />
        <SizeCaption size={size} />
      </figure>
    )
  );
}

/** A product to scale beside the shop's reference on one base line, with its width and height. 320 × 200. */
export function SizeDrawing({ name, size }: { name: string; size: ProductSize }) {
  const locale = useLocale();
  const t = brandTranslate(locale);
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

const shifted = (placed: Placed): Placed => ({ ...placed, x: left + placed.x });

interface SilhouetteProps {
  thing: Measured;
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

function centimetres(value: number, locale: Locale, t: BrandTranslate): string {
  return t('size.cm', { value: numberFormat(locale, { maximumFractionDigits: 1 }).format(value) });
}

function sizeInWords(
  name: string,
  { widthCm, heightCm, reference }: ProductSize,
  locale: Locale,
  t: BrandTranslate,
): string {
  const words = (of: string, thing: Pick<Measured, 'widthCm' | 'heightCm'>) =>
    t('size.words', {
      name: of,
      width: centimetres(thing.widthCm, locale, t),
      height: centimetres(thing.heightCm, locale, t),
    });
  return [
    words(name, { widthCm, heightCm }),
    ...(reference ? [words(inLocale(reference.name, locale), reference)] : []),
  ].join(' ');
}

/** Null without a reference. */
function SizeCaption({ size: { reference } }: { size: ProductSize }) {
  const locale = useLocale();
  const t = brandTranslate(locale);
  if (!reference) return null;
  return (
    <figcaption className="text-ink-soft text-sm">
      {t('size.nextTo', { name: inLocale(reference.name, locale) })}
    </figcaption>
  );
}

interface Room {
  width: number;
  height: number;
  gap: number;
}

interface Placed {
  x: number;
  width: number;
  height: number;
}

/** The largest scale at which all fit, in px per centimetre; the row is centred in the room. */
export function toScale(
  things: readonly Pick<Measured, 'widthCm' | 'heightCm'>[],
  { width, height, gap }: Room,
): Placed[] {
  const gaps = gap * (things.length - 1);
  const widthCm = things.reduce((sum, thing) => sum + thing.widthCm, 0);
  const tallest = Math.max(...things.map(({ heightCm }) => heightCm));
  const scale = Math.min((width - gaps) / widthCm, height / tallest);
  let x = (width - gaps - widthCm * scale) / 2;
  return things.map((thing) => {
    const placed = { x, width: thing.widthCm * scale, height: thing.heightCm * scale };
    x += placed.width + gap;
    return placed;
  });
}
