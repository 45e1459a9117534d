import type { Order } from '#contract/schemas/order.ts';
import { Button, LinkButton } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { formatMoney } from '#ui/format.ts';
import { useLocale, useT } from '#ui/i18n.tsx';
import { urls } from '#web/lib/urls.ts';
import { isBlocked, type OrderChange, type PaymentFailure, type PaymentStage } from './payment-state.ts';

interface PaymentDialogsProps {
  stage: PaymentStage;
  currency: string;
  /** Accepting changes does not pay yet: a wallet's window opens only when its own button is pressed. */
  acceptOnly: boolean;
  onAccept: (now: Order) => void;
  onClose: () => void;
  onSignIn: () => void;
}

export function PaymentDialogs({ stage, currency, acceptOnly, onAccept, onClose, onSignIn }: PaymentDialogsProps) {
  const popup = stage.name === 'failed' && stage.failure.kind === 'popup' ? stage.failure : undefined;
  const review = stage.name === 'reviewing' ? stage.review : undefined;
  return (
    <>
      <FailureDialog
        failure={popup}
        onClose={() => {
          onClose();
          if (popup?.signIn) onSignIn();
        }}
      />
      <ChangesDialog
        open={review !== undefined}
        changes={review?.changes ?? []}
        refusals={review?.refusals ?? []}
        total={review?.now.bill.total ?? 0}
        currency={currency}
        onAccept={() => (review && !acceptOnly ? onAccept(review.now) : onClose())}
        acceptOnly={acceptOnly}
        onClose={onClose}
      />
    </>
  );
}

interface FailureDialogProps {
  failure: Extract<PaymentFailure, { kind: 'popup' }> | undefined;
  onClose: () => void;
}

function FailureDialog({ failure, onClose }: FailureDialogProps) {
  const t = useT();
  return (
    <Dialog
      role="alertdialog"
      open={failure !== undefined}
      onClose={onClose}
      title={failure && t(failure.title)}
      actions={<Button label={t('payment.ok')} onClick={onClose} />}
    >
      <p>{failure && (failure.words ?? t(failure.text))}</p>
    </Dialog>
  );
}

interface ChangesDialogProps {
  open: boolean;
  changes: OrderChange[];
  refusals: string[];
  total: number;
  currency: string;
  acceptOnly: boolean;
  onAccept: () => void;
  onClose: () => void;
}

/** Lists how the order differs from the shown one and asks to accept it. Unavailable items are handled in the cart. */
function ChangesDialog({ open, changes, refusals, total, currency, acceptOnly, onAccept, onClose }: ChangesDialogProps) {
  const t = useT();
  const locale = useLocale();
  const money = (cents: number) => formatMoney(cents, locale, currency);
  const blocked = isBlocked(changes) || refusals.length > 0;
  return (
    <Dialog
      role="alertdialog"
      open={open}
      onClose={onClose}
      title={t('payment.changed.title')}
      actions={
        <>
          <LinkButton href={urls.cart()} variant={blocked ? 'primary' : 'secondary'}>
            {t('payment.changed.back')}
          </LinkButton>
          {!blocked && (
            <Button onClick={onAccept}>
              {acceptOnly ? t('payment.changed.acceptOnly') : t('payment.changed.accept', { amount: money(total) })}
            </Button>
          )}
        </>
      }
    >
      <p>{t(blocked ? 'payment.changed.blocked' : 'payment.changed.text')}</p>
      <ul className="flex list-disc flex-col gap-1 pl-5">
        {changes.map((change) => {
          const text = changeText(change, money, t);
          return <li key={text}>{text}</li>;
        })}
        {refusals.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </Dialog>
  );
}

function changeText(change: OrderChange, money: (cents: number) => string, t: ReturnType<typeof useT>): string {
  switch (change.kind) {
    case 'gone':
      return change.line.unavailable ?? t('payment.changed.gone', { product: change.line.productName });
    case 'fewer':
      return t('payment.changed.fewer', { product: change.line.productName, count: change.left });
    case 'quantity':
      return t('payment.changed.quantity', { product: change.line.productName, now: change.now, before: change.before });
    case 'price':
      return t('payment.changed.price', {
        product: change.line.productName,
        now: money(change.now),
        before: money(change.before),
      });
    case 'couponGone': {
      const { code, why } = change;
      return why ? t('payment.changed.couponGoneWhy', { code, why }) : t('payment.changed.couponGone', { code });
    }
    case 'couponNew':
      return t('payment.changed.couponNew', { code: change.code });
    default:
      return t(`payment.changed.${change.kind}`, { now: money(change.now), before: money(change.before) });
  }
}
