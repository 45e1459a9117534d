import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { inLocale } from '#contract/locales.ts';
import { offeredPaymentMethods, type PaymentMethod, paymentErrors } from '#contract/rules/payment.ts';
import type { Order, PaymentConfig } from '#contract/schemas/order.ts';
import type { PickupLocation } from '#contract/schemas/shop.ts';
import { useLocale, useT } from '#web/i18n/i18n.tsx';
import { type AddressValue, emptyAddress } from '#web/lib/address.ts';
import { formatMoney } from '#web/lib/format.ts';
import { type FieldTexts, fieldTexts } from '#web/lib/refusals.ts';
import { clearTab, readTab, withKept, writeTab } from '#web/lib/tab-storage.ts';
import { Button } from '#web/ui/button.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { FieldError, focusFirstInvalid } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { RadioCards } from '#web/ui/radio-cards.tsx';
import { CardForm, type CardValue, emptyCard } from './card-form.tsx';
import { ChangesDialog } from './changes-dialog.tsx';
import { FailureDialog } from './failure-dialog.tsx';
import { TestCards } from './test-cards.tsx';
import { usePayment } from './use-payment.ts';

export interface BillingFieldsProps {
  value: AddressValue;
  errors: FieldTexts;
  onChange: (changes: Partial<AddressValue>) => void;
}

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
  /** SPEC §8: after an authorization error the session ends. */
  onSignIn: () => void;
}

const billingKey = 'billing';

/** How it is paid; for a card, its form. The button says what it costs. */
export function PaymentForm(props: PaymentFormProps) {
  const { order, config, store, demonstration, choice, onChoose, billingFields, reload, onPlaced, onSignIn } = props;
  const t = useT();
  const locale = useLocale();
  const form = useRef<HTMLFormElement>(null);
  const [card, setCard] = useState<CardValue>(emptyCard);
  const [same, setSame] = useState(true);
  const [billing, setBilling] = useState<AddressValue>(() =>
    withKept(withKept(emptyAddress, order.billingAddress), readTab(billingKey)),
  );
  const [errors, setErrors] = useState<FieldTexts>({});
  useEffect(() => writeTab(billingKey, billing), [billing]);
  const sameOffered = order.shippingAddress !== null;
  const { pay, busy, failure, closeFailure, changed, closeChanged } = usePayment({
    order,
    config,
    form: { choice, card, billing: sameOffered && same ? null : billing },
    setErrors,
    reload,
    onPlaced: (orderID, payAtStore) => {
      clearTab(billingKey);
      onPlaced(orderID, payAtStore);
    },
  });

  // Focus moves once the errors of an attempt are on the screen, and no popup is over them.
  const [attempts, setAttempts] = useState(0);
  const popup = failure?.kind === 'popup' ? failure : undefined;
  useEffect(() => {
    if (attempts > 0 && !popup && !changed) focusFirstInvalid(form.current);
  }, [attempts, popup, changed]);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    await pay();
    setAttempts((count) => count + 1);
  };

  const offered = offeredPaymentMethods(config, order.method);
  const clear = (fields: string[]) =>
    setErrors((old) => Object.fromEntries(Object.entries(old).filter(([field]) => !fields.includes(field))));
  const amount = formatMoney(order.bill.total, locale, order.bill.currency);
  const storeName = store ? inLocale(store.nameContent, locale) : '';
  const atTable = order.method === 'instore';
  const thisYear = new Date().getFullYear();
  // Said at once where nothing can be chosen; a choice that is still to be made is asked for on sending.
  const setup =
    offered.length === 0 || choice ? fieldTexts(paymentErrors(choice, config, order.method), t).paymentMethod : undefined;

  if (setup && offered.length < 2) return <Notice tone="bad" title={setup} />;

  return (
    <form ref={form} noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-10">
      <section className="flex flex-col gap-5">
        <h2 className="text-lg">{t('payment.method.title')}</h2>
        <RadioCards<PaymentMethod>
          legend={t('payment.method.title')}
          hideLegend
          value={choice}
          error={errors.paymentMethod ?? setup}
          onChange={(method) => {
            clear(['paymentMethod']);
            onChoose(method);
          }}
          options={offered.map((method) =>
            method === 'online'
              ? { value: method, title: t('payment.method.online'), note: t('payment.method.online.note'), icon: 'card' }
              : {
                  value: method,
                  title: t('payment.method.store'),
                  note: t(`payment.method.store.note.${atTable ? 'instore' : 'pickup'}`, { store: storeName }),
                  icon: 'store',
                },
          )}
        />
      </section>
      {choice === 'online' && !setup && (
        <>
          <section className="flex flex-col gap-5">
            <h2 className="text-lg">{t('payment.card.title')}</h2>
            {demonstration && (
              <TestCards
                thisYear={thisYear}
                onUse={(testCard) => {
                  setCard(testCard);
                  clear(Object.keys(testCard).map((name) => `paymentInstrucment.${name}`));
                }}
              />
            )}
            <CardForm
              value={card}
              errors={errors}
              thisYear={thisYear}
              onChange={(changes) => {
                setCard((old) => ({ ...old, ...changes }));
                clear(Object.keys(changes).map((name) => `paymentInstrucment.${name}`));
              }}
            />
          </section>
          <section className="flex flex-col gap-5">
            <h2 className="text-lg">{t('payment.billing.title')}</h2>
            {sameOffered && (
              <Checkbox label={t('payment.billing.same')} checked={same} onChange={(event) => setSame(event.target.checked)} />
            )}
            {!(sameOffered && same) &&
              billingFields({
                value: billing,
                errors,
                onChange: (changes) => {
                  setBilling((old) => ({ ...old, ...changes }) as AddressValue);
                  clear(Object.keys(changes).map((name) => `billingAddress.${name}`));
                },
              })}
          </section>
        </>
      )}
      <div className="flex flex-col gap-3">
        {failure?.kind === 'notice' && <Notice tone="bad">{failure.words}</Notice>}
        <FieldError id="payment-errors">
          {Object.keys(errors).length > 0 && t('checkout.errors', { count: Object.keys(errors).length })}
        </FieldError>
        {choice === 'payAtStore' && (
          <p className="text-ink-soft">
            {t(`payment.reserve.note.${atTable ? 'instore' : 'pickup'}`, {
              amount,
              store: storeName,
              table: order.tableNumber ?? '',
            })}
          </p>
        )}
        <Button type="submit" busy={busy} wide icon={choice === 'payAtStore' ? 'store' : 'card'}>
          {choice === 'payAtStore' ? t('payment.reserve') : t('payment.pay', { amount })}
        </Button>
        <p role="status" className="min-h-6 text-center text-ink-soft text-sm">
          {busy && t('payment.paying')}
        </p>
      </div>
      <FailureDialog
        failure={popup}
        onClose={() => {
          closeFailure();
          if (popup?.signIn) onSignIn();
        }}
      />
      <ChangesDialog
        open={changed !== undefined}
        changes={changed?.changes ?? []}
        refusals={changed?.refusals ?? []}
        total={changed?.now.bill.total ?? 0}
        currency={order.bill.currency}
        onAccept={() => void pay(changed?.now)}
        onClose={closeChanged}
      />
    </form>
  );
}
