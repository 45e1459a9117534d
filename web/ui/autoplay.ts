import type { UseEmblaCarouselType } from 'embla-carousel-react';
import { useEffect, useState } from 'react';
import { prefersReducedMotion } from '#web/lib/media-query.ts';

/**
 * Moves `embla` on every `delay` ms. Embla's own plugin starts again when the pointer leaves, even
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
    const wait = () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        if (!document.hidden) embla.scrollNext();
        else wait();
      }, delay);
    };
    // A slide that the shopper dragged there has its full time too.
    embla.on('settle', wait).on('pointerUp', wait);
    wait();
    return () => {
      clearTimeout(timer);
      embla.off('settle', wait).off('pointerUp', wait);
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
