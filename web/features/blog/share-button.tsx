import { useEffect, useRef, useState } from 'react';
import { announce } from '#ui/announce.tsx';
import { Button } from '#ui/button.tsx';
import { fieldLabelClass } from '#ui/field.tsx';
import { useT } from '#ui/i18n.tsx';
import { shareIcon } from '#ui/page-icons.ts';

/** Milliseconds for which the button confirms that the link was copied. */
const saidMs = 4000;

type State = 'idle' | 'copied' | 'byHand';

/** Shares a page with the device's own dialog; otherwise copies its link; otherwise shows it for copying by hand. */
export function ShareButton({ title, text }: { title: string; text: string }) {
  const t = useT();
  const [state, setState] = useState<State>('idle');
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (state === 'byHand') field.current?.select();
    if (state !== 'copied') return;
    const timer = setTimeout(() => setState('idle'), saidMs);
    return () => clearTimeout(timer);
  }, [state]);

  const share = async () => {
    const url = location.origin + location.pathname;
    if (typeof navigator.share === 'function') {
      const shared = await navigator.share({ title, text, url }).then(() => true, isOver);
      if (shared) return;
    }
    try {
      await navigator.clipboard.writeText(url);
      setState('copied');
      announce(t('blog.share.copied'));
    } catch {
      // Without TLS, or if the browser denies access to the clipboard.
      setState('byHand');
    }
  };

  return (
    <>
      <Button variant="secondary" icon={state === 'copied' ? 'check' : shareIcon} onClick={() => void share()}>
        {t(state === 'copied' ? 'blog.share.copied' : 'blog.share')}
      </Button>
      {state === 'byHand' && (
        <label className="flex min-w-0 basis-full flex-col gap-1.5">
          <span className={fieldLabelClass}>{t('blog.share.copy')}</span>
          <input ref={field} className="input" readOnly value={location.origin + location.pathname} />
        </label>
      )}
    </>
  );
}

/** A visitor who closes the device's dialog does not get another one. */
function isOver(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}
