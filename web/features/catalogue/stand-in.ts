/**
 * What is on the screen between a press and the page that it leads to. From a card, its picture and its name stand where the
 * product's page has them, within the next frame; on the way back, the list stands as it was left. Both are plain elements over the
 * page, made before the router begins, and go once the page itself is drawn. No page needs them: they load when the browser is idle.
 */
import type { AnyRouter } from '@tanstack/react-router';
import { splitLocale } from '#contract/locales.ts';
import { isPlainClick, prefersReducedMotion } from '#ui/page.tsx';

/** A stand-in goes by then, whatever became of the page that it stands for, ms. */
const longestMs = 8000;
const flightMs = 200;

/** A list as it was left, for the way back to its history entry. Only the latest: others are drawn by the router as ever. */
interface LeftList {
  entry: unknown;
  path: string;
  top: number;
  copy: HTMLElement;
}
let left: LeftList | undefined;

/** Lets the cards of `list` open at once. Returns a function that ends this. */
export function openAtOnce(router: AnyRouter, list: HTMLElement): () => void {
  const pressed = (event: MouseEvent) => {
    const link = (event.target as Element).closest('a');
    const card = link?.closest<HTMLElement>('[data-item]');
    if (!link || !card || !isPlainClick(event) || event.defaultPrevented) return;
    const { pathname } = splitLocale(link.pathname);
    if (!pathname.startsWith('/product/')) return;
    const page = pageOf(card);
    if (!page) return;
    event.preventDefault();
    const { picture } = page;
    cover(router, page.element, () => showUnder(picture));
    if (!prefersReducedMotion()) fly(picture, page.from);
    // Either would delay the frame that shows it.
    afterPaint(() => {
      keepList(router);
      void router.navigate({ href: pathname + link.search, viewTransition: false });
    });
  };
  list.addEventListener('click', pressed, true);
  followBack(router);
  return () => list.removeEventListener('click', pressed, true);
}

function afterPaint(then: () => void): void {
  requestAnimationFrame(() => setTimeout(then));
}

function element(tag: string, className: string, ...children: (Element | string)[]): HTMLElement {
  const made = document.createElement(tag);
  made.className = className;
  made.append(...children);
  return made;
}

/** The product's page as far as its card knows it, in the classes of `routes/product.$id.tsx`. Null while the image is not loaded. */
function pageOf(card: HTMLElement) {
  const shown = card.querySelector<HTMLImageElement>('.product-card-picture img');
  const name = card.querySelector('.product-card-name')?.textContent;
  if (!shown?.complete || shown.naturalWidth === 0 || !name) return null;
  const from = shown.getBoundingClientRect();
  const picture = shown.cloneNode() as HTMLImageElement;
  picture.removeAttribute('sizes');
  picture.removeAttribute('srcset');
  picture.src = shown.currentSrc;
  // A line for the breadcrumbs, and one for the brand.
  const line = (className: string) => element('p', className, '\u00a0');
  const heading = element('header', '', line('text-sm'), element('h1', 'mt-1', name));
  const track = element('ul', 'gallery-track', element('li', '', picture));
  track.style.overflow = 'visible';
  const content = element(
    'div',
    'mx-auto w-full px-gutter max-w-frame pt-4',
    line('py-1.5 text-sm/[1.4]'),
    element('div', 'product-top', element('div', 'gallery', track), element('div', 'product-buy', heading)),
  );
  return { element: content, picture, from };
}

/** Moves the picture from its place in the list to that in the page. */
function fly(picture: HTMLElement, from: DOMRect): void {
  const to = picture.getBoundingClientRect();
  if (to.width === 0) return;
  const start = `translate(${from.left - to.left}px, ${from.top - to.top}px) scale(${from.width / to.width})`;
  picture.animate(
    [
      { transform: start, transformOrigin: '0 0' },
      { transform: 'none', transformOrigin: '0 0' },
    ],
    {
      duration: flightMs,
      easing: 'cubic-bezier(0.2, 0.7, 0.2, 1)',
    },
  );
}

/** The page's own image is larger, and may still be loading when the stand-in goes. */
function showUnder(picture: HTMLImageElement): void {
  const image = document.querySelector<HTMLImageElement>('main .gallery img');
  if (image && !image.complete && fileOf(image.src) === fileOf(picture.src))
    image.style.background = `center / cover url("${picture.src}")`;
}

const fileOf = (url: string) => url.slice(url.lastIndexOf('/') + 1);

/** Takes away the stand-in that is there. */
let endCurrent = () => {};

/** Lays `content` over the page until the router has drawn the next one. */
function cover(router: AnyRouter, content: HTMLElement, gone: () => void): void {
  endCurrent();
  const over = element('div', '', content);
  // Inert is the content alone: a press goes through what is inert, to the page that nobody sees below it.
  content.inert = true;
  // Under the header and whatever opens.
  over.style.cssText =
    'position:fixed;inset:var(--header-height) 0 0;z-index:25;overflow:hidden;background:var(--color-paper)';
  over.ariaHidden = 'true';
  document.body.append(over);
  // It moves what there is to move: a transition would show the page only after its own pictures of both were taken.
  const { defaultViewTransition = false } = router.options;
  router.options.defaultViewTransition = false;
  const end = () => {
    router.options.defaultViewTransition = defaultViewTransition;
    stop();
    clearTimeout(timer);
    endCurrent = () => {};
    gone();
    // The router has restored the place by the next frame.
    requestAnimationFrame(() => over.remove());
  };
  // A page whose data are still awaited may be drawn as a skeleton.
  const stop = router.subscribe('onRendered', () => router.state.status !== 'pending' && end());
  const timer = setTimeout(end, longestMs);
  endCurrent = end;
}

const entryOf = (state: unknown) => (state as { __TSR_index?: unknown } | null)?.__TSR_index;

/** Copies what is on the screen of a list that is left. */
function keepList(router: AnyRouter): void {
  const main = document.getElementById('main');
  if (!main) return;
  const copy = main.cloneNode(true) as HTMLElement;
  copy.removeAttribute('id');
  for (const carried of copy.querySelectorAll<HTMLElement>('[style*=view-transition]'))
    carried.style.viewTransitionName = 'none';
  const images = copy.querySelectorAll('img');
  for (const [index, image] of main.querySelectorAll('img').entries()) {
    const { top, bottom } = image.getBoundingClientRect();
    // A copy of what is on the screen is drawn with its frame.
    if (bottom > 0 && top < innerHeight)
      Object.assign(images[index] ?? {}, { loading: 'eager', decoding: 'sync' });
  }
  for (const named of copy.querySelectorAll('[id]')) named.removeAttribute('id');
  left = { entry: entryOf(router.state.location.state), path: location.pathname, top: scrollY, copy };
}

let follows = false;

/** Once a page, before the router hears of it. */
function followBack(router: AnyRouter): void {
  if (follows) return;
  follows = true;
  const back = ({ state }: PopStateEvent) => {
    if (!left || entryOf(state) !== left.entry || location.pathname !== left.path) return;
    const { copy, top } = left;
    left = undefined;
    copy.style.cssText = `position:absolute;inset:${-top}px 0 auto`;
    cover(router, copy, () => {});
  };
  addEventListener('popstate', back, true);
}
