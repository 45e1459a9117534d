import {
  type Dispatch,
  type FormEvent,
  type ReactNode,
  type Ref,
  useCallback,
  useEffect,
  useRef,
} from 'react';
import { inLocale } from '#contract/locales.ts';
import { asksBillingAddress } from '#contract/rules/address.ts';
import { offeredPaymentMethods, type PaymentMethod, paymentErrors } from '#contract/rules/payment.ts';
import type { Order } from '#contract/schemas/order.ts';
import type { PaymentConfig } from '#contract/schemas/payment-config.ts';
import type { PickupLocation } from '#contract/schemas/shop.ts';
import { type FieldTexts, fieldTexts } from '#ui/errors.ts';
import { useFormState } from '#ui/form.tsx';
import { useLocale, useT } from '#ui/i18n.tsx';
import { Checkbox } from '#ui/inputs.tsx';
import { Notice } from '#ui/notice.tsx';
import { cardIcon } from '#ui/page-icons.ts';
import { type RadioCard, RadioCards } from '#ui/radio-cards.tsx';
import { type AddressValue, emptyAddress } from '#web/lib/address.ts';
import { billingKey, clearTab, readTab, withKept, writeTab } from '#web/lib/tab-storage.ts';
import {
  PanelSlot,
  PayButton,
  PaymentDialogs,
  PaymentFooter,
  ReserveNote,
  type SlotState,
  WalletSlot,
} from './payment-footer.tsx';
import { isBusy, type PaymentEvent, type PaymentState } from './payment-state.ts';
import type { PanelHandle, PanelState } from './provider-panel.ts';
import { findGateway, findWallet, type PageGateway } from './registry.ts';
import { rememberedAttempt } from './remembered-attempt.ts';
import { payerAddress, usePayment, useWallet } from './use-payment.ts';

const saveDraft = ({ typed }: BillingValues) => writeTab(billingKey, typed);

export interface PaymentFormProps {
  order: Order;
  config: PaymentConfig;
  store: PickupLocation | undefined;
  /** See `PaymentScreen`. */
  due: string | undefined;
  demonstration: boolean;
  choice: PaymentMethod | null;
  state: PaymentState;
  dispatch: Dispatch<PaymentEvent>;
  billingFields: (props: BillingFieldsProps) => ReactNode;
  reload: () => Promise<Order | undefined>;
  onPlaced: (orderID: string, payAtStore: boolean) => void;
  onRejected: () => void;
  onWalletClosed: () => void;
  /** SPEC §8: after an authorization error the session ends. */
  onSignIn: () => void;
}

/** Fields of the page itself; all others belong to a panel. */
const isPageField = (path: string) => path === 'paymentMethod' || path.startsWith('billingAddress.');

const isProviderForm = (path: string) => !isPageField(path) && !path.includes('.');

export function PaymentForm(props: PaymentFormProps) {
  const { order, config, store, choice: chosen, state, dispatch } = props;
  const t = useT();
  const locale = useLocale();
  const free = order.bill.total === 0;
  // A coupon that covers the whole bill leaves nothing to choose.
  const choice = free ? null : chosen;
  const { form, panel, payment, wallet, submit } = usePaymentForm(props, choice);

  const offered = free ? [] : offeredPaymentMethods(config, order.method);
  // Shown at once if there is nothing to choose; a missing choice is reported when the form is sent.
  const setup =
    !free && (offered.length === 0 || choice)
      ? (fieldTexts(paymentErrors(choice, config, order.method), t).paymentMethod ??
        (choice === 'payAtStore' ? order.payAtStoreProblem : undefined))
      : undefined;
  if (!order.bill.final) return <Notice tone="bad" title={t('rule.taxUnknown')} />;
  if (setup && offered.length < 2) return <Notice tone="bad" title={setup} />;

  const storeName = store ? inLocale(store.nameContent, locale) : '';
  const slot = { state: state.panel, onState: panel.onState, otherWays: offered.length > 1 };
  return (
    <form ref={form.ref} noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-10">
      {free && <NothingToPay />}
      <PaymentMethodPicker
        offered={offered}
        value={choice}
        error={form.errors.paymentMethod ?? setup}
        atTable={order.method === 'instore'}
        storeName={storeName}
        storeProblem={order.payAtStoreProblem}
        onChange={(method) => {
          form.clearErrors(['paymentMethod']);
          dispatch({ type: 'methodPicked', method });
        }}
      />
      {choice === 'online' && panel.gateway && !setup && (
        <CardSection
          gateway={panel.gateway}
          handle={panel.handle}
          order={order}
          form={form}
          onErrors={panel.onErrors}
          busy={isBusy(state)}
          demonstration={props.demonstration}
          slot={slot}
          billingFields={props.billingFields}
        />
      )}
      <PaymentFooter
        state={state}
        errorCount={form.errorCount}
        uncounted={Object.keys(form.errors).some(isProviderForm)}
        onAskAgain={() => void payment.resume(rememberedAttempt(props.due) ?? panel.gateway?.name ?? '')}
      >
        {choice === 'payAtStore' && <ReserveNote order={order} store={store} storeName={storeName} />}
        {wallet && !setup ? (
          <WalletSlot {...wallet} order={order} busy={isBusy(state)} slot={slot} />
        ) : (
          <PayButton order={order} choice={choice} state={state} />
        )}
      </PaymentFooter>
      <PaymentDialogs
        stage={state.stage}
        currency={order.bill.currency}
        acceptOnly={wallet !== undefined}
        onAccept={(now) => void payment.pay(now)}
        onClose={() => dispatch({ type: 'dialogClosed' })}
        onSignIn={props.onSignIn}
      />
    </form>
  );
}

function usePaymentForm(props: PaymentFormProps, choice: PaymentMethod | null) {
  const { order, config, due, state, dispatch, reload, onRejected } = props;
  const { stage } = state;
  const dialogOpen =
    stage.name === 'reviewing' || (stage.name === 'failed' && stage.failure.kind === 'popup');
  const form = usePaymentFields(order, dialogOpen);
  const panel = usePanel(config, form, dispatch);
  const payment = usePayment({
    order,
    config,
    choice,
    provider: panel.gateway?.name ?? '',
    panel: panel.handle,
    billing: form.address,
    due,
    dispatch,
    setErrors: form.setErrors,
    reload,
    onRejected,
    onPlaced: (orderID, atStore) => {
      clearTab(billingKey);
      props.onPlaced(orderID, atStore);
    },
  });
  const part = findWallet(choice);
  const steps = useWallet(part, payment, { order, due }, props.onWalletClosed);
  const wallet = part && steps ? { part, steps } : undefined;
  useResume(choice === 'online' ? state.panel : 'ready', due, payment.resume);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (wallet || (choice === 'online' && state.panel !== 'ready')) return;
    await payment.pay();
    form.submitted();
  };
  return { form, panel, payment, wallet, submit };
}

function usePanel(config: PaymentConfig, { setErrors }: PaymentFields, dispatch: Dispatch<PaymentEvent>) {
  const handle = useRef<PanelHandle>(null);
  const onErrors = useCallback(
    (texts: FieldTexts) =>
      setErrors((old) => ({
        ...Object.fromEntries(Object.entries(old).filter(([path]) => isPageField(path))),
        ...texts,
      })),
    [setErrors],
  );
  const onState = useCallback((panel: PanelState) => dispatch({ type: 'panelChanged', panel }), [dispatch]);
  return { handle, gateway: findGateway(config.defaultGateWayProviderName), onErrors, onState };
}

function NothingToPay() {
  const t = useT();
  return (
    <section className="flex flex-col gap-2">
      <h2 className="text-lg">{t('payment.free')}</h2>
      <p className="text-ink-soft">{t('payment.free.note')}</p>
    </section>
  );
}

/** Continues, once, an attempt of this tab from before a reload (3-D Secure, a provider's own page). An ended one too, to show why it failed. */
function useResume(
  panelState: PanelState,
  due: string | undefined,
  resume: (provider: string) => Promise<void>,
) {
  const once = useRef(true);
  useEffect(() => {
    if (!once.current || panelState === 'loading') return;
    once.current = false;
    const attempted = rememberedAttempt(due);
    if (attempted !== null) void resume(attempted);
  });
}

interface PaymentMethodPickerProps {
  offered: PaymentMethod[];
  value: PaymentMethod | null;
  error: string | undefined;
  atTable: boolean;
  storeName: string;
  storeProblem: string | undefined;
  onChange: (choice: PaymentMethod) => void;
}

function PaymentMethodPicker(props: PaymentMethodPickerProps) {
  const { offered, value, error, atTable, storeName, storeProblem, onChange } = props;
  const t = useT();
  const cardOf = (method: PaymentMethod): Omit<RadioCard<PaymentMethod>, 'value'> => {
    const wallet = findWallet(method)?.messages;
    if (wallet) return { title: t(wallet.title), note: t(wallet.note), icon: 'external' };
    if (method === 'online')
      return { title: t('payment.method.online'), note: t('payment.method.online.note'), icon: cardIcon };
    if (storeProblem)
      return { title: t('payment.method.store'), note: storeProblem, icon: 'store', disabled: true };
    const note = t(`payment.method.store.note.${atTable ? 'instore' : 'pickup'}`, { store: storeName });
    return { title: t('payment.method.store'), note, icon: 'store' };
  };
  const only = offered.length === 1 ? offered[0] : undefined;
  // The card's own panel names it.
  if (offered.length === 0 || only === 'online') return null;
  if (only)
    return (
      <section className="flex flex-col gap-2">
        <h2 className="text-lg">{cardOf(only).title}</h2>
        <p className="text-ink-soft">{cardOf(only).note}</p>
      </section>
    );
  return (
    <section className="flex flex-col gap-5">
      <h2 className="text-lg">{t('payment.method.title')}</h2>
      <RadioCards<PaymentMethod>
        legend={t('payment.method.title')}
        hideLegend
        value={value}
        error={error}
        onChange={onChange}
        options={offered.map((method) => ({ value: method, ...cardOf(method) }))}
      />
    </section>
  );
}

interface CardSectionProps {
  gateway: PageGateway;
  handle: Ref<PanelHandle>;
  order: Order;
  form: PaymentFields;
  onErrors: (errors: FieldTexts) => void;
  busy: boolean;
  demonstration: boolean;
  slot: SlotState;
  billingFields: (props: BillingFieldsProps) => ReactNode;
}

function CardSection(props: CardSectionProps) {
  const { gateway, handle, order, form, onErrors, busy, demonstration, slot, billingFields } = props;
  const t = useT();
  return (
    <>
      <section className="flex flex-col gap-5">
        <h2 className="text-lg">{t('payment.card.title')}</h2>
        <PanelSlot key="online" load={gateway.load} {...slot}>
          {(Panel) => (
            <Panel
              ref={handle}
              order={order}
              billing={form.asked ? payerAddress(form.address, order) : null}
              errors={form.errors}
              onErrors={onErrors}
              onEdit={form.clearErrors}
              onState={slot.onState}
              busy={busy}
              demonstration={demonstration}
            />
          )}
        </PanelSlot>
      </section>
      {gateway.billingAddress && form.asked && <BillingSection form={form} fields={billingFields} />}
    </>
  );
}

interface BillingFieldsProps {
  value: AddressValue;
  errors: FieldTexts;
  onChange: (changes: Partial<AddressValue>) => void;
}

interface BillingValues {
  same: boolean;
  typed: AddressValue;
}

/** Its own values are the billing address, kept for this tab; a provider's panel adds fields to `errors`. `address` is null for the shipping one, and where none is asked. */
function usePaymentFields({ billingAddress, shippingAddress, method }: Order, holdFocus: boolean) {
  const form = useFormState<BillingValues>({
    initial: () => ({
      same: true,
      typed: withKept(withKept(emptyAddress, billingAddress), readTab(billingKey)),
    }),
    saveDraft,
    holdFocus,
  });
  const { values, update } = form;
  const asked = asksBillingAddress(method);
  const sameOffered = shippingAddress !== null;
  const same = sameOffered && values.same;
  const changeAddress = (changes: Partial<AddressValue>) =>
    update(
      (old) => ({ ...old, typed: { ...old.typed, ...changes } as AddressValue }),
      Object.keys(changes).map((name) => `billingAddress.${name}`),
    );
  const changeSame = (checked: boolean) => update((old) => ({ ...old, same: checked }), []);
  return {
    ...form,
    asked,
    same,
    sameOffered,
    address: same || !asked ? null : values.typed,
    changeAddress,
    changeSame,
  };
}

type PaymentFields = ReturnType<typeof usePaymentFields>;

function BillingSection({
  form,
  fields,
}: {
  form: PaymentFields;
  fields: (props: BillingFieldsProps) => ReactNode;
}) {
  const t = useT();
  const { same, sameOffered, values, errors, changeAddress, changeSame } = form;
  return (
    <section className="flex flex-col gap-5">
      <h2 className="text-lg">{t('payment.billing.title')}</h2>
      {sameOffered && (
        <Checkbox
          label={t('payment.billing.same')}
          checked={same}
          onChange={(event) => changeSame(event.target.checked)}
        />
      )}
      {!same && fields({ value: values.typed, errors, onChange: changeAddress })}
    </section>
  );
}
