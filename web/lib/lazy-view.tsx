import {
  type ComponentType,
  lazy,
  memo,
  type ReactNode,
  type RefObject,
  Suspense,
  useDeferredValue,
  useEffect,
  useRef,
  useState,
} from 'react';
import type { LaterPart } from '#web/i18n/message-parts.ts';
import { loadPart } from '#web/i18n/messages.ts';

export type LazyView<P> = ComponentType<P> & {
  /** Loads the code, so that the view then renders at once; loaders await this, on the server as well, which does not wait later. */
  preload: () => Promise<unknown>;
};

type Load<P> = () => Promise<ComponentType<P>>;

const forever = () => new Promise<never>(() => {});

/** During hydration the server's markup stays until the file has loaded, or for good if it fails to; elsewhere `fallback` renders until then. */
export function lazyWithPreload<P extends object>(
  load: Load<P>,
  part?: LaterPart,
  fallback: ReactNode = null,
): LazyView<P> {
  const { useView, isLoaded, preload } = viewLoader(load, part);
  /** Unless its props change it does not render again, which would be an update of the boundary. */
  const Boundary = memo(({ View, inner }: { View: ComponentType<P>; inner: P }) => (
    <Suspense fallback={fallback}>
      <View {...inner} />
    </Suspense>
  ));
  function LazyBoundary(props: P) {
    const View = useView();
    // An update before the file is there would make React take the server's markup out, and put the fallback in its place; one that
    // is deferred waits for the file.
    const steady = useDeferredValue(props);
    return <Boundary View={View} inner={isLoaded() ? props : steady} />;
  }
  return Object.assign(LazyBoundary, { preload });
}

/** The code loads as soon as opening is likely. If it fails to load, it is requested again when the view renders. */
export function whenLikely({ preload }: Pick<LazyView<never>, 'preload'>) {
  const load = () => void preload().catch(() => {});
  return { onPointerEnter: load, onFocus: load };
}

function viewLoader<P extends object>(load: Load<P>, part: LaterPart | undefined) {
  let loaded: ComponentType<P> | undefined;
  /** The view is kept, so that a page that is returned to has its height at once, and its scroll position. */
  const preload = async () => {
    if (!loaded) [loaded] = await Promise.all([load(), part && loadPart(part)]);
    return { default: loaded };
  };
  /** The view, which starts loading once `start` is resolved. */
  const useView = (start?: Promise<void>): ComponentType<P> => {
    // Cached: if the code arrived between two renders, a different component type would remount.
    const [View] = useState<ComponentType<P>>(
      () =>
        loaded ??
        lazy(async () => {
          await start;
          return preload().catch(forever);
        }),
    );
    return View;
  };
  return { useView, isLoaded: () => loaded !== undefined, preload };
}

/** Loads when it is near the window; the server's markup stays until then. Its props must stay the same until then, or React removes it. */
export function lazyOnView<P extends object>(load: Load<P>, part?: LaterPart): LazyView<P> {
  const { useView, preload } = viewLoader(load, part);
  function OnView(props: P) {
    const place = useRef<HTMLDivElement>(null);
    const [near] = useState(newSignal);
    const View = useView(near.given);
    useEffect(() => whenNear(place, near.give), [near]);
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

function newSignal() {
  let give = () => {};
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give };
}

const margin = '400px';

function whenNear({ current }: RefObject<HTMLElement | null>, then: () => void): (() => void) | undefined {
  if (!current) return;
  const observer = new IntersectionObserver(
    (entries) => entries.some(({ isIntersecting }) => isIntersecting) && then(),
    {
      rootMargin: margin,
    },
  );
  observer.observe(current);
  return () => observer.disconnect();
}
