import { useState } from 'react';
import { lazyWithPreload } from '#web/lib/lazy-view.tsx';
import type { ZoomDialogProps } from './zoom-view.tsx';

export const ZoomDialog = lazyWithPreload(async () => (await import('./zoom-view.tsx')).ZoomDialog, 'more');

/** The images in full screen, from the first time that they are opened: it then closes as it opened and returns the focus. */
export function Zoom(props: ZoomDialogProps) {
  const [used, setUsed] = useState(false);
  if (props.open && !used) setUsed(true);
  return used && <ZoomDialog {...props} />;
}
