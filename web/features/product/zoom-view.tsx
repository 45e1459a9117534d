import { type KeyboardEvent, type MouseEvent, useEffect, useRef, useState } from 'react';
import type { ImageInfo } from '#contract/schemas/common.ts';
import { useT } from '#web/i18n/i18n.tsx';
import { IconButton } from '#web/ui/button.tsx';
import { cx } from '#web/ui/cx.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import type { IconPath } from '#web/ui/icon-paths.ts';
import { Picture } from '#web/ui/picture.tsx';

const chevronLeftIcon: IconPath = 'M14.5 6.5L9 12l5.5 5.5';

export interface ZoomDialogProps extends ZoomViewProps {
  open: boolean;
  onClose: () => void;
}

/** The window, and in it the view while it is open. */
export function ZoomDialog({ open, onClose, ...view }: ZoomDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title={view.name} width="full">
      {open && <ZoomView {...view} />}
    </Dialog>
  );
}

interface ZoomViewProps {
  name: string;
  images: ImageInfo[];
  /** The image shown first. */
  start: number;
}

const largest = 3;
const areaClass = 'grid min-h-0 flex-1 touch-pan-x touch-pan-y touch-pinch-zoom overflow-auto [align-content:safe_center]';
const pictureClass = 'mx-auto w-[calc(var(--zoom)*min(100%,100dvh-11rem))]';
/** Classes rather than a style attribute: each style would need its hash in the content security policy. */
const scales: Record<number, string> = {
  1: 'cursor-zoom-in [--zoom:1]',
  1.5: 'cursor-zoom-out [--zoom:1.5]',
  2: 'cursor-zoom-out [--zoom:2]',
  2.5: 'cursor-zoom-out [--zoom:2.5]',
  3: 'cursor-zoom-out [--zoom:3]',
};

/**
 * Enlarges on double press, or by plus and minus; the enlarged image scrolls by dragging, wheel or arrow keys. Two fingers use
 * the browser's own zoom.
 */
function ZoomView({ name, images, start }: ZoomViewProps) {
  const t = useT();
  const area = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState(start);
  const [scale, setScale] = useState(1);
  /** The centre of the enlarged view, as fractions of the image's width and height. */
  const aim = useRef({ x: 0.5, y: 0.5 });
  const image = images[at];

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once the picture has its new size
  useEffect(() => {
    const { current } = area;
    if (!current) return;
    const { x, y } = aim.current;
    current.scrollTo(current.scrollWidth * x - current.clientWidth / 2, current.scrollHeight * y - current.clientHeight / 2);
  }, [scale, at]);

  const size = (next: number, x = 0.5, y = 0.5) => {
    aim.current = { x, y };
    setScale(Math.min(largest, Math.max(1, next)));
  };
  const turn = (by: number) => {
    size(1);
    setAt((index) => (index + by + images.length) % images.length);
  };
  const pressTwice = (event: MouseEvent<HTMLElement>) => {
    const { left, top, width, height } = event.currentTarget.getBoundingClientRect();
    size(scale > 1 ? 1 : 2, (event.clientX - left) / width, (event.clientY - top) / height);
  };
  const key = (event: KeyboardEvent) => {
    if (event.key === '+' || event.key === '=') size(scale + 0.5);
    else if (event.key === '-') size(scale - 0.5);
    else if (event.key === '0') size(1);
    else if (scale === 1 && images.length > 1 && event.key === 'ArrowRight') turn(1);
    else if (scale === 1 && images.length > 1 && event.key === 'ArrowLeft') turn(-1);
    else return;
    event.preventDefault();
  };

  if (!image) return null;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
      <section ref={area} className={areaClass} tabIndex={0} aria-label={t('product.zoom.area')} onKeyDown={key}>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: the buttons and keys do the same */}
        <div className={cx(pictureClass, scales[scale])} onDoubleClick={pressTwice}>
          <Picture key={image.imageURL} image={image} sizes={`${scale * 100}vmin`} alt={image.alt ?? name} priority />
        </div>
      </section>
      <div className="flex justify-center gap-2">
        {images.length > 1 && <IconButton icon={chevronLeftIcon} label={t('product.zoom.previous')} onClick={() => turn(-1)} />}
        <IconButton icon="minus" label={t('product.zoom.out')} disabled={scale === 1} onClick={() => size(scale - 0.5)} />
        <IconButton icon="plus" label={t('product.zoom.in')} disabled={scale === largest} onClick={() => size(scale + 0.5)} />
        {images.length > 1 && <IconButton icon="chevron-right" label={t('product.zoom.next')} onClick={() => turn(1)} />}
      </div>
    </>
  );
}
