import { type IconName, iconPaths } from './icon-paths.ts';

export type { IconName };

export interface IconProps {
  name: IconName;
  /** The accessible name. Leave it out if a text beside the icon says the same. */
  label?: string;
  /** Edge length in px; 24 by default. */
  size?: number;
  className?: string;
}

/** A line icon in the colour of the surrounding text. */
export function Icon({ name, label, size = 24, className }: IconProps) {
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: named by aria-label; a title would show as a tooltip
    <svg
      className={className ? `flex-none ${className}` : 'flex-none'}
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={size < 20 ? 2 : 1.5}
      strokeLinecap="round"
      strokeLinejoin="round"
      {...(label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true })}
    >
      <path d={name in iconPaths ? iconPaths[name as keyof typeof iconPaths] : name} />
    </svg>
  );
}
