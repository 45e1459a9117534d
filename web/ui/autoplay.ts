import type { UseEmblaCarouselType } from 'embla-carousel-react';
import { useEffect, useState } from 'react';
import { limits } from '#contract/limits.ts';
import { prefersReducedMotion } from '#web/lib/media-query.ts';

/**
 * Moves `embla` on when a slide has stood for `delay` ms. Embla's own plugin starts again when the pointer leaves, even
 * after the shopper pressed pause; here pressing pause holds. Spread `hold` on the element that, while
 * pointed at or focused in, keeps its slide.
 */
export function useAutoplay(wanted: boolean, delay: number, embla: UseEmblaCarouselType[1]) {
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
    // A slide, however it came, has its full time once it stands.
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
      // A finger leaves no pointer behind that could ever leave again.
      onPointerEnter: (event: { pointerType: string }) => setHovered(event.pointerType === 'mouse'),
      onPointerLeave: () => setHovered(false),
      onFocus: () => setFocused(true),
      onBlur: () => setFocused(false),
    },
  };
}
