import {
  type CSSProperties,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import { fittingUrl } from '#contract/media.ts';
import type { ImageInfo } from '#contract/schemas/common.ts';
import { IconButton } from '#ui/button.tsx';
import { cx } from '#ui/cx.ts';
import { useModal } from '#ui/dialog.tsx';
import { useT } from '#ui/i18n.tsx';
import type { IconPath } from '#ui/icon.tsx';
import { prefersReducedMotion } from '#ui/page.tsx';
import { isDark, Picture } from '#web/ui/picture.tsx';
import { largestScale, useZoom } from './use-zoom.ts';

const chevronLeftIcon: IconPath = 'M14.5 6.5L9 12l5.5 5.5';

export interface ZoomDialogProps {
  name: string;
  images: ImageInfo[];
  /** The index of what the gallery shows; a picture of the brand, which comes last, is not among the images. */
  current: number;
  open: boolean;
  onClose: () => void;
  /** The gallery: its items are the images, in the same order. */
  track: RefObject<HTMLElement | null>;
}

/** The images of a product, each as large as the window and up to three times that size. */
export function ZoomDialog({ open, onClose, current, track, name, images }: ZoomDialogProps) {
  const t = useT();
  const start = Math.min(current, images.length - 1);
  const hint = useId();
  const [shown, setShown] = useState(false);
  const [at, setAt] = useState(start);
  const modal = useModal(shown, onClose, false);

  // biome-ignore lint/correctness/useExhaustiveDependencies: only opening and closing start a transition
  useEffect(() => {
    if (open === shown) return;
    // The gallery then stands at the image that was looked at last.
    if (!open && at !== start)
      track.current?.scrollTo({ left: at * track.current.clientWidth, behavior: 'instant' });
    morphImage(track.current?.children[open ? start : at], open, () => {
      setShown(open);
      if (open) setAt(start);
    });
  }, [open]);

  return (
    <dialog
      {...modal}
      aria-label={t('product.gallery', { name })}
      aria-describedby={hint}
      className="fixed inset-0 h-dvh max-h-none w-screen max-w-none overflow-hidden bg-paper text-photo-ink [view-transition-name:zoom-viewer]"
    >
      <p id={hint} className="sr-only">
        {t('product.zoom.area')}
      </p>
      {shown && <Viewer {...{ name, images, track, at, onClose }} onShow={setAt} />}
    </dialog>
  );
}

interface ViewerProps extends Pick<ZoomDialogProps, 'name' | 'images' | 'onClose' | 'track'> {
  at: number;
  onShow: (index: number) => void;
}

const stepPx = 80;
const arrows: Record<string, readonly [x: number, y: number]> = {
  ArrowLeft: [stepPx, 0],
  ArrowRight: [-stepPx, 0],
  ArrowUp: [0, stepPx],
  ArrowDown: [0, -stepPx],
};
const scaleStep = 0.5;

function Viewer({ name, images, track, at, onShow, onClose }: ViewerProps) {
  const stage = useRef<HTMLDivElement>(null);
  const show = (index: number) => {
    zoom.reset();
    onShow((index + images.length) % images.length);
  };
  const zoom = useZoom(stage, { onTurn: (by) => images.length > 1 && show(at + by), onClose });
  const { scale } = zoom.view;
  const image = images[at];
  const key = (event: KeyboardEvent) => {
    const arrow = arrows[event.key];
    if (event.key === '+' || event.key === '=') zoom.zoomTo(scale + scaleStep);
    else if (event.key === '-') zoom.zoomTo(scale - scaleStep);
    else if (event.key === '0') zoom.reset();
    else if (arrow && scale > 1) zoom.move(...arrow);
    else if (arrow?.[0] && images.length > 1) show(at - Math.sign(arrow[0]));
    else return;
    event.preventDefault();
  };
  // The page behind keeps the room of its scroll bar, which nothing can be drawn over.
  useEffect(() => {
    const { style } = document.documentElement;
    style.scrollbarGutter = 'auto';
    return () => void style.removeProperty('scrollbar-gutter');
  }, []);
  if (!image) return null;
  const preview = previewOf(track.current, at) || fittingUrl(image, 160);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys of the whole dialog, beside buttons that do the same
    <div className="contents" onKeyDown={key}>
      <Backdrop image={image} preview={preview} />
      <div
        ref={stage}
        {...zoom.handlers}
        // A press on it must leave the focus in the dialog, which listens to keys.
        tabIndex={-1}
        className={cx(
          'absolute inset-0 grid touch-none select-none place-items-center',
          scale === 1 ? 'cursor-zoom-in' : zoom.held ? 'cursor-grabbing' : 'cursor-grab',
        )}
      >
        <div
          className={cx(imageClass, !zoom.held && 'transition-transform')}
          style={{
            transform: `translate(${zoom.view.x + zoom.swipe.x}px, ${zoom.view.y + zoom.swipe.y}px) scale(${scale})`,
          }}
        >
          <LargeImage key={image.imageURL} image={image} alt={image.alt ?? name} preview={preview} />
        </div>
      </div>
      <Controls
        {...{ images, at, scale, show, onClose }}
        onScale={zoom.zoomTo}
        isDark={isDark(image.color)}
      />
    </div>
  );
}

/** The file of an image that the gallery has loaded; '' if it has not. */
function previewOf(track: HTMLElement | null, index: number): string {
  return track?.children[index]?.querySelector('img')?.currentSrc ?? '';
}

/**
 * Continues the image to the edges of the window: its margins, stretched around the square that it fills, and all of it blurred.
 * Dimmed at night as the image is, so that both stay of one colour.
 */
function Backdrop({ image, preview }: Pick<LargeImageProps, 'image' | 'preview'>) {
  return (
    <div
      className="picture absolute inset-0 h-full overflow-hidden rounded-none"
      data-tone={isDark(image.color) ? 'dark' : undefined}
      style={{ backgroundColor: image.color }}
    >
      <div
        className="absolute -inset-16 [filter:blur(16px)]"
        style={{
          borderImage: `url("${preview}") 3% fill / max(4rem, 50svh - 50vw + 4rem) max(4rem, 50vw - 50svh + 4rem)`,
        }}
      />
    </div>
  );
}

interface LargeImageProps {
  image: ImageInfo;
  alt: string;
  preview: string;
}

/** The viewer's image has this name while the viewer is open; the image of the gallery before and after. */
const zoomedImageClass = '[view-transition-name:zoomed-image]';
/** Its edges fade into the backdrop where the window is longer than the square. */
const imageClass = cx(
  'relative aspect-square w-[min(100vw,100svh)] portrait:[mask-image:linear-gradient(#0000,#000_6%_94%,#0000)]',
  'landscape:[mask-image:linear-gradient(90deg,#0000,#000_6%_94%,#0000)]',
  zoomedImageClass,
);
const layerClass = 'picture absolute inset-0 h-full rounded-none object-contain';

/** An image at the largest size that the shop makes of it; until it has loaded, at the size that the gallery shows. */
function LargeImage({ image, alt, preview }: LargeImageProps) {
  const [loaded, setLoaded] = useState(false);
  const tone = isDark(image.color) ? 'dark' : undefined;
  return (
    <>
      <img src={preview} alt="" decoding="sync" draggable={false} data-tone={tone} className={layerClass} />
      <img
        src={fittingUrl(image, Number.POSITIVE_INFINITY)}
        alt={alt}
        draggable={false}
        data-tone={tone}
        onLoad={() => setLoaded(true)}
        className={cx(layerClass, 'transition-opacity', !loaded && 'opacity-0')}
      />
    </>
  );
}

interface ControlsProps extends Pick<ViewerProps, 'images' | 'at' | 'onClose'> {
  scale: number;
  onScale: (scale: number) => void;
  show: (index: number) => void;
  isDark: boolean;
}

const roundClass = 'pointer-events-auto bg-photo-paper/88 hover:bg-photo-paper aria-disabled:opacity-40';
/** Beside the image if the window is wide: at most half of what the square leaves, and at least one thumbnail. */
const sideClass =
  'pointer-events-auto flex flex-wrap justify-center gap-2 landscape:max-w-[max(3.5rem,calc(50vw-50svh-2rem))]';

function Controls({ images, at, scale, onScale, show, onClose, isDark }: ControlsProps) {
  const t = useT();
  const count = images.length;
  return (
    <div
      className="pointer-events-none absolute inset-0 flex flex-col justify-between p-4"
      // The focus rings lie on the image, which is the same by day and at night.
      style={{ '--color-focus': `var(--color-photo-${isDark ? 'paper' : 'ink'})` } as CSSProperties}
    >
      <div className="flex items-center justify-between">
        <p
          className={cx(
            'rounded-full bg-photo-paper/88 px-3 py-0.5 text-sm tabular-nums',
            count === 1 && 'invisible',
          )}
          aria-live="polite"
        >
          <span className="sr-only">{t('product.gallery.picture', { number: at + 1, count })}</span>
          <span aria-hidden>
            {at + 1} / {count}
          </span>
        </p>
        <IconButton icon="close" label={t('ui.close')} className={roundClass} onClick={onClose} />
      </div>
      <div className="flex flex-wrap items-end justify-center gap-4 landscape:flex-row-reverse landscape:justify-between">
        <ZoomButtons {...{ count, at, scale, onScale, show }} />
        {count > 1 && <Thumbnails {...{ images, at, show }} />}
      </div>
    </div>
  );
}

/** Buttons that change the scale and, among several images, the image. */
function ZoomButtons({
  count,
  at,
  scale,
  onScale,
  show,
}: Pick<ControlsProps, 'at' | 'scale' | 'onScale' | 'show'> & { count: number }) {
  const t = useT();
  return (
    <div className={sideClass}>
      {count > 1 && (
        <IconButton
          icon={chevronLeftIcon}
          label={t('product.zoom.previous')}
          className={roundClass}
          onClick={() => show(at - 1)}
        />
      )}
      <IconButton
        icon="minus"
        label={t('product.zoom.out')}
        className={roundClass}
        aria-disabled={scale === 1}
        onClick={() => onScale(scale - scaleStep)}
      />
      <IconButton
        icon="plus"
        label={t('product.zoom.in')}
        className={roundClass}
        aria-disabled={scale === largestScale}
        onClick={() => onScale(scale + scaleStep)}
      />
      {count > 1 && (
        <IconButton
          icon="chevron-right"
          label={t('product.zoom.next')}
          className={roundClass}
          onClick={() => show(at + 1)}
        />
      )}
    </div>
  );
}

function Thumbnails({ images, at, show }: Pick<ControlsProps, 'images' | 'at' | 'show'>) {
  const t = useT();
  return (
    <ul className={cx(sideClass, 'landscape:justify-start')}>
      {images.map((image, index) => (
        <li key={image.imageURL}>
          <button
            type="button"
            className="block w-14 overflow-hidden rounded-sm border-2 border-photo-paper"
            // Two rings: one of them stands out on any image.
            style={index === at ? { boxShadow: '0 0 0 3px var(--color-photo-ink)' } : { opacity: 0.7 }}
            aria-label={t('product.gallery.show', { number: index + 1 })}
            aria-current={index === at}
            onClick={() => show(index)}
          >
            <Picture image={image} shape="square" sizes="3.5rem" alt="" />
          </button>
        </li>
      ))}
    </ul>
  );
}

/** The viewer's image grows out of the image of the gallery, and shrinks back into it. Browser only. */
const durationMs = 220;
const zoomedImage = 'zoomed-image';

/**
 * Makes a change of state that opens or closes the viewer, as a view transition between the viewer's image and `place`, its image
 * in the gallery. Without a transition if the customer prefers reduced motion, or the browser has none.
 */
function morphImage(place: Element | undefined, opens: boolean, change: () => void): void {
  const moves =
    place instanceof HTMLElement &&
    !prefersReducedMotion() &&
    typeof document.startViewTransition === 'function';
  if (!moves) {
    change();
    return;
  }
  if (opens) place.style.viewTransitionName = zoomedImage;
  const { ready, finished, updateCallbackDone } = document.startViewTransition(() => {
    flushSync(change);
    // Only one element may have the name at a time.
    place.style.viewTransitionName = opens ? 'none' : zoomedImage;
  });
  const end = () => {
    if (!opens) forgetNames(place);
  };
  // A transition that is skipped, because the page is hidden for instance, has made its change.
  finished.then(end, end);
  updateCallbackDone.catch(() => {});
  ready.then(setDuration, () => {});
}

/** Another image than the one that the viewer opened with may have been closed. */
function forgetNames({ parentElement }: HTMLElement): void {
  for (const item of parentElement?.children ?? [])
    if (item instanceof HTMLElement) item.style.viewTransitionName = '';
}

function setDuration(): void {
  for (const { effect } of document.getAnimations()) {
    const isPart = effect instanceof KeyframeEffect && effect.pseudoElement?.startsWith('::view-transition');
    if (isPart) effect.updateTiming({ duration: durationMs });
  }
}
