import useEmblaCarousel, { type UseEmblaCarouselType } from 'embla-carousel-react';
import { type ReactNode, useContext, useEffect, useState } from 'react';
import { limits } from '#contract/limits.ts';
import { srcSet } from '#contract/media.ts';
import type { ImageInfo } from '#contract/schemas/common.ts';
import { IconButton, LinkButton } from '#ui/button.tsx';
import { cx } from '#ui/cx.ts';
import { useT } from '#ui/i18n.tsx';
import { Frame } from '#ui/layout.tsx';
import { prefersReducedMotion } from '#ui/page.tsx';
import { BlockId, type BlockProps, LinkText } from '#web/blocks/block-view.tsx';
import { pauseIcon, playIcon } from '#web/ui/play-icons.ts';
import { isDark, Picture } from '../../web/ui/picture.tsx';

/** SPEC §2: slides that loop and advance automatically. The first slide fills the first screen of its page. */
export function ImageSliderBlock({ block, first }: BlockProps<'imageSlider'>) {
  const t = useT();
  if (block.slides.length === 0) return null;
  return (
    <Carousel
      label={t('block.slides')}
      slides={block.slides}
      slideKey={({ image }) => image.imageURL}
      autoplay
      intervalMs={block.intervalMs}
    >
      {(slide, firstSlide) => (
        <Hero
          image={slide.image}
          upright={slide.upright}
          evening={slide.evening}
          uprightEvening={slide.uprightEvening}
          alt={slide.alt}
          title={slide.title}
          priority={first && firstSlide}
          action={
            slide.link && (
              <LinkButton href={slide.link}>
                <LinkText href={slide.link}>
                  {slide.linkLabel || t('block.seeMoreOf', { name: slide.title })}
                </LinkText>
              </LinkButton>
            )
          }
        >
          {slide.text}
        </Hero>
      )}
    </Carousel>
  );
}

interface HeroProps {
  image: ImageInfo;
  upright?: ImageInfo | undefined;
  /** The photo in dark mode. It is a dark one: the text on it is light. */
  evening?: ImageInfo | undefined;
  uprightEvening?: ImageInfo | undefined;
  /** The text alternative of the photo, if the words on it do not describe it. */
  alt?: string;
  title: ReactNode;
  /** The page's h1 if there is no other heading, an h2 in a row of slides. */
  as?: 'h1' | 'h2';
  children?: ReactNode;
  action?: ReactNode;
  priority?: boolean;
}

const portrait = '(max-aspect-ratio: 4/5)';
const dark = '(prefers-color-scheme: dark)';
/** In a portrait window a wide photo has the height of the screen and is cropped at its sides. */
const heroSizes = `${portrait} 190vw, 100vw`;

/** One line and one button on a photo, with a veil of the opposite tone. A browser loads one of the photos given. */
export function Hero(props: HeroProps) {
  const { image, evening, alt = '', title, as: Heading = 'h2', children, action, priority = false } = props;
  return (
    <div className={cx('hero', isDark(image.color) && 'hero-dark', evening && 'hero-evening')}>
      <picture className="contents">
        {sourcesOf(props).map(({ media, photo, sizes = '100vw' }) => (
          <source key={media} media={media} srcSet={srcSet(photo)} sizes={sizes} />
        ))}
        <Picture
          image={image}
          sizes={heroSizes}
          priority={priority}
          className="h-[clamp(26rem,74svh,52rem)] rounded-none"
          alt={alt}
        />
      </picture>
      <Frame className="absolute inset-0 flex flex-col items-start gap-6 pt-[clamp(2rem,8svh,5.5rem)]">
        <Heading className="max-w-[13em] whitespace-pre-line text-3xl menu:max-w-[min(13em,50%)]">
          {title}
        </Heading>
        {children && <p className="max-w-[22em] product:max-w-[30em] product:text-lg">{children}</p>}
        {action}
      </Frame>
    </div>
  );
}

/** The photos for dark mode and portrait windows. A browser takes the first that fits. */
function sourcesOf({ upright, evening, uprightEvening }: HeroProps) {
  return [
    ...(uprightEvening ? [{ media: `${dark} and ${portrait}`, photo: uprightEvening }] : []),
    ...(evening ? [{ media: dark, photo: evening, sizes: heroSizes }] : []),
    ...(upright ? [{ media: portrait, photo: upright }] : []),
  ];
}

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
    <section
      {...hold}
      data-block={useContext(BlockId)}
      className={cx('relative', className)}
      aria-roledescription="carousel"
      aria-label={label}
    >
      <div className="overflow-hidden" ref={view}>
        <div className="flex [touch-action:pan-y_pinch-zoom]" aria-live={playing ? 'off' : 'polite'}>
          {slides.map((slide, index) => (
            // biome-ignore lint/a11y/useSemanticElements: a slide is a group of the carousel pattern
            <div
              key={slideKey?.(slide) ?? index}
              className="min-w-0 flex-[0_0_100%]"
              role="group"
              aria-roledescription="slide"
              aria-label={
                many ? t('ui.carousel.slide', { number: index + 1, count: slides.length }) : undefined
              }
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

function Dots({
  count,
  current,
  onPick,
}: {
  count: number;
  current: number;
  onPick: (index: number) => void;
}) {
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
