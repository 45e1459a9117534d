import type { BlockOf } from '#contract/schemas/blocks.ts';
import { useT } from '#web/i18n/i18n.tsx';
import { Carousel } from '#web/ui/carousel.tsx';
import { LinkButton } from '#web/ui/link-button.tsx';
import { Picture } from '#web/ui/picture.tsx';
import type { BlockProps } from '../registry.ts';

type Slide = BlockOf<'imageSlider'>['slides'][number];

/** SPEC §2: slides that loop and go on by themselves. The first is the first screen of its page. */
export function ImageSliderBlock({ block, first }: BlockProps<'imageSlider'>) {
  const t = useT();
  if (block.slides.length === 0) return null;
  return (
    <Carousel className="hero" label={t('block.slides')} slides={block.slides} slideKey={({ image }) => image.imageURL} autoplay>
      {(slide, firstSlide) => <HeroSlide slide={slide} priority={first && firstSlide} />}
    </Carousel>
  );
}

/** One photograph, one line, one button. */
function HeroSlide({ slide, priority }: { slide: Slide; priority: boolean }) {
  return (
    <div className="hero-slide">
      <Picture
        image={slide.image}
        alt={slide.alt}
        sizes="(max-aspect-ratio: 4/5) 190vw, 100vw"
        priority={priority}
        className="hero-picture"
      />
      <div className="frame hero-words">
        <h2 className="hero-line">{slide.title}</h2>
        {slide.link && slide.linkLabel && (
          <LinkButton href={slide.link} className="hero-button">
            {slide.linkLabel}
          </LinkButton>
        )}
      </div>
    </div>
  );
}
