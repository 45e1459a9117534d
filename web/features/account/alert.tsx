import { type ReactNode, useEffect, useState } from 'react';
import { Notice } from '#ui/notice.tsx';
import { Toast } from '#ui/toast.tsx';
import { clearTab, readTab, withKept, writeTab } from '#web/lib/tab-storage.ts';

export interface Alert {
  tone: 'good' | 'bad';
  title: string;
  text?: string;
  /** A form field shows the same text, and continues to show it. */
  besideField?: boolean;
  /** Called after it closes, for instance to open another page, where `LastAlert` shows the text again. */
  onClosed?: () => void;
}

interface UsedAlert {
  show: (alert: Alert) => void;
  clear: () => void;
  /** The alert and its placeholder. Put it last in the form, so that nothing moves when it appears. */
  alert: ReactNode;
}

/** SPEC §5, §9: an alert that closes after 2000 ms, waits while the pointer or focus is on it, and leaves its text in the page (WCAG 2.2.1). */
export function useAlert(): UsedAlert {
  const [shown, setShown] = useState<Alert & { turn: number; open: boolean }>();
  const show = (alert: Alert) => setShown((old) => ({ ...alert, turn: (old?.turn ?? 0) + 1, open: true }));
  const close = () => {
    if (!shown) return;
    setShown({ ...shown, open: false });
    if (!shown.onClosed) return;
    writeTab(key, { tone: shown.tone, title: shown.title, text: shown.text ?? '' });
    shown.onClosed();
  };
  const alert = shown && (
    <>
      {shown.open && (
        <Toast key={shown.turn} tone={shown.tone} title={shown.title} onClose={close}>
          {shown.text}
        </Toast>
      )}
      {!shown.besideField && !shown.onClosed && (
        // The placeholder is always there, so that the page does not move when the alert closes.
        <Notice silent tone={shown.tone} title={shown.title} className={shown.open ? 'invisible' : ''}>
          {shown.text}
        </Notice>
      )}
    </>
  );
  return { show, clear: () => setShown((old) => (old?.open ? old : undefined)), alert };
}

const key = 'alert';
const none = { tone: '', title: '', text: '' };

/** The text of the alert that led to this page, until the next page. Nothing if no alert did. */
export function LastAlert() {
  const [last, setLast] = useState(none);
  // Only after hydration: the server's page is the same for everybody.
  useEffect(() => {
    const stored = withKept(none, readTab(key));
    clearTab(key);
    if (stored.title) setLast(stored);
  }, []);
  if (!last.title) return null;
  return (
    <Notice silent tone={last.tone === 'bad' ? 'bad' : 'good'} title={last.title} className="mb-6">
      {last.text}
    </Notice>
  );
}
