import { useT } from '#web/i18n/i18n.tsx';
import { cx } from './cx.ts';

/** A dot of a glaze's colour. Drawn, not styled: a `fill` needs no line in the content security policy. */
export function Swatch({ color, size = 14, className }: { color: string; size?: number; className?: string }) {
  return (
    <svg className={cx('dot', className)} width={size} height={size} viewBox="0 0 16 16" aria-hidden="true">
      <circle cx="8" cy="8" r="7.5" fill={color} strokeWidth="1" />
    </svg>
  );
}

export interface ColourSwatchesProps {
  colors: string[];
  /** More than this many are counted instead: "+2". */
  most?: number;
}

/** The colours a product comes in, on its card. */
export function ColourSwatches({ colors, most = 5 }: ColourSwatchesProps) {
  const t = useT();
  if (colors.length === 0) return null;
  const shown = colors.length > most ? colors.slice(0, most - 1) : colors;
  return (
    <span className="dots">
      <span className="sr-only">{t('ui.colours', { count: colors.length })}</span>
      {shown.map((color) => (
        <Swatch key={color} color={color} />
      ))}
      {shown.length < colors.length && <small aria-hidden="true">+{colors.length - shown.length}</small>}
    </span>
  );
}
