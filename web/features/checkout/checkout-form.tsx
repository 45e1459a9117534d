import { enabledMethods, methodErrors } from '#contract/rules/method.ts';
import { paymentErrors } from '#contract/rules/payment.ts';
import type { CheckoutConfig, PaymentConfig } from '#contract/schemas/order.ts';
import type { User } from '#contract/schemas/shop.ts';
import { useT } from '#web/i18n/i18n.tsx';
import { fieldTexts } from '#web/lib/api-errors.ts';
import { urls } from '#web/lib/urls.ts';
import { Button } from '#web/ui/button.tsx';
import { FormErrorCount } from '#web/ui/form/form-parts.tsx';
import { LinkButton } from '#web/ui/link-button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { ContactFields } from './contact-fields.tsx';
import type { Draft } from './draft.ts';
import { FormSection } from './form-section.tsx';
import { MethodChoice } from './method-choice.tsx';
import { PickupFields } from './pickup-fields.tsx';
import { ShippingFields } from './shipping-fields.tsx';
import { TableFields } from './table-fields.tsx';
import { type CheckoutFormOptions, useCheckoutForm } from './use-checkout-form.ts';

export interface CheckoutFormProps extends CheckoutFormOptions {
  payment: PaymentConfig;
  /** Null for a guest. */
  user: User | null;
}

/** The checkout form in one column: the delivery method, the destination, and the contact. */
export function CheckoutForm(props: CheckoutFormProps) {
  const { order, config, payment } = props;
  const t = useT();
  const form = useCheckoutForm(props);
  const { draft, method, unable, errors, problem } = form;

  const setup = fieldTexts({ ...notSetUp(config), ...paymentErrors('online', payment, null) }, t);
  const noPayment = !payment.paymentOnline && !payment.payAtStoreEnabled && order.bill.total > 0;
  const blocked = setup.methodName ?? (noPayment ? setup.paymentMethod : undefined);
  if (blocked) return <NotSetUp reason={blocked} />;

  return (
    <form {...form.formProps} className="flex flex-col gap-10">
      {problem && (
        <Notice tone="bad" title={problem}>
          {Object.entries(errors).map(([field, text]) => (
            <p key={field}>{text}</p>
          ))}
        </Notice>
      )}
      <FormSection
        title={t(enabledMethods(config).length > 1 ? 'checkout.method.title' : `checkout.method.${method ?? 'shipping'}`)}
      >
        <MethodChoice
          methods={enabledMethods(config)}
          value={method}
          unable={unable}
          error={errors.methodName ?? (method ? unable[method] : undefined)}
          onChange={form.changeMethod}
        />
      </FormSection>
      <MethodFields {...props} form={form} />
      <FormSection title={t('checkout.contact.title')}>
        <ContactFields
          value={draft.contact}
          method={method}
          config={config}
          errors={errors}
          onChange={(changes) => form.change('contact', changes)}
        />
      </FormSection>
      <CheckoutActions errorCount={form.errorCount} busy={form.busy} />
    </form>
  );
}

type MethodFieldsProps = CheckoutFormProps & { form: ReturnType<typeof useCheckoutForm> };

/** The fields of the chosen method. */
function MethodFields({ order, config, stores, user, form }: MethodFieldsProps) {
  const t = useT();
  const { draft, errors, change } = form;
  const choose = (changes: Partial<Draft['choices']>) => change('choices', changes);
  switch (form.method) {
    case 'shipping':
      return (
        <ShippingFields
          draft={draft}
          methods={form.shippingMethods}
          currency={order.bill.currency}
          errors={errors}
          saved={user?.shippingAddresses}
          onSave={(saveAddress) => choose({ saveAddress: saveAddress ? 'yes' : '' })}
          onAddress={(changes) => change('address', changes)}
          onMethod={(shippingMethod) => choose({ shippingMethod })}
        />
      );
    case 'pickup':
      return (
        <PickupFields
          choices={draft.choices}
          config={config}
          stores={stores}
          lines={order.lineItems}
          stock={form.stock}
          errors={errors}
          onChange={choose}
        />
      );
    case 'instore':
      return (
        <FormSection title={t('checkout.table.title')}>
          <TableFields value={draft.choices} stores={stores} errors={errors} onChange={choose} />
        </FormSection>
      );
    default:
      return null;
  }
}

function CheckoutActions({ errorCount, busy }: { errorCount: number; busy: boolean }) {
  const t = useT();
  return (
    <div className="flex flex-col gap-3">
      <FormErrorCount id="checkout-errors" count={errorCount} />
      <div className="flex flex-wrap-reverse items-center justify-between gap-4">
        <LinkButton href={urls.cart()} variant="quiet" className="-ml-2">
          {t('checkout.back')}
        </LinkButton>
        <Button type="submit" busy={busy} className="grow product:grow-0">
          {t('checkout.continue')}
        </Button>
      </div>
    </div>
  );
}

/** SPEC §5: 'Checkout method has not been setup'. */
function notSetUp(config: CheckoutConfig) {
  return enabledMethods(config).length === 0 ? methodErrors(null, config) : {};
}

function NotSetUp({ reason }: { reason: string }) {
  const t = useT();
  return (
    <div className="flex flex-col items-start gap-4">
      <Notice tone="bad" title={reason} className="w-full" />
      <LinkButton href={urls.cart()} variant="secondary">
        {t('checkout.back')}
      </LinkButton>
    </div>
  );
}
