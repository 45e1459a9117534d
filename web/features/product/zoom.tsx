import { useEffect } from 'react';
import { lazyWithPreload } from '#web/lib/lazy-with-preload.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import type { ZoomViewProps } from './zoom-view.tsx';

interface ZoomProps extends ZoomViewProps {
  open: boolean;
  onClose: () => void;
}

const ZoomView = lazyWithPreload(async () => (await import('./zoom-view.tsx')).ZoomView);

/** A picture as large as the screen, and up to three times that. */
export function Zoom({ open, onClose, ...view }: ZoomProps) {
  useEffect(() => {
    // Where it does not come now, it is asked for again when it is opened.
    ZoomView.preload().catch(() => {});
  }, []);
  return (
    <Dialog open={open} onClose={onClose} title={view.name} width="full">
      {open && <ZoomView {...view} />}
    </Dialog>
  );
}
