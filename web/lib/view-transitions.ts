/** View transitions between pages, as the router starts them. */
import type { AnyRouter } from '@tanstack/react-router';

/**
 * A transition that is overtaken by the next one, or skipped because nobody sees the page, is no
 * error; the router leaves those rejections to the console.
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
