import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { useT } from '#ui/i18n.tsx';
import { TextField } from '#ui/inputs.tsx';
import { Notice } from '#ui/notice.tsx';
import { houseChallengeCode } from '../values.ts';

interface ChallengeDialogProps {
  open: boolean;
  /** With its currency. */
  amount: string;
  /** Shows the correct code. */
  demonstration: boolean;
  error: string | undefined;
  busy: boolean;
  onSubmit: (code: string) => void;
  onCancel: () => void;
}

export function ChallengeDialog({ open, amount, demonstration, error, busy, onSubmit, onCancel }: ChallengeDialogProps) {
  const t = useT();
  const form = useId();
  const [code, setCode] = useState('');
  const [missing, setMissing] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (open) setCode('');
    setMissing(false);
  }, [open]);
  useEffect(() => {
    if (error) input.current?.focus();
  }, [error]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // React events of this form bubble into the payment form, which contains it in the component tree.
    event.stopPropagation();
    const typed = code.trim();
    setMissing(typed === '');
    if (typed === '') input.current?.focus();
    else if (!busy) onSubmit(typed);
  };
  return (
    <Dialog
      role="alertdialog"
      open={open}
      onClose={onCancel}
      title={t('payment.challenge.title')}
      actions={
        <>
          <Button variant="secondary" onClick={onCancel}>
            {t('payment.challenge.cancel')}
          </Button>
          <Button type="submit" form={form} busy={busy}>
            {t('payment.challenge.confirm')}
          </Button>
        </>
      }
    >
      <p>{t('payment.challenge.text', { amount })}</p>
      {demonstration && <Notice silent>{t('payment.challenge.demo', { code: houseChallengeCode })}</Notice>}
      <form id={form} noValidate onSubmit={submit}>
        <TextField
          ref={input}
          label={t('payment.challenge.code')}
          value={code}
          onChange={(event) => setCode(event.target.value)}
          error={missing ? t('payment.challenge.codeMissing') : error}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={10}
        />
      </form>
    </Dialog>
  );
}
