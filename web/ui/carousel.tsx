import useEmblaCarousel, { type UseEmblaCarouselType } from 'embla-carousel-react';
import { type ReactNode, useEffect, useState } from 'react';
import { limits } from '#contract/limits.ts';
import { IconButton } from '#ui/button.tsx';
import { cx } from '#ui/cx.ts';
import { useT } from '#ui/i18n.tsx';
import { prefersReducedMotion } from '#ui/page.tsx';
import { pauseIcon, playIcon } from './play-icons.ts';

interface CarouselProps<T> {
  label: string;
  slides: T[];
  slideKey?: (slide: T) => string;
  children: (slide: T, first: boolean) => ReactNode;
  /** Advances automatically (SPEC §9: every 2000 ms, unless `intervalMs` differs) until paused. */
  autoplay?: boolean;
  intervalMs?: number | undefined;
  className?: string;
}

/** Embla's `duration` is the weight of its spring: with 33 a slide has moved 99 % of its way in 1000 ms at 60 fps (SPEC §9). 0 jumps. */
const spring = 33;
/** A target of 28 px, of which 8 px are visible. */
const dotClass = cx(
  'grid h-9 w-7 place-items-center',
  'before:size-2 before:rounded-full before:border before:border-ink before:transition-[background-color] aria-[current=true]:before:bg-ink',
  'forced-colors:aria-[current=true]:before:bg-[Highlight] forced-colors:aria-[current=true]:before:forced-color-adjust-none',
);
const still = { '(prefers-reduced-motion: reduce)': { duration: 0 } };

/** A single slide has no dots (SPEC §2). Autoplay waits under pointer or focus, not under reduced motion, and has a button (WCAG 2.2.2). */
export function Carousel<T>({
  label,
  slides,
  slideKey,
  children,
  autoplay = false,
  intervalMs = limits.sliderAutoplayMs,
  className,
}: CarouselProps<T>) {
  const t = useT();
  const many = slides.length > 1;
  const [view, embla] = useEmblaCarousel({ loop: many, active: many, duration: spring, breakpoints: still });
  const at = useSlideInView(embla);
  const { playing, toggle, hold } = useAutoplay(autoplay && many, intervalMs, embla);

  return (
    <section {...hold} className={cx('relative', className)} aria-roledescription="carousel" aria-label={label}>
      <div className="overflow-hidden" ref={view}>
        <div className="flex touch-pan-y touch-pinch-zoom" aria-live={playing ? 'off' : 'polite'}>
          {slides.map((slide, index) => (
            // biome-ignore lint/a11y/useSemanticElements: a slide is a group of the carousel pattern
            <div
              key={slideKey?.(slide) ?? index}
              className="min-w-0 flex-[0_0_100%]"
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
        <div className="absolute inset-x-0 bottom-4 mx-auto flex w-fit items-center justify-center gap-1 rounded-full bg-paper/88 px-1.5 py-0.5 text-ink print:hidden">
          {autoplay && (
            <IconButton
              icon={playing ? pauseIcon : playIcon}
              className="size-9"
              label={t(playing ? 'ui.carousel.pause' : 'ui.carousel.play')}
              onClick={toggle}
            />
          )}
          <Dots count={slides.length} current={at} onPick={(index) => embla?.scrollTo(index)} />
        </div>
      )}
    </section>
  );
}

function Dots({ count, current, onPick }: { count: number; current: number; onPick: (index: number) => void }) {
  const t = useT();
  return (
    <div className="flex">
      {[...Array(count).keys()].map((index) => (
        <button
          key={index}
          type="button"
          className={dotClass}
          aria-label={t('ui.carousel.goTo', { number: index + 1, count })}
          aria-current={index === current}
          onClick={() => onPick(index)}
        />
      ))}
    </div>
  );
}

function useSlideInView(embla: UseEmblaCarouselType[1]): number {
  const [at, setAt] = useState(0);
  useEffect(() => {
    if (!embla) return;
    const select = () => setAt(embla.selectedScrollSnap());
    embla.on('select', select).on('reInit', select);
    return () => {
      embla.off('select', select).off('reInit', select);
    };
  }, [embla]);
  return at;
}

/** Embla's own plugin resumes when the pointer leaves, even after pause was pressed; here pause persists. `hold` stops while hovered or focused. */
function useAutoplay(wanted: boolean, delay: number, embla: UseEmblaCarouselType[1]) {
  const [playing, setPlaying] = useState(wanted);
  const [hovered, setHovered] = useState(false);
  const [focused, setFocused] = useState(false);

  useEffect(() => {
    setPlaying(wanted && !prefersReducedMotion());
  }, [wanted]);

  useEffect(() => {
    if (!playing || hovered || focused || !embla) return;
    let timer: ReturnType<typeof setTimeout>;
    const wait = (ms: number) => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        if (document.hidden) wait(delay);
        else embla.scrollNext();
      }, ms);
    };
    // However a slide was reached, its full time starts once it is in place.
    const waitFromMove = () => wait(limits.sliderSpeedMs + delay);
    embla.on('select', waitFromMove).on('pointerUp', waitFromMove);
    wait(delay);
    return () => {
      clearTimeout(timer);
      embla.off('select', waitFromMove).off('pointerUp', waitFromMove);
    };
  }, [playing, hovered, focused, embla, delay]);

  return {
    playing,
    toggle: () => setPlaying((was) => !was),
    hold: {
      // A touch has no pointer that could leave later.
      onPointerEnter: (event: { pointerType: string }) => setHovered(event.pointerType === 'mouse'),
      onPointerLeave: () => setHovered(false),
      onFocus: () => setFocused(true),
      onBlur: () => setFocused(false),
    },
  };
}
