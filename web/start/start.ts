/**
 * The one inline script of a page (docs/decisions/0075): it runs in the head, before the page's other scripts are requested. It
 * requests the personal answers at once, the scripts as soon as the page is drawn with its largest image, and records presses of
 * buttons until the scripts can act on them. Its text is the same on every page, so that the content security policy can name its
 * hash; what differs is in `data-` attributes. `web/lib/page-state.ts` reads what it recorded.
 *
 * It is built by itself, so it imports nothing.
 */
/** The headers of every call; the build inserts them. */
declare const CALL_HEADERS: Record<string, string>;

{
  /** Milliseconds from here after which the scripts are requested, whether the page has been drawn or not. */
  const patienceMs = 250;
  const { scripts = '', calls = '' } = document.currentScript?.dataset ?? {};

  /** Milliseconds after which a call has failed, as in `web/lib/api.ts`. */
  const timeoutMs = 20_000;
  /** Milliseconds for which an answer may wait for the code that needs it. The cart is as fresh as that elsewhere. */
  const freshMs = 10_000;

  const answers = new Map<string, Promise<Response>>();
  for (const url of calls.split(' ').filter(Boolean)) {
    const answer = fetch(url, {
      credentials: 'same-origin',
      headers: CALL_HEADERS,
      signal: AbortSignal.timeout(timeoutMs),
    });
    answers.set(url, answer);
    // Whoever takes it handles the error; without a handler until then, the browser would report one.
    answer.catch(() => {}).then(() => setTimeout(() => answers.delete(url), freshMs));
  }

  let requested = false;
  const requestScripts = () => {
    if (requested) return;
    requested = true;
    for (const href of scripts.split(' ')) {
      document.head.append(
        Object.assign(document.createElement('link'), { rel: 'modulepreload', fetchPriority: 'low', href }),
      );
    }
    // The entry reads the page's state, which is at the end of the page. A script added by a script does not wait for that.
    if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', run);
    else run();
  };
  const run = () => {
    const [src = ''] = scripts.split(' ');
    document.head.append(
      Object.assign(document.createElement('script'), { type: 'module', fetchPriority: 'low', src }),
    );
  };

  // Two frames later the image is drawn, but a busy machine may not have shown a frame by then; the browser records the first.
  const afterPaint = () =>
    requestAnimationFrame(() =>
      requestAnimationFrame(performance.getEntriesByType('paint').length > 0 ? requestScripts : afterPaint),
    );
  document.addEventListener('DOMContentLoaded', () => {
    const image = document.querySelector<HTMLImageElement>('img[fetchpriority=high]');
    if (!image || image.complete) afterPaint();
    else {
      image.addEventListener('load', afterPaint);
      image.addEventListener('error', requestScripts);
    }
  });
  setTimeout(requestScripts, patienceMs);

  const pressed = new Set<HTMLButtonElement>();
  /** On a slow line it takes seconds until a press acts: until then the button says that it was pressed. */
  const show = (button: HTMLButtonElement, isPressed: boolean) => {
    button.toggleAttribute('data-pressed', isPressed);
    if (isPressed) button.setAttribute('aria-busy', 'true');
    else button.removeAttribute('aria-busy');
  };
  const press = (event: Event) => {
    requestScripts();
    const button = event.target instanceof Element ? event.target.closest('button') : null;
    // A form with an address works without scripts. Any other would send its fields to the page's own address.
    if (!button || button.form?.hasAttribute('action')) return;
    event.preventDefault();
    pressed.add(button);
    show(button, true);
  };
  addEventListener('click', press, true);

  window.pageStart = {
    answers,
    takePresses() {
      removeEventListener('click', press, true);
      // React expects the button as the server rendered it.
      for (const button of pressed) show(button, false);
      return [...pressed];
    },
  };
}
