import type { UseEmblaCarouselType } from 'embla-carousel-react';
import { useEffect, useState } from 'react';
import { limits } from '#contract/limits.ts';
import { prefersReducedMotion } from '#web/lib/media-query.ts';

/**
 * Advances `embla` after a slide has been shown for `delay` ms. Embla's own plugin resumes when the pointer leaves, even after
 * the customer pressed pause; here pause persists. Spread `hold` on the element that stops the slides while hovered or focused.
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
