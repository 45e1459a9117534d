import { useHydrated } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { Inventory } from '#contract/schemas/catalogue.ts';
import { Icon } from '#ui/icon.tsx';
import { SkeletonText } from '#ui/layout.tsx';
import { lazyWithPreload, useLoadPart } from '#web/lib/lazy-view.tsx';

/** The rows in their final height, which no page contains: what they say is asked for by the browser. */
const placeholder = (
  <>
    <p className="flex min-h-[2lh] gap-2 text-sm">
      <Icon name="truck" size={18} className="mt-0.5 text-ink-soft" />
      <SkeletonText lines={2} className="w-56" />
    </p>
    <p className="flex min-h-[2lh] gap-2 text-ink-soft text-sm wide:min-h-[1lh]">
      <Icon name="store" size={18} className="mt-0.5" />
      <SkeletonText lines={1} className="w-56" />
    </p>
  </>
);

const PromiseRows = lazyWithPreload(async () => (await import('./promise-rows.tsx')).PromiseRows, 'more', placeholder);

/** When a product arrives, and where it can be picked up. The code loads after the first view, as its answers do. */
export function Promises(props: { live: Inventory | undefined; ships: boolean }) {
  const hydrated = useHydrated();
  const loadPart = useLoadPart();
  useEffect(() => {
    // If it fails to load now, it is requested again as soon as the rows render.
    PromiseRows.preload(loadPart).catch(() => {});
  }, [loadPart]);
  return hydrated ? <PromiseRows {...props} /> : placeholder;
}
