import { useEffect, useState } from 'react';
import { useLoadPart } from '#web/i18n/i18n.tsx';
import { lazyWithPreload } from '#web/lib/lazy-with-preload.tsx';
import type { ZoomDialogProps } from './zoom-view.tsx';

const ZoomDialog = lazyWithPreload(async () => (await import('./zoom-view.tsx')).ZoomDialog, 'more');

/** An image in full screen, at up to three times that size. */
export function Zoom(props: ZoomDialogProps) {
  const loadPart = useLoadPart();
  useEffect(() => {
    // If it fails to load now, it is requested again when the view opens.
    ZoomDialog.preload(loadPart).catch(() => {});
  }, [loadPart]);
  // Once used it stays, so that it closes as it opened and returns the focus.
  const [used, setUsed] = useState(false);
  if (props.open && !used) setUsed(true);
  return used && <ZoomDialog {...props} />;
}
