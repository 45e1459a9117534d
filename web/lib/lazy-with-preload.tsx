/** Views whose code loads separately from the page that contains them. */
import { type ComponentType, lazy, Suspense, useState } from 'react';

export type LazyView<P> = ComponentType<P> & {
  /** Loads the code, so that the view then renders at once; loaders await this, on the server as well. */
  preload: () => Promise<void>;
};

/**
 * A view in a file of its own. During hydration the server's markup stays until the file has loaded, or for good if it fails to
 * load; elsewhere nothing renders until then, unless it was preloaded.
 */
export function lazyWithPreload<P extends object>(load: () => Promise<ComponentType<P>>): LazyView<P> {
  let loaded: ComponentType<P> | undefined;
  const forever = () => new Promise<never>(() => {});
  function LazyBoundary(props: P) {
    // Cached: if the code arrived between two renders, a different component type would remount.
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
