import type { ReactNode } from 'react';
import type { ImageInfo } from '#contract/schemas/common.ts';
import { cx } from './cx.ts';
import { isDark } from './darkness.ts';
import { Frame } from './layout.tsx';
import { Picture } from './picture.tsx';

export interface HeroProps {
  image: ImageInfo;
  /** What the photograph shows, where the words on it do not say so. */
  alt?: string;
  /** One line. */
  title: ReactNode;
  /** The page's h1 where no other heading is, an h2 in a row of slides. */
  as?: 'h1' | 'h2';
  /** A second, quieter line. */
  children?: ReactNode;
  /** One `LinkButton`. */
  action?: ReactNode;
  priority?: boolean;
}

/** In an upright window the photograph is as high as the screen asks, and cut at its sides. */
const heroSizes = '(max-aspect-ratio: 4/5) 190vw, 100vw';

/**
 * Strong enough behind the words for 4.5 : 1 on any picture of that tone, gone where the products are. Its
 * middle is where the words begin, whose frame is centred on wide screens.
 */
const onLight =
  'text-photo-ink before:bg-[radial-gradient(ellipse_46rem_24rem_at_max(12%,50%_-_33.5rem)_8%,color-mix(in_srgb,var(--color-photo-paper)_72%,transparent),transparent)]';
const onDark =
  'text-photo-paper before:bg-[radial-gradient(ellipse_46rem_24rem_at_max(12%,50%_-_33.5rem)_8%,color-mix(in_srgb,var(--color-photo-ink)_72%,transparent),transparent)]';

/**
 * One photograph as wide as the window, one line and one button on it. The words take dark or light
 * letters as the photograph is light or dark, over an overlay of the other tone that fades away from them.
 */
export function Hero({ image, alt = '', title, as: Heading = 'h2', children, action, priority = false }: HeroProps) {
  return (
    <div className={cx('relative overflow-hidden before:absolute before:inset-0', isDark(image.color) ? onDark : onLight)}>
      <Picture
        image={image}
        sizes={heroSizes}
        priority={priority}
        className="h-[clamp(26rem,76svh,46rem)] rounded-none"
        alt={alt}
      />
      <Frame className="absolute inset-0 flex flex-col items-start gap-6 pt-[clamp(2rem,8svh,5.5rem)]">
        <Heading className="max-w-[13em] text-3xl">{title}</Heading>
        {/* On a phone it would lie on what the photograph shows. */}
        {children && <p className="max-w-[30em] text-lg max-product:hidden">{children}</p>}
        {action}
      </Frame>
    </div>
  );
}
