import { LinkButton } from '#ui/button.tsx';
import { useT } from '#ui/i18n.tsx';
import type { BlockProps } from '#web/blocks/block-view.ts';
import { LinkText } from '#web/blocks/link-text.tsx';
import { Carousel } from '#web/ui/carousel.tsx';
import { Hero } from '#web/ui/hero.tsx';

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
