import { type ReactNode, useState } from 'react';
import { Toast } from '#web/ui/notice.tsx';

export interface Alert {
  tone: 'good' | 'bad';
  title: string;
  text?: string;
  /** What happens once it has closed. */
  onClosed?: () => void;
}

/**
 * SPEC §5, §9: an alert over the page that closes after 2000 ms. It is read out, and stays while the
 * pointer or focus is on it. Returns how to show one, and the alert to put on the page.
 */
export function useAlert(): [show: (alert: Alert) => void, alert: ReactNode] {
  const [shown, setShown] = useState<Alert & { turn: number }>();
  const show = (alert: Alert) => setShown((old) => ({ ...alert, turn: (old?.turn ?? 0) + 1 }));
  const close = () => {
    setShown(undefined);
    shown?.onClosed?.();
  };
  const element = shown && (
    <Toast key={shown.turn} tone={shown.tone} title={shown.title} onClose={close}>
      {shown.text}
    </Toast>
  );
  return [show, element];
}
