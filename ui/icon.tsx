/** Line icons, 24 × 24, stroke only, each a single path. These are part of every page; `page-icons.ts` has those of some pages. */
const iconPaths = {
  menu: 'M4 7h16M4 12h16M4 17h16',
  search: 'M10.5 4a6.5 6.5 0 1 0 0 13a6.5 6.5 0 1 0 0-13M15.5 15.5L20.5 20.5',
  bag: 'M5.5 8.5h13l1 12h-15zM9 10.5V7a3 3 0 0 1 6 0v3.5',
  close: 'M6 6l12 12M18 6L6 18',
  plus: 'M12 5v14M5 12h14',
  minus: 'M5 12h14',
  chevron: 'M6.5 9.5l5.5 5.5 5.5-5.5',
  'chevron-right': 'M9.5 6.5L15 12l-5.5 5.5',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  store:
    'M4.5 10.5v9h15v-9M3 10l2-5.5h14l2 5.5M3 10a3 3 0 0 0 6 0a3 3 0 0 0 6 0a3 3 0 0 0 6 0M10 19.5v-5h4v5',
  truck:
    'M5 17H3V6h11v11H9M14 9.5h3.5l3.5 3.5v4h-2M14 17h1M7 15a2 2 0 1 0 0 4a2 2 0 1 0 0-4M17 15a2 2 0 1 0 0 4a2 2 0 1 0 0-4',
  cup: 'M5 9h12v5a5 5 0 0 1-5 5h-2a5 5 0 0 1-5-5zM17 10.5h1.5a2.25 2.25 0 0 1 0 4.5H17M8.5 3c-.8 1 .8 2 0 3M12.5 3c-.8 1 .8 2 0 3M4 22h14',
  globe:
    'M12 3.5a8.5 8.5 0 1 0 0 17a8.5 8.5 0 1 0 0-17M3.5 12h17M12 3.5c2.6 2.4 3.6 5.2 3.6 8.5s-1 6.1-3.6 8.5c-2.6-2.4-3.6-5.2-3.6-8.5s1-6.1 3.6-8.5',
  zoom: 'M10.5 4a6.5 6.5 0 1 0 0 13a6.5 6.5 0 1 0 0-13M15.5 15.5L20.5 20.5M10.5 7.75v5.5M7.75 10.5h5.5',
  warning: 'M12 4L2.75 20h18.5zM12 10v4.5M12 17.25v.01',
  info: 'M12 3.5a8.5 8.5 0 1 0 0 17a8.5 8.5 0 1 0 0-17M12 11v5.5M12 7.75v.01',
  user: 'M12 4a4 4 0 1 0 0 8a4 4 0 1 0 0-8M4.5 20.5c.6-4 3.4-6 7.5-6s6.9 2 7.5 6',
  offline:
    'M3 9.5a13 13 0 0 1 3.5-2.3M10 6.1a13 13 0 0 1 11 3.4M6.2 13a8.5 8.5 0 0 1 3.6-2.1M14.5 11.2a8.5 8.5 0 0 1 3.3 1.8M9.5 16.4a4 4 0 0 1 5 0M12 19.5v.01M4 3l16 18',
  external: 'M13.5 4.5h6v6M19.5 4.5L11 13M17.5 14v5.5h-13v-13H10',
} as const;

export type IconPath = `M${string}`;

export type IconName = keyof typeof iconPaths | IconPath;

interface IconProps {
  name: IconName;
  label?: string;
  size?: number;
  className?: string;
}

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
