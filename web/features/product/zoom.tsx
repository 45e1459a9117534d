import { useEffect } from 'react';
import { lazyWithPreload } from '#web/lib/lazy-with-preload.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import type { ZoomViewProps } from './zoom-view.tsx';

interface ZoomProps extends ZoomViewProps {
  open: boolean;
  onClose: () => void;
}

const ZoomView = lazyWithPreload(async () => (await import('./zoom-view.tsx')).ZoomView);

/** An image in full screen, at up to three times that size. */
export function Zoom({ open, onClose, ...view }: ZoomProps) {
  useEffect(() => {
    // If it fails to load now, it is requested again when the view opens.
    ZoomView.preload().catch(() => {});
  }, []);
  return (
    <Dialog open={open} onClose={onClose} title={view.name} width="full">
      {open && <ZoomView {...view} />}
    </Dialog>
  );
}
