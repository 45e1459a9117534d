import useEmblaCarousel from 'embla-carousel-react';
import { type ReactNode, useEffect, useState } from 'react';
import { limits } from '#contract/limits.ts';
import { useT } from '#web/i18n/i18n.tsx';
import { useAutoplay } from './autoplay.ts';
import { IconButton } from './button.tsx';
import { cx } from './cx.ts';

export interface CarouselProps<T> {
  /** What the slides are about, in words. */
  label: string;
  slides: T[];
  /** `key` of a slide, its place otherwise. */
  slideKey?: (slide: T) => string;
  /** `first` is in sight when the page comes. */
  children: (slide: T, first: boolean) => ReactNode;
  /** Goes on by itself (SPEC §9: every 2000 ms) until paused. */
  autoplay?: boolean;
  className?: string;
}

/**
 * Embla's `duration` is no time but the weight of its spring: with 33 a slide has gone 99 % of its way
 * in 1000 ms at 60 frames a second (SPEC §9). With 0 it jumps.
 */
const spring = 33;
const still = { '(prefers-reduced-motion: reduce)': { duration: 0 } };

/**
 * Slides that loop. Fewer than two neither loop nor move nor have dots (SPEC §2). Autoplay waits while
 * the pointer or focus is on it or the page is hidden, does not begin under reduced motion, and has a
 * button to stop it (WCAG 2.2.2).
 */
export function Carousel<T>({ label, slides, slideKey, children, autoplay = false, className }: CarouselProps<T>) {
  const t = useT();
  const many = slides.length > 1;
  const [view, embla] = useEmblaCarousel({ loop: many, active: many, duration: spring, breakpoints: still });
  const [at, setAt] = useState(0);
  const { playing, toggle, hold } = useAutoplay(autoplay && many, limits.sliderAutoplayMs, embla);

  useEffect(() => {
    if (!embla) return;
    const select = () => setAt(embla.selectedScrollSnap());
    embla.on('select', select).on('reInit', select);
    return () => {
      embla.off('select', select).off('reInit', select);
    };
  }, [embla]);

  return (
    <section {...hold} className={cx('carousel', className)} aria-roledescription="carousel" aria-label={label}>
      <div className="carousel-view" ref={view}>
        <div className="carousel-track" aria-live={playing ? 'off' : 'polite'}>
          {slides.map((slide, index) => (
            // biome-ignore lint/a11y/useSemanticElements: a slide is a group of the carousel pattern
            <div
              key={slideKey?.(slide) ?? index}
              className="carousel-slide"
              role="group"
              aria-roledescription="slide"
              aria-label={many ? t('ui.carousel.slide', { number: index + 1, count: slides.length }) : undefined}
              inert={index !== at}
            >
              {children(slide, index === 0)}
            </div>
          ))}
        </div>
      </div>
      {many && (
        <div className="carousel-controls">
          {autoplay && (
            <IconButton
              icon={playing ? 'pause' : 'play'}
              label={t(playing ? 'ui.carousel.pause' : 'ui.carousel.play')}
              onClick={toggle}
            />
          )}
          <div className="carousel-dots">
            {slides.map((slide, index) => (
              <button
                key={slideKey?.(slide) ?? index}
                type="button"
                className="carousel-dot"
                aria-label={t('ui.carousel.goTo', { number: index + 1, count: slides.length })}
                aria-current={index === at}
                onClick={() => embla?.scrollTo(index)}
              />
            ))}
          </div>
        </div>
      )}
    </section>
  );
}
