import { type ComponentType, type ReactNode, useCallback, useEffect, useState } from 'react';
import type { PaymentMethod } from '#contract/rules/payment.ts';
import type { Order } from '#contract/schemas/order.ts';
import type { PickupLocation } from '#contract/schemas/shop.ts';
import { Button, LinkButton } from '#ui/button.tsx';
import { cx } from '#ui/cx.ts';
import { FieldError } from '#ui/field.tsx';
import { formatDate, formatMoney } from '#ui/format.ts';
import { useLocale, useT } from '#ui/i18n.tsx';
import { Skeleton } from '#ui/layout.tsx';
import { Notice } from '#ui/notice.tsx';
import { lockIcon } from '#ui/page-icons.ts';
import { urls } from '#web/lib/urls.ts';
import { isBusy, type PaymentState, type ShownFailure } from './payment-state.ts';
import type { LoadPart, PanelState, WalletProps } from './provider-panel.ts';
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

export interface SlotState {
  state: PanelState;
  onState: (state: PanelState) => void;
  otherWays: boolean;
}

interface PanelSlotProps<Props> extends SlotState {
  load: LoadPart<Props>;
  /** The skeleton shown while loading, of the final height: fields, or one button. */
  shape?: 'fields' | 'button';
  children: (Part: ComponentType<Props>) => ReactNode;
}

/** A skeleton while the code and the provider's script load, and a message with a retry if they fail. */
export function PanelSlot<Props>({ load, state, onState, shape = 'fields', otherWays, children }: PanelSlotProps<Props>) {
  const t = useT();
  const [round, setRound] = useState(0);
  const Part = useLoaded(load, round, onState);
  if (state === 'failed') {
    return (
      <Notice tone="bad" title={t('payment.script.title')}>
        <p>{t(otherWays ? 'payment.script.otherWay' : 'payment.script.only')}</p>
        <Button
          label={t('payment.script.retry')}
          variant="secondary"
          size="small"
          className="mt-3"
          onClick={() => {
            onState('loading');
            setRound((count) => count + 1);
          }}
        />
      </Notice>
    );
  }
  const hidden = state === 'loading';
  return (
    <div aria-busy={hidden}>
      {hidden && <PanelSkeleton shape={shape} />}
      {/* Rendered off screen rather than hidden: providers' frames get no height in an element that is not displayed. */}
      <div key={round} inert={hidden} className={cx('flex flex-col gap-5', hidden && 'h-0 overflow-hidden')}>
        {Part && children(Part)}
      </div>
    </div>
  );
}

function useLoaded<Props>(load: LoadPart<Props>, round: number, onState: (state: PanelState) => void) {
  const [loaded, setLoaded] = useState<{ Part: ComponentType<Props>; round: number }>();
  const fail = useCallback(() => onState('failed'), [onState]);
  useEffect(() => {
    let wanted = true;
    load().then(
      ({ default: Part }) => wanted && setLoaded({ Part, round }),
      () => wanted && fail(),
    );
    return () => {
      wanted = false;
    };
  }, [load, round, fail]);
  return loaded?.round === round ? loaded.Part : undefined;
}

function PanelSkeleton({ shape }: { shape: 'fields' | 'button' }) {
  return (
    <div role="status" aria-label={useT()('payment.panel.loading')} className="flex flex-col gap-5">
      {shape === 'button' ? (
        <Skeleton className="h-13" />
      ) : (
        <>
          <Skeleton className="h-20" />
          <Skeleton className="h-20" />
          <Skeleton className="h-20" />
        </>
      )}
    </div>
  );
}
