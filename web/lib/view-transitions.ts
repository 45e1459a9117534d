/** Handles the view transitions that the router starts between pages. */
import type { AnyRouter } from '@tanstack/react-router';

/**
 * A transition that the next one overtakes, or that is skipped because the page is hidden, is not an error; the router leaves
 * those rejections unhandled.
 */
export function keepTransitionsQuiet(router: AnyRouter): void {
  router.startViewTransition = (update) => {
    const wanted = router.shouldViewTransition ?? router.options.defaultViewTransition;
    delete router.shouldViewTransition;
    if (!wanted || typeof document.startViewTransition !== 'function') return update();
    const { ready, finished, updateCallbackDone } = document.startViewTransition(update);
    for (const seen of [ready, finished]) seen.catch(() => {});
    return updateCallbackDone;
  };
}
