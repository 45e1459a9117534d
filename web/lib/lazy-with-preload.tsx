/** Views whose code comes after that of the page they stand on. */
import { type ComponentType, lazy, Suspense, useState } from 'react';

export type LazyView<P> = ComponentType<P> & {
  /** Brings its code, so that it then shows at once: what loads a page awaits this, on the server as well. */
  preload: () => Promise<void>;
};

/**
 * A view that is a file of its own. Of a page from the server its markup stands there meanwhile, for good
 * where the file does not come; anywhere else nothing does, unless it was preloaded.
 */
export function lazyWithPreload<P extends object>(load: () => Promise<ComponentType<P>>): LazyView<P> {
  let loaded: ComponentType<P> | undefined;
  const forever = () => new Promise<never>(() => {});
  function LazyBoundary(props: P) {
    // Kept: when the code comes between two renderings, another component would begin anew.
    const [View] = useState<ComponentType<P>>(() => loaded ?? lazy(() => load().then((view) => ({ default: view }), forever)));
    return (
      <Suspense fallback={null}>
        <View {...props} />
      </Suspense>
    );
  }
  const preload = async () => {
    loaded ??= await load();
  };
  return Object.assign(LazyBoundary, { preload });
}
