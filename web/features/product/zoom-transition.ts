/** The viewer's image grows out of the image of the gallery, and shrinks back into it. Browser only. */
import { flushSync } from 'react-dom';
import { prefersReducedMotion } from '#web/lib/media-query.ts';

const durationMs = 220;
/** The viewer's image has this name while the viewer is open; the image of the gallery before and after. */
export const zoomedImageClass = '[view-transition-name:zoomed-image]';
const zoomedImage = 'zoomed-image';

/**
 * Makes a change of state that opens or closes the viewer, as a view transition between the viewer's image and `place`, its image
 * in the gallery. Without a transition if the customer prefers reduced motion, or the browser has none.
 */
export function morphImage(place: Element | undefined, opens: boolean, change: () => void): void {
  const moves = place instanceof HTMLElement && !prefersReducedMotion() && typeof document.startViewTransition === 'function';
  if (!moves) {
    change();
    return;
  }
  if (opens) place.style.viewTransitionName = zoomedImage;
  const { ready, finished, updateCallbackDone } = document.startViewTransition(() => {
    flushSync(change);
    // Only one element may have the name at a time.
    place.style.viewTransitionName = opens ? 'none' : zoomedImage;
  });
  const end = () => {
    if (!opens) forgetNames(place);
  };
  // A transition that is skipped, because the page is hidden for instance, has made its change.
  finished.then(end, end);
  updateCallbackDone.catch(() => {});
  ready.then(setDuration, () => {});
}

/** Another image than the one that the viewer opened with may have been closed. */
function forgetNames({ parentElement }: HTMLElement): void {
  for (const item of parentElement?.children ?? []) if (item instanceof HTMLElement) item.style.viewTransitionName = '';
}

function setDuration(): void {
  for (const { effect } of document.getAnimations()) {
    const isPart = effect instanceof KeyframeEffect && effect.pseudoElement?.startsWith('::view-transition');
    if (isPart) effect.updateTiming({ duration: durationMs });
  }
}
