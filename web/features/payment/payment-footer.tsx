import type { ReactNode } from 'react';
import { Button } from '#ui/button.tsx';
import { FieldError } from '#ui/field.tsx';
import { useT } from '#ui/i18n.tsx';
import { LinkButton } from '#ui/link-button.tsx';
import { Notice } from '#ui/notice.tsx';
import { urls } from '#web/lib/urls.ts';
import { isBusy, type PaymentState, type ShownFailure } from './payment-state.ts';

interface PaymentFooterProps {
  state: PaymentState;
  /** How many fields have errors. */
  errorCount: number;
  /** Some of them are in a provider's form, which does not report how many it marks. */
  uncounted: boolean;
  onAskAgain: () => void;
  /** The Pay button or a wallet's, with the note beside it. */
  children: ReactNode;
}

/** The end of the payment form: the outcome of the last attempt, the button, and the progress of the current attempt. */
export function PaymentFooter({ state, errorCount, uncounted, onAskAgain, children }: PaymentFooterProps) {
  const t = useT();
  const { stage, undecided } = state;
  return (
    <div className="flex flex-col gap-3">
      {stage.name === 'failed' && <FailureNotice failure={stage.failure} />}
      {stage.name === 'cancelled' && <Notice>{t('payment.cancelled')}</Notice>}
      {undecided && (
        <Notice tone="bad">
          <p>{t('payment.undecided.again')}</p>
          <Button variant="secondary" size="small" className="mt-3" busy={isBusy(state)} onClick={onAskAgain}>
            {t('payment.askAgain')}
          </Button>
        </Notice>
      )}
      {uncounted ? (
        <FieldError id="payment-errors">{t('payment.errors.form')}</FieldError>
      ) : (
        <FieldError id="payment-errors">{errorCount > 0 && t('checkout.errors', { count: errorCount })}</FieldError>
      )}
      {children}
      <p role="status" className="min-h-6 text-center text-ink-soft text-sm">
        {isBusy(state) && t(stage.name === 'acting' ? 'payment.acting' : 'payment.paying')}
      </p>
    </div>
  );
}

/** A failure that is shown on the page itself: popups and marked fields are shown elsewhere. */
function FailureNotice({ failure }: { failure: ShownFailure }) {
  const t = useT();
  if (failure.kind === 'notice') return <Notice tone="bad">{failure.words}</Notice>;
  if (failure.kind !== 'checkout') return null;
  return (
    <Notice tone="bad">
      {failure.words.map((words) => (
        <p key={words}>{words}</p>
      ))}
      <LinkButton href={urls.checkout()} variant="secondary" size="small" className="mt-3">
        {t('payment.toCheckout')}
      </LinkButton>
    </Notice>
  );
}
