import type { ReactNode } from 'react';
import type { PaymentMethod } from '#contract/rules/payment.ts';
import type { Order } from '#contract/schemas/order.ts';
import type { PickupLocation } from '#contract/schemas/shop.ts';
import { Button, LinkButton } from '#ui/button.tsx';
import { FieldError } from '#ui/field.tsx';
import { formatDate, formatMoney } from '#ui/format.ts';
import { useLocale, useT } from '#ui/i18n.tsx';
import { Notice } from '#ui/notice.tsx';
import { lockIcon } from '#ui/page-icons.ts';
import { urls } from '#web/lib/urls.ts';
import { PanelSlot, type SlotState } from './panel-slot.tsx';
import { isBusy, type PaymentState, type ShownFailure } from './payment-state.ts';
import type { WalletProps } from './provider-panel.ts';
import type { PageWallet } from './registry.ts';

interface PaymentFooterProps {
  state: PaymentState;
  errorCount: number;
  /** Some of them are in a provider's form, which does not report how many it marks. */
  uncounted: boolean;
  onAskAgain: () => void;
  children: ReactNode;
}

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

/** The button that sends the form, with the amount. Nothing if the card's panel failed to load. */
export function PayButton({ order, choice, state }: { order: Order; choice: PaymentMethod | null; state: PaymentState }) {
  const t = useT();
  const amount = useAmount(order);
  const free = order.bill.total === 0;
  if (choice === 'online' && state.panel === 'failed') return null;
  return (
    <Button
      type="submit"
      busy={isBusy(state)}
      aria-disabled={choice === 'online' && state.panel === 'loading'}
      wide
      icon={free ? 'check' : choice === 'payAtStore' ? 'store' : lockIcon}
    >
      {free ? t('payment.place') : choice === 'payAtStore' ? t('payment.reserve') : t('payment.pay', { amount })}
    </Button>
  );
}

interface WalletSlotProps {
  part: PageWallet;
  steps: Pick<WalletProps, 'createToken' | 'onApprove' | 'onCancel' | 'onError'>;
  order: Order;
  busy: boolean;
  slot: SlotState;
}

export function WalletSlot({ part, steps, order, busy, slot }: WalletSlotProps) {
  return (
    <PanelSlot key={part.method} load={part.load} shape="button" {...slot}>
      {(WalletButton) => <WalletButton order={order} busy={busy} onState={slot.onState} {...steps} />}
    </PanelSlot>
  );
}

/** The note for a customer who pays at the store: the amount, and the reservation deadline. */
export function ReserveNote({ order, store, storeName }: { order: Order; store: PickupLocation | undefined; storeName: string }) {
  const t = useT();
  const locale = useLocale();
  const amount = useAmount(order);
  return (
    <p className="text-ink-soft">
      {t(`payment.reserve.note.${order.method === 'instore' ? 'instore' : 'pickup'}`, {
        amount,
        store: storeName,
        table: order.tableNumber ?? '',
        when: store && order.reservedUntil ? formatDate(order.reservedUntil, locale, store.timeZone, 'dayTime') : '',
      })}
    </p>
  );
}

function useAmount({ bill }: Order): string {
  return formatMoney(bill.total, useLocale(), bill.currency);
}
