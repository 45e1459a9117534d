import { useEffect, useState } from 'react';
import { lazyWithPreload } from '#web/lib/lazy-with-preload.tsx';
import type { ZoomDialogProps } from './zoom-view.tsx';

const ZoomDialog = lazyWithPreload(async () => (await import('./zoom-view.tsx')).ZoomDialog);

/** An image in full screen, at up to three times that size. */
export function Zoom(props: ZoomDialogProps) {
  useEffect(() => {
    // If it fails to load now, it is requested again when the view opens.
    ZoomDialog.preload().catch(() => {});
  }, []);
  // Once used it stays, so that it closes as it opened and returns the focus.
  const [used, setUsed] = useState(false);
  if (props.open && !used) setUsed(true);
  return used && <ZoomDialog {...props} />;
}
