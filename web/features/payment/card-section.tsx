import type { ReactNode, Ref } from 'react';
import type { Order } from '#contract/schemas/order.ts';
import type { FieldTexts } from '#ui/errors.ts';
import { useT } from '#ui/i18n.tsx';
import { type BillingFieldsProps, BillingSection, type PaymentFields } from './billing-section.tsx';
import { PanelSlot, type SlotState } from './panel-slot.tsx';
import type { PanelHandle } from './provider-panel.ts';
import type { PageGateway } from './registry.ts';
import { payerAddress } from './use-payment.ts';

interface CardSectionProps {
  gateway: PageGateway;
  handle: Ref<PanelHandle>;
  order: Order;
  form: PaymentFields;
  /** Marks the panel's fields and clears all earlier marks. */
  onErrors: (errors: FieldTexts) => void;
  busy: boolean;
  demonstration: boolean;
  slot: SlotState;
  billingFields: (props: BillingFieldsProps) => ReactNode;
}

/** The gateway's card panel, and the billing address if the gateway needs it. */
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
