import type { ReactNode } from 'react';
import { srcSet } from '#contract/media.ts';
import type { ImageInfo } from '#contract/schemas/common.ts';
import { LinkButton } from '#ui/button.tsx';
import { cx } from '#ui/cx.ts';
import { useT } from '#ui/i18n.tsx';
import { Frame } from '#ui/layout.tsx';
import { type BlockProps, LinkText } from '#web/blocks/block-view.tsx';
import { Carousel } from '#web/ui/carousel.tsx';
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
                <LinkText href={slide.link}>{slide.linkLabel || t('block.seeMoreOf', { name: slide.title })}</LinkText>
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
          className="h-[clamp(26rem,82svh,52rem)] rounded-none"
          alt={alt}
        />
      </picture>
      <Frame className="absolute inset-0 flex flex-col items-start gap-6 pt-[clamp(2rem,8svh,5.5rem)]">
        <Heading className="max-w-[13em] text-3xl menu:max-w-[min(13em,50%)]">{title}</Heading>
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
