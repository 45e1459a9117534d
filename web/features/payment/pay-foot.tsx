import type { ReactNode } from 'react';
import { useT } from '#web/i18n/i18n.tsx';
import { urls } from '#web/lib/urls.ts';
import { Button } from '#web/ui/button.tsx';
import { FieldError } from '#web/ui/field.tsx';
import { LinkButton } from '#web/ui/link-button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import type { PaymentFailure } from './failures.ts';
import type { PaymentNews, PaymentPhase } from './use-payment.ts';

interface PayFootProps {
  failure: PaymentFailure | undefined;
  news: PaymentNews | undefined;
  /** How many fields are marked. */
  errorCount: number;
  /** Some of them are in a provider's form, which marks as many of its own as it likes. */
  uncounted: boolean;
  phase: PaymentPhase;
  onAskAgain: () => void;
  /** What pays: the Pay button or a wallet's, with what is said beside it. */
  children: ReactNode;
}

/** The end of the form: what came of the last attempt, the button, and what is under way. */
export function PayFoot({ failure, news, errorCount, uncounted, phase, onAskAgain, children }: PayFootProps) {
  const t = useT();
  return (
    <div className="flex flex-col gap-3">
      {failure?.kind === 'notice' && <Notice tone="bad">{failure.words}</Notice>}
      {failure?.kind === 'checkout' && (
        <Notice tone="bad">
          {failure.words.map((words) => (
            <p key={words}>{words}</p>
          ))}
          <LinkButton href={urls.checkout()} variant="secondary" size="small" className="mt-3">
            {t('payment.toCheckout')}
          </LinkButton>
        </Notice>
      )}
      {news === 'cancelled' && <Notice>{t('payment.cancelled')}</Notice>}
      {news === 'undecided' && (
        <Notice tone="bad">
          <p>{t('payment.undecided.again')}</p>
          <Button variant="secondary" size="small" className="mt-3" busy={phase !== 'idle'} onClick={onAskAgain}>
            {t('payment.askAgain')}
          </Button>
        </Notice>
      )}
      <FieldError id="payment-errors">
        {uncounted ? t('payment.errors.form') : errorCount > 0 && t('checkout.errors', { count: errorCount })}
      </FieldError>
      {children}
      <p role="status" className="min-h-6 text-center text-ink-soft text-sm">
        {phase === 'paying' && t('payment.paying')}
        {phase === 'acting' && t('payment.acting')}
      </p>
    </div>
  );
}
