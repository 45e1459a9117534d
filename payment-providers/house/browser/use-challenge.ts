import { useRef, useState } from 'react';
import type { PaymentAction } from '#contract/schemas/payment.ts';
import { ApiError } from '#ui/errors.ts';
import { useApi } from '#web/lib/api.ts';

type Answer = 'done' | 'cancelled';

interface Asked {
  token: string;
  settle: (answer: Answer) => void;
}

export function useChallenge() {
  const api = useApi();
  const asked = useRef<Asked | null>(null);
  const [open, setOpen] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();

  const answer = (how: Answer) => {
    setOpen(false);
    asked.current?.settle(how);
    asked.current = null;
  };

  return {
    open,
    busy,
    error,
    ask: ({ token }: PaymentAction): Promise<Answer> =>
      new Promise((settle) => {
        asked.current = { token, settle };
        setError(undefined);
        setOpen(true);
      }),
    /** The dialog reports a wrong code. After any other error, the next request returns the payment's outcome. */
    submit: async (code: string): Promise<void> => {
      if (!asked.current) return;
      setBusy(true);
      setError(undefined);
      try {
        await api.call('houseChallenge', { body: { token: asked.current.token, code } });
        answer('done');
      } catch (cause) {
        const wrong = cause instanceof ApiError ? cause.body.errors?.code : undefined;
        if (wrong) setError(wrong);
        else answer('done');
      } finally {
        setBusy(false);
      }
    },
    cancel: () => answer('cancelled'),
  };
}
