import { memo, useDeferredValue } from 'react';
import { lazyWithPreload } from '#web/lib/lazy-view.tsx';
import type { FilterProps } from './filter-groups.tsx';

type Props = FilterProps & { bar: boolean };

const Loaded = lazyWithPreload<Props>(async () => (await import('./filter-bar.tsx')).ListControls);
const Controls = memo(Loaded);

/** Links work before this code has loaded. Until then changes wait, since React would remove the server's markup. */
function WaitingControls(props: Props) {
  return <Controls {...useDeferredValue(props)} />;
}

export const ListControls = Object.assign(WaitingControls, { preload: Loaded.preload });

/** New arrivals in a file of their own, for lists: they show them only when a search finds nothing. */
export const NewProducts = lazyWithPreload(async () => (await import('./new-products.tsx')).NewProducts);
