import { type FormEvent, type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { inLocale } from '#contract/locales.ts';
import { offeredPaymentMethods, type PaymentMethod, paymentErrors } from '#contract/rules/payment.ts';
import type { Order, PaymentConfig } from '#contract/schemas/order.ts';
import type { PickupLocation } from '#contract/schemas/shop.ts';
import { useLocale, useT } from '#web/i18n/i18n.tsx';
import { type FieldTexts, fieldTexts } from '#web/lib/api-errors.ts';
import { formatDate, formatMoney } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { focusFirstInvalid } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { clearBilling } from './billing-draft.ts';
import { type BillingFieldsProps, BillingSection, useBillingAddress } from './billing-section.tsx';
import { ChangesDialog } from './changes-dialog.tsx';
import { FailureDialog } from './failure-dialog.tsx';
import { PanelSlot } from './panel-slot.tsx';
import { PayFoot } from './pay-foot.tsx';
import { PaymentMethodPicker } from './payment-method-picker.tsx';
import { rememberedAttempt } from './pending.ts';
import type { PanelHandle, PanelState } from './provider-panel.ts';
import { findGateway, findWallet } from './providers/registry.ts';
import { addressOf, usePayment } from './use-payment.ts';
import { useWallet } from './use-wallet.ts';

export interface PaymentFormProps {
  order: Order;
  config: PaymentConfig;
  store: PickupLocation | undefined;
  /** Test cards are offered. */
  demonstration: boolean;
  choice: PaymentMethod | null;
  onChoose: (choice: PaymentMethod) => void;
  billingFields: (props: BillingFieldsProps) => ReactNode;
  reload: () => Promise<Order | undefined>;
  onPlaced: (orderID: string, payAtStore: boolean) => void;
  onRefused: () => void;
  /** The shopper closed a wallet's window (SPEC §4). */
  onWalletClosed: () => void;
  /** SPEC §8: after an authorization error the session ends. */
  onSignIn: () => void;
}

/** Fields of the page itself; all others are a panel's. */
const isOwnField = (field: string) => field === 'paymentMethod' || field.startsWith('billingAddress.');

/** A provider's own form as a whole, which is one field to the page. */
const isForm = (field: string) => !isOwnField(field) && !field.includes('.');

/** How it is paid; for a card, its panel. The button says what it costs. */
export function PaymentForm(props: PaymentFormProps) {
  const { order, config, store, demonstration, onChoose, billingFields, reload, onWalletClosed, onSignIn } = props;
  // With a coupon for all of it there is nothing to choose.
  const free = order.bill.total === 0;
  const choice = free ? null : props.choice;
  const t = useT();
  const locale = useLocale();
  const form = useRef<HTMLFormElement>(null);
  const handle = useRef<PanelHandle>(null);
  const [errors, setErrors] = useState<FieldTexts>({});
  const [panelState, setPanelState] = useState<PanelState>('loading');
  const billing = useBillingAddress(order);
  const panel = findGateway(config.defaultGateWayProviderName);
  const walletPart = findWallet(choice);
  const payment = usePayment({
    order,
    config,
    choice,
    provider: panel?.provider ?? '',
    panel: handle,
    billing: billing.value,
    setErrors,
    reload,
    onRefused: props.onRefused,
    onPlaced: (orderID, atStore) => {
      clearBilling();
      props.onPlaced(orderID, atStore);
    },
  });
  const { phase, failure, news, changed, pay } = payment;
  const wallet = useWallet(walletPart, payment, { order }, onWalletClosed);
  const busy = phase !== 'idle';

  const edited = useCallback(
    (fields: string[]) =>
      setErrors((old) => Object.fromEntries(Object.entries(old).filter(([field]) => !fields.includes(field)))),
    [],
  );
  const panelErrors = useCallback(
    (texts: FieldTexts) =>
      setErrors((old) => ({ ...Object.fromEntries(Object.entries(old).filter(([field]) => isOwnField(field))), ...texts })),
    [],
  );
  useResume(choice === 'online' ? panelState : 'ready', payment.resume);

  // Focus moves once the errors of an attempt are on the screen, and no popup is over them.
  const [attempts, setAttempts] = useState(0);
  const popup = failure?.kind === 'popup' ? failure : undefined;
  useEffect(() => {
    if (attempts > 0 && !popup && !changed) focusFirstInvalid(form.current);
  }, [attempts, popup, changed]);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (walletPart || (choice === 'online' && panelState !== 'ready')) return;
    await pay();
    setAttempts((count) => count + 1);
  };

  const offered = free ? [] : offeredPaymentMethods(config, order.method);
  const amount = formatMoney(order.bill.total, locale, order.bill.currency);
  const atTable = order.method === 'instore';
  const storeName = store ? inLocale(store.nameContent, locale) : '';
  // Said at once where nothing can be chosen; a choice that is still to be made is asked for on sending.
  const setup =
    !free && (offered.length === 0 || choice)
      ? fieldTexts(paymentErrors(choice, config, order.method), t).paymentMethod
      : undefined;
  const slot = { state: panelState, onState: setPanelState, otherWays: offered.length > 1 };

  if (!order.bill.final) return <Notice tone="bad" title={t('rule.taxUnknown')} />;
  if (setup && offered.length < 2) return <Notice tone="bad" title={setup} />;

  return (
    <form ref={form} noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-10">
      {free && (
        <section className="flex flex-col gap-2">
          <h2 className="text-lg">{t('payment.free')}</h2>
          <p className="text-ink-soft">{t('payment.free.note')}</p>
        </section>
      )}
      <PaymentMethodPicker
        offered={offered}
        value={choice}
        error={errors.paymentMethod ?? setup}
        atTable={atTable}
        storeName={storeName}
        onChange={(method) => {
          edited(['paymentMethod']);
          if (method !== choice) setPanelState('loading');
          payment.closeNews();
          onChoose(method);
        }}
      />
      {choice === 'online' && panel && !setup && (
        <>
          <section className="flex flex-col gap-5">
            <h2 className="text-lg">{t('payment.card.title')}</h2>
            <PanelSlot key="online" load={panel.load} {...slot}>
              {(Panel) => (
                <Panel
                  ref={handle}
                  order={order}
                  billing={addressOf(billing.value, order)}
                  errors={errors}
                  onErrors={panelErrors}
                  onEdit={edited}
                  onState={setPanelState}
                  busy={busy}
                  demonstration={demonstration}
                />
              )}
            </PanelSlot>
          </section>
          {panel.billingAddress && <BillingSection address={billing} errors={errors} fields={billingFields} onEdit={edited} />}
        </>
      )}
      <PayFoot
        failure={failure}
        news={news}
        errorCount={Object.keys(errors).length}
        uncounted={Object.keys(errors).some(isForm)}
        phase={phase}
        onAskAgain={() => void payment.resume(rememberedAttempt() ?? panel?.provider ?? '')}
      >
        {choice === 'payAtStore' && (
          <p className="text-ink-soft">
            {t(`payment.reserve.note.${atTable ? 'instore' : 'pickup'}`, {
              amount,
              store: storeName,
              table: order.tableNumber ?? '',
              when: store && order.reservedUntil ? formatDate(order.reservedUntil, locale, store.timeZone, 'dayTime') : '',
            })}
          </p>
        )}
        {walletPart && wallet && !setup ? (
          <PanelSlot key={walletPart.wallet.method} load={walletPart.load} shape="button" {...slot}>
            {(WalletButton) => <WalletButton order={order} busy={busy} onState={setPanelState} {...wallet} />}
          </PanelSlot>
        ) : (
          !(choice === 'online' && panelState === 'failed') && (
            <Button
              type="submit"
              busy={busy}
              aria-disabled={choice === 'online' && panelState === 'loading'}
              wide
              icon={free ? 'check' : choice === 'payAtStore' ? 'store' : 'card'}
            >
              {free ? t('payment.place') : choice === 'payAtStore' ? t('payment.reserve') : t('payment.pay', { amount })}
            </Button>
          )
        )}
      </PayFoot>
      <FailureDialog
        failure={popup}
        onClose={() => {
          payment.closeFailure();
          if (popup?.signIn) onSignIn();
        }}
      />
      <ChangesDialog
        open={changed !== undefined}
        changes={changed?.changes ?? []}
        refusals={changed?.refusals ?? []}
        total={changed?.now.bill.total ?? 0}
        currency={order.bill.currency}
        // A wallet's window opens only when its own button is pressed.
        onAccept={() => (walletPart ? payment.closeChanged() : void pay(changed?.now))}
        acceptOnly={walletPart !== undefined}
        onClose={payment.closeChanged}
      />
    </form>
  );
}

/**
 * Goes on, once, with an attempt that this tab began before the page was loaded: after a reload amid a
 * 3-D Secure step, or the way back from a provider's own page. One that is over meanwhile is asked about
 * too: why it failed is still to be said. An attempt of another tab or device is left alone; paying here
 * would end it.
 */
function useResume(panelState: PanelState, resume: (provider: string) => Promise<void>) {
  const once = useRef(true);
  useEffect(() => {
    if (!once.current || panelState === 'loading') return;
    once.current = false;
    const asked = rememberedAttempt();
    if (asked !== null) void resume(asked);
  });
}
