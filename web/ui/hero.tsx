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
 * One photograph as wide as the window, one line and one button on it. The words take dark or light
 * letters as the photograph is light or dark, over an overlay of the other tone that fades away from them.
 */
export function Hero({ image, alt = '', title, as: Heading = 'h2', children, action, priority = false }: HeroProps) {
  return (
    <div className={cx('hero', isDark(image.color) && 'hero-dark')}>
      <Picture image={image} sizes={heroSizes} priority={priority} className="hero-picture" alt={alt} />
      <Frame className="hero-words">
        <Heading className="hero-title">{title}</Heading>
        {children && <p className="hero-text">{children}</p>}
        {action}
      </Frame>
    </div>
  );
}
