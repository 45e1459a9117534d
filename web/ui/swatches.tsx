import { cx } from '#ui/cx.ts';

/** A dot of a colour. An SVG `fill` needs no entry in the content security policy. */
export function Swatch({
  color,
  size = 14,
  className,
}: {
  color: string;
  size?: number;
  className?: string;
}) {
  return (
    <svg
      className={cx('flex-none overflow-visible forced-color-adjust-none', className)}
      width={size}
      height={size}
      viewBox="0 0 16 16"
      aria-hidden="true"
    >
      <circle cx="8" cy="8" r="7.5" className="stroke-ink/28" fill={color} strokeWidth="1" />
    </svg>
  );
}
