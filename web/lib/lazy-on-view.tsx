/** Views that load when they are scrolled to. */
import { type ComponentType, memo, type RefObject, Suspense, useEffect, useRef, useState } from 'react';
import type { LaterPart } from '#web/i18n/message-parts.ts';
import { type LazyView, type Load, viewLoader } from './lazy-with-preload.tsx';

/**
 * A view in a file of its own, with the messages of `part`, which load when it is near the window. Until then the server's markup
 * stays without scripts. Its props must stay the same until then, or React would remove the markup.
 */
export function lazyOnView<P extends object>(load: Load<P>, part?: LaterPart): LazyView<P> {
  const { useView, preload } = viewLoader(load, part);
  function OnView(props: P) {
    const place = useRef<HTMLDivElement>(null);
    const [{ promise, resolve }] = useState(() => Promise.withResolvers<void>());
    const View = useView(promise);
    useEffect(() => whenNear(place, resolve), [resolve]);
    return (
      <div ref={place} data-later>
        <Suspense fallback={null}>
          <View {...props} />
        </Suspense>
      </div>
    );
  }
  return Object.assign(memo(OnView) as unknown as ComponentType<P>, { preload });
}

/** How near to the window a view loads. */
const margin = '400px';

function whenNear({ current }: RefObject<HTMLElement | null>, then: () => void): (() => void) | undefined {
  if (!current) return;
  const observer = new IntersectionObserver((entries) => entries.some(({ isIntersecting }) => isIntersecting) && then(), {
    rootMargin: margin,
  });
  observer.observe(current);
  return () => observer.disconnect();
}
