import { type ComponentType, type ReactNode, useCallback, useEffect, useState } from 'react';
import type { PaymentMethod } from '#contract/rules/payment.ts';
import type { Order } from '#contract/schemas/order.ts';
import type { PickupLocation } from '#contract/schemas/shop.ts';
import { Button, LinkButton } from '#ui/button.tsx';
import { cx } from '#ui/cx.ts';
import { Dialog } from '#ui/dialog.tsx';
import { FieldError } from '#ui/field.tsx';
import { formatDate, formatMoney, formatTotal } from '#ui/format.ts';
import { useLocale, useT } from '#ui/i18n.tsx';
import { Skeleton } from '#ui/layout.tsx';
import { Notice } from '#ui/notice.tsx';
import { lockIcon } from '#ui/page-icons.ts';
import { urls } from '#web/lib/urls.ts';
import {
  isBlocked,
  isBusy,
  noticeOf,
  type OrderChange,
  type PaymentFailure,
  type PaymentStage,
  type PaymentState,
  type ShownFailure,
} from './payment-state.ts';
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
  const { stage } = state;
  const notice = noticeOf(state);
  return (
    <div className="flex flex-col gap-3">
      {stage.name === 'failed' && notice === 'failure' && <FailureNotice failure={stage.failure} />}
      {notice === 'cancelled' && <Notice>{t('payment.cancelled')}</Notice>}
      {notice === 'undecided' && (
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
        <FieldError id="payment-errors">
          {errorCount > 0 && t('checkout.errors', { count: errorCount })}
        </FieldError>
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
export function PayButton({
  order,
  choice,
  state,
}: {
  order: Order;
  choice: PaymentMethod | null;
  state: PaymentState;
}) {
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
      {free
        ? t('payment.place')
        : choice === 'payAtStore'
          ? t('payment.reserve')
          : t('payment.pay', { amount })}
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
export function ReserveNote({
  order,
  store,
  storeName,
}: {
  order: Order;
  store: PickupLocation | undefined;
  storeName: string;
}) {
  const t = useT();
  const locale = useLocale();
  const amount = useAmount(order);
  return (
    <p className="text-ink-soft">
      {t(`payment.reserve.note.${order.method === 'instore' ? 'instore' : 'pickup'}`, {
        amount,
        store: storeName,
        table: order.tableNumber ?? '',
        when:
          store && order.reservedUntil
            ? formatDate(order.reservedUntil, locale, store.timeZone, 'dayTime')
            : '',
      })}
    </p>
  );
}

function useAmount(order: Order): string {
  return formatTotal(order.bill.total, useLocale(), order.bill.currency, order);
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
export function PanelSlot<Props>({
  load,
  state,
  onState,
  shape = 'fields',
  otherWays,
  children,
}: PanelSlotProps<Props>) {
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

interface PaymentDialogsProps {
  stage: PaymentStage;
  currency: string;
  /** Accepting changes does not pay yet: a wallet's window opens only when its own button is pressed. */
  acceptOnly: boolean;
  onAccept: (now: Order) => void;
  onClose: () => void;
  onSignIn: () => void;
}

export function PaymentDialogs({
  stage,
  currency,
  acceptOnly,
  onAccept,
  onClose,
  onSignIn,
}: PaymentDialogsProps) {
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
function ChangesDialog({
  open,
  changes,
  refusals,
  total,
  currency,
  acceptOnly,
  onAccept,
  onClose,
}: ChangesDialogProps) {
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
              {acceptOnly
                ? t('payment.changed.acceptOnly')
                : t('payment.changed.accept', { amount: money(total) })}
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

function changeText(
  change: OrderChange,
  money: (cents: number) => string,
  t: ReturnType<typeof useT>,
): string {
  switch (change.kind) {
    case 'gone':
      return change.line.unavailable ?? t('payment.changed.gone', { product: change.line.productName });
    case 'fewer':
      return t('payment.changed.fewer', { product: change.line.productName, count: change.left });
    case 'quantity':
      return t('payment.changed.quantity', {
        product: change.line.productName,
        now: change.now,
        before: change.before,
      });
    case 'price':
      return t('payment.changed.price', {
        product: change.line.productName,
        now: money(change.now),
        before: money(change.before),
      });
    case 'couponGone': {
      const { code, why } = change;
      return why
        ? t('payment.changed.couponGoneWhy', { code, why })
        : t('payment.changed.couponGone', { code });
    }
    case 'couponNew':
      return t('payment.changed.couponNew', { code: change.code });
    default:
      return t(`payment.changed.${change.kind}`, { now: money(change.now), before: money(change.before) });
  }
}
