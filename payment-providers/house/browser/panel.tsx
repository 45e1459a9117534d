import { type FormEvent, useEffect, useId, useImperativeHandle, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { isClean } from '#contract/rules/fields.ts';
import { cardErrors } from '#contract/rules/payment.ts';
import type { PaymentAction } from '#contract/schemas/payment.ts';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { ApiError, fieldTexts } from '#ui/errors.ts';
import { formatMoney } from '#ui/format.ts';
import { useLocale, useT } from '#ui/i18n.tsx';
import { TextField } from '#ui/inputs.tsx';
import { Notice } from '#ui/notice.tsx';
import type { PanelProps } from '#web/features/payment/provider-panel.ts';
import { useApi } from '#web/lib/api.ts';
import { gatewayName, houseCards, houseChallengeCode } from '../values.ts';
import { CardForm, type CardValue, emptyCard } from './card-form.tsx';
import { groupCardNumber } from './card-text.ts';

/** docs/how-to/payments.md; the most useful ones for visitors first. */
const others = [
  { number: houseCards.challenge, does: 'payment.demo.challenge' },
  { number: houseCards.decline, does: 'payment.demo.decline' },
  { number: houseCards.codeInvalid, does: 'payment.demo.codeInvalid' },
  { number: houseCards.expired, does: 'payment.demo.expired' },
  { number: houseCards.notAuthorized, does: 'payment.demo.notAuthorized' },
  { number: houseCards.unavailable, does: 'payment.demo.unavailable' },
  { number: houseCards.slow, does: 'payment.demo.slow' },
  { number: houseCards.answerLost, does: 'payment.demo.answerLost' },
] as const;

const path = (name: string) => `paymentInstrucment.${name}`;

export default function HousePanel({
  ref,
  order,
  errors,
  onErrors,
  onEdit,
  onState,
  demonstration,
}: PanelProps) {
  const t = useT();
  const locale = useLocale();
  const [card, setCard] = useState<CardValue>(emptyCard);
  const challenge = useChallenge();
  useEffect(() => onState('ready'), [onState]);
  useImperativeHandle(ref, () => ({
    async prepare() {
      const found = cardErrors(card, Date.now());
      onErrors(fieldTexts(found, t));
      if (!isClean(found)) return null;
      return (api, agreed) =>
        api.call('postBilling', { params: { gatewayName }, body: { paymentInstrucment: card, ...agreed } });
    },
    act: challenge.ask,
  }));
  const thisYear = new Date().getFullYear();
  const edit = (changes: Partial<CardValue>) => {
    setCard((old) => ({ ...old, ...changes }));
    onEdit(Object.keys(changes).map(path));
  };
  return (
    <>
      {demonstration && <TestCards thisYear={thisYear} onUse={edit} />}
      <CardForm value={card} errors={errors} onChange={edit} />
      {createPortal(
        <ChallengeDialog
          open={challenge.open}
          amount={formatMoney(order.bill.total, locale, order.bill.currency)}
          demonstration={demonstration}
          error={challenge.error}
          busy={challenge.busy}
          onSubmit={(code) => void challenge.submit(code)}
          onCancel={challenge.cancel}
        />,
        document.body,
      )}
    </>
  );
}

type Answer = 'done' | 'cancelled';

interface Asked {
  token: string;
  settle: (answer: Answer) => void;
}

function useChallenge() {
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

function ChallengeDialog({
  open,
  amount,
  demonstration,
  error,
  busy,
  onSubmit,
  onCancel,
}: ChallengeDialogProps) {
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
          <Button label={t('payment.challenge.cancel')} variant="secondary" onClick={onCancel} />
          <Button label={t('payment.challenge.confirm')} type="submit" form={form} busy={busy} />
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

function TestCards({ thisYear, onUse }: { thisYear: number; onUse: (card: CardValue) => void }) {
  const t = useT();
  const use = (number: string) =>
    onUse({
      cardHolderName: t('payment.demo.holder'),
      creditCardNumber: groupCardNumber(number),
      cardCode: '123',
      expirationMonth: '12',
      expirationYear: String(thisYear + 2).slice(-2),
    });
  return (
    <div className="-mt-3 text-sm">
      <p className="flex flex-wrap items-center gap-x-2">
        {t('payment.demo.title')}
        <Button
          label={t('payment.demo.fill')}
          variant="quiet"
          size="small"
          onClick={() => use(houseCards.approve)}
        />
      </p>
      <details>
        <summary className="link inline-block cursor-pointer py-1">{t('payment.demo.more')}</summary>
        <CardList onUse={use} />
      </details>
    </div>
  );
}

function CardList({ onUse }: { onUse: (number: string) => void }) {
  const t = useT();
  return (
    <ul className="mt-2 flex flex-col gap-1">
      {others.map(({ number, does }) => {
        const grouped = groupCardNumber(number);
        return (
          <li key={number} className="flex items-center gap-x-3">
            <span className="flex min-w-0 flex-1 flex-col product:flex-row product:items-center product:gap-x-3">
              <span className="tabular-nums">{grouped}</span>
              <span className="text-ink-soft text-sm">{t(does)}</span>
            </span>
            <Button
              label={t('payment.demo.use')}
              variant="quiet"
              size="small"
              aria-label={t('payment.demo.useNamed', { number: grouped })}
              onClick={() => onUse(number)}
            />
          </li>
        );
      })}
    </ul>
  );
}
