import type { ReactNode, Ref } from 'react';
import type { PaymentMethod } from '#contract/rules/payment.ts';
import type { Order } from '#contract/schemas/order.ts';
import type { FieldTexts } from '#ui/errors.ts';
import { useT } from '#ui/i18n.tsx';
import { cardIcon } from '#ui/page-icons.ts';
import { type RadioCard, RadioCards } from '#ui/radio-cards.tsx';
import { type BillingFieldsProps, BillingSection, type PaymentFields } from './billing-section.tsx';
import { PanelSlot, type SlotState } from './panel-slot.tsx';
import type { PanelHandle } from './provider-panel.ts';
import { findWallet, type PageGateway } from './registry.ts';
import { payerAddress } from './use-payment.ts';

interface PaymentMethodPickerProps {
  offered: PaymentMethod[];
  value: PaymentMethod | null;
  error: string | undefined;
  atTable: boolean;
  storeName: string;
  storeProblem: string | undefined;
  onChange: (choice: PaymentMethod) => void;
}

export function PaymentMethodPicker(props: PaymentMethodPickerProps) {
  const { offered, value, error, atTable, storeName, storeProblem, onChange } = props;
  const t = useT();
  const cardOf = (method: PaymentMethod): Omit<RadioCard<PaymentMethod>, 'value'> => {
    const wallet = findWallet(method)?.messages;
    if (wallet) return { title: t(wallet.title), note: t(wallet.note), icon: 'external' };
    if (method === 'online') return { title: t('payment.method.online'), note: t('payment.method.online.note'), icon: cardIcon };
    if (storeProblem) return { title: t('payment.method.store'), note: storeProblem, icon: 'store', disabled: true };
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

export function CardSection(props: CardSectionProps) {
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
              billing={payerAddress(form.address, order)}
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
      {gateway.billingAddress && <BillingSection form={form} fields={billingFields} />}
    </>
  );
}
