import type { ReactNode } from 'react';
import type { ImageInfo } from '#contract/schemas/common.ts';
import { cx } from './cx.ts';
import { isDark } from './darkness.ts';
import { Frame } from './layout.tsx';
import { Picture } from './picture.tsx';

export interface HeroProps {
  image: ImageInfo;
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

/**
 * One photograph as wide as the window, one line and one button on it. The words take dark or light
 * letters as the photograph is light or dark, over a veil of the other tone that fades away from them.
 */
export function Hero({ image, title, as: Heading = 'h2', children, action, priority = false }: HeroProps) {
  return (
    <div className={cx('hero', isDark(image.color) && 'hero-dark')}>
      <Picture image={image} sizes="100vw" priority={priority} className="hero-picture" alt="" />
      <Frame className="hero-words">
        <Heading className="hero-title">{title}</Heading>
        {children && <p className="hero-text">{children}</p>}
        {action}
      </Frame>
    </div>
  );
}
