import type { PaymentMethod } from '#contract/rules/payment.ts';
import type { Order } from '#contract/schemas/order.ts';
import type { PickupLocation } from '#contract/schemas/shop.ts';
import { Button } from '#ui/button.tsx';
import { formatDate, formatMoney } from '#ui/format.ts';
import { useLocale, useT } from '#ui/i18n.tsx';
import { lockIcon } from '#ui/page-icons.ts';
import { PanelSlot, type SlotState } from './panel-slot.tsx';
import { isBusy, type PaymentState } from './payment-state.ts';
import type { WalletProps } from './provider-panel.ts';
import type { PageWallet } from './registry.ts';

interface PayButtonProps {
  order: Order;
  choice: PaymentMethod | null;
  state: PaymentState;
}

/** The button that sends the form, with the amount. Nothing if the card's panel failed to load. */
export function PayButton({ order, choice, state }: PayButtonProps) {
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

/** A wallet's own button, in place of the Pay button. */
export function WalletSlot({ part, steps, order, busy, slot }: WalletSlotProps) {
  return (
    <PanelSlot key={part.method} load={part.load} shape="button" {...slot}>
      {(WalletButton) => <WalletButton order={order} busy={busy} onState={slot.onState} {...steps} />}
    </PanelSlot>
  );
}

interface ReserveNoteProps {
  order: Order;
  store: PickupLocation | undefined;
  storeName: string;
}

/** The note for a customer who pays at the store: the amount, and the reservation deadline. */
export function ReserveNote({ order, store, storeName }: ReserveNoteProps) {
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
