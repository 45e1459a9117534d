import type { CheckoutMethod } from '#contract/limits.ts';
import { inLocale, type MessageKey } from '#contract/locales.ts';
import { familyNameFirst } from '#contract/names.ts';
import { contactNeeds } from '#contract/rules/contact.ts';
import { enabledMethods, methodErrors, partyChargeAt, tableStores } from '#contract/rules/method.ts';
import { paymentErrors } from '#contract/rules/payment.ts';
import type { CheckoutConfig } from '#contract/schemas/checkout.ts';
import type { PaymentConfig } from '#contract/schemas/payment-config.ts';
import type { PickupLocation, User } from '#contract/schemas/shop.ts';
import { Button, LinkButton } from '#ui/button.tsx';
import { type FieldTexts, fieldTexts } from '#ui/errors.ts';
import { FieldError } from '#ui/field.tsx';
import { FormSection } from '#ui/form.tsx';
import { useLocale, useT } from '#ui/i18n.tsx';
import { TextField } from '#ui/inputs.tsx';
import { Link } from '#ui/link.tsx';
import { Notice } from '#ui/notice.tsx';
import { RadioCards } from '#ui/radio-cards.tsx';
import { urls } from '#web/lib/urls.ts';
import { TableChip } from '#web/ui/table-chip.tsx';
import type { Draft } from './draft.ts';
import { MethodChoice } from './method-choice.tsx';
import { PickupFields } from './pickup-fields.tsx';
import { ShippingFields } from './shipping-fields.tsx';
import { type CheckoutFormOptions, useCheckoutForm } from './use-checkout-form.ts';

interface CheckoutFormProps extends CheckoutFormOptions {
  payment: PaymentConfig;
  /** Null for a guest. */
  user: User | null;
}

/** The checkout form in one column: the email, the delivery method, and for whom and where it is. */
export function CheckoutForm(props: CheckoutFormProps) {
  const { order, config, payment, user } = props;
  const t = useT();
  const form = useCheckoutForm(props);
  const { method, unable, errors, problem } = form;

  const setup = fieldTexts({ ...notSetUp(config), ...paymentErrors('online', payment, null) }, t);
  const noPayment = !payment.paymentOnline && !payment.payAtStoreEnabled && order.bill.total > 0;
  // Nothing is left to choose on another page.
  const visitsOnly = !payment.paymentOnline && method !== null && method !== 'shipping';
  const blocked = setup.methodName ?? (noPayment ? setup.paymentMethod : undefined);
  if (blocked) return <NotSetUp reason={blocked} />;

  return (
    <form {...form.formProps} className="flex flex-col gap-10">
      {problem && (
        <Notice tone="bad" title={problem}>
          {Object.entries(errors).map(
            ([field, text]) => !problem.includes(text) && <p key={field}>{text}</p>,
          )}
        </Notice>
      )}
      {form.seat && <Seat {...form.seat} onChange={() => form.change('choices', { atTable: '' })} />}
      <FormSection title={t('checkout.contact.title')}>
        <EmailField {...form.contact} config={contactNeeds(config, method)} />
        {!user && !form.seat && (
          <p className="-mt-3 text-sm">
            <Link href={urls.login(urls.checkout())} className="link -my-1 inline-block py-1">
              {t('checkout.signIn')}
            </Link>
          </p>
        )}
      </FormSection>
      {form.seat && <PartySizeField config={config} form={form} />}
      {!form.seat && (
        <>
          <FormSection
            title={t(
              form.methods.length > 1 ? 'checkout.method.title' : `checkout.method.${method ?? 'shipping'}`,
            )}
          >
            <MethodChoice
              methods={form.methods}
              value={method}
              unable={unable}
              error={errors.methodName}
              onChange={form.changeMethod}
            />
          </FormSection>
          <MethodFields {...props} form={form} />
        </>
      )}
      <CheckoutActions
        errorCount={form.errorCount}
        busy={form.busy}
        counter={
          payment.payAtStoreEnabled && (form.seat ? !payment.payOnlineAtTables : visitsOnly)
            ? form.payAtCounter
            : undefined
        }
        counterLabel={visitsOnly ? 'payment.place' : 'table.orderNow'}
        online={payment.paymentOnline}
      />
    </form>
  );
}

type MethodFieldsProps = CheckoutFormProps & { form: ReturnType<typeof useCheckoutForm> };

function MethodFields({ order, config, stores, user, form }: MethodFieldsProps) {
  const t = useT();
  const { draft, errors, change } = form;
  const choose = (changes: Partial<Draft['choices']>) => change('choices', changes);
  const atTable = form.method === 'instore';
  const names = <NameFields {...form.contact} optional={atTable} />;
  // The order is brought to the table: nobody has to call.
  const phone = (!atTable || config.requireMobile) && (
    <PhoneField {...form.contact} method={form.method} config={config} />
  );
  const person = (
    <FormSection title={t('checkout.person.title')}>
      {names}
      {phone}
    </FormSection>
  );
  switch (form.method) {
    case 'shipping':
      return (
        <ShippingFields
          draft={draft}
          methods={form.shippingMethods}
          isPlaced={form.isPlaced}
          delivery={{ ...form.delivery, onPickup: pickupOf(form) }}
          currency={order.bill.currency}
          errors={errors}
          saved={user?.shippingAddresses}
          names={names}
          phone={phone}
          onSave={(saveAddress) => choose({ saveAddress: saveAddress ? 'yes' : '' })}
          onAddress={(changes) => change('address', changes)}
          onMethod={(shippingMethod) => choose({ shippingMethod })}
        />
      );
    case 'pickup':
      return (
        <>
          <PickupFields
            choices={draft.choices}
            config={config}
            stores={stores}
            lines={order.lineItems}
            stock={form.stock}
            errors={errors}
            onChange={choose}
          />
          {person}
        </>
      );
    case 'instore':
      return (
        <>
          <FormSection title={t('checkout.table.title')}>
            <TableFields value={draft.choices} stores={stores} errors={errors} onChange={choose} />
            <PartySizeField config={config} form={form} />
          </FormSection>
          {person}
        </>
      );
    default:
      return null;
  }
}

/** Chooses pickup; undefined if it is not offered. */
function pickupOf({ methods, unable, changeMethod }: MethodFieldsProps['form']) {
  return methods.includes('pickup') && unable.pickup === undefined ? () => changeMethod('pickup') : undefined;
}

interface CheckoutActionsProps {
  errorCount: number;
  busy: boolean;
  /** Where the order can be placed here and paid at the counter: called with whether it is. */
  counter: ((atCounter: boolean) => void) | undefined;
  counterLabel: MessageKey;
  online: boolean;
}

/** Goes on to payment. At a table, or where nothing is paid online, the order is placed here and paid at the counter. */
function CheckoutActions({ errorCount, busy, counter, counterLabel, online }: CheckoutActionsProps) {
  const t = useT();
  return (
    <div className="flex flex-col gap-3">
      <FieldError id="checkout-errors">
        {errorCount > 0 && t('checkout.errors', { count: errorCount })}
      </FieldError>
      {counter && (
        <Button label={t(counterLabel)} type="submit" busy={busy} wide onClick={() => counter(true)} />
      )}
      {(!counter || online) && (
        <Button
          type="submit"
          busy={busy}
          wide
          variant={counter ? 'secondary' : 'primary'}
          onClick={() => counter?.(false)}
        >
          {t(counter ? 'table.payNow' : 'checkout.continue')}
        </Button>
      )}
    </div>
  );
}

/** The table of the link that led here, with a button to choose something else. */
function Seat({ table, store, onChange }: { table: string; store: string; onChange: () => void }) {
  const t = useT();
  return (
    <TableChip table={table} store={store}>
      <Button label={t('table.change')} variant="quiet" size="small" onClick={onChange} />
    </TableChip>
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

interface TableFieldsProps {
  value: Pick<Draft['choices'], 'tableStore' | 'tableNumber'>;
  stores: PickupLocation[];
  errors: FieldTexts;
  onChange: (changes: Partial<Draft['choices']>) => void;
}

function TableFields({ value, stores, errors, onChange }: TableFieldsProps) {
  const t = useT();
  const locale = useLocale();
  const offered = tableStores(stores);
  return (
    <>
      {(offered.length > 1 || errors.localStoreName) && (
        <RadioCards
          legend={t('checkout.table.store')}
          error={errors.localStoreName}
          value={value.tableStore || null}
          onChange={(tableStore) => onChange({ tableStore })}
          options={offered.map((store) => ({
            value: store.localStoreName,
            title: inLocale(store.nameContent, locale),
            note: `${store.address.streetNumberAndNameDetails}, ${store.address.city}`,
          }))}
        />
      )}
      <TextField
        className="max-w-56"
        label={t('checkout.table.number')}
        hint={t('checkout.table.hint')}
        name="tableNumber"
        value={value.tableNumber}
        error={errors.tableNumber}
        inputMode="numeric"
        autoComplete="off"
        maxLength={10}
        onChange={(event) => onChange({ tableNumber: event.target.value })}
      />
    </>
  );
}

/** How many people are at the table; nothing unless a service charge depends on it. */
function PartySizeField({ config, form }: Pick<MethodFieldsProps, 'config' | 'form'>) {
  const t = useT();
  const locale = useLocale();
  const charge = partyChargeAt(form.draft.choices.tableStore, config);
  if (!charge) return null;
  const { percent, fromPartySize: from } = charge;
  return (
    <TextField
      className="max-w-56"
      label={t('checkout.partySize.label')}
      hint={t('checkout.partySize.hint', { name: inLocale(charge.nameContent, locale), percent, from })}
      name="partySize"
      value={form.draft.choices.partySize}
      error={form.errors.partySize}
      inputMode="numeric"
      autoComplete="off"
      maxLength={2}
      onChange={(event) => form.change('choices', { partySize: event.target.value })}
    />
  );
}

interface ContactFieldsProps {
  value: Draft['contact'];
  errors: FieldTexts;
  onChange: (changes: Partial<Draft['contact']>) => void;
}

function fieldOf(name: keyof Draft['contact'] & string, { value, errors, onChange }: ContactFieldsProps) {
  return {
    name,
    value: value[name] ?? '',
    error: errors[`contact.${name}`],
    onChange: (event: { target: { value: string } }) => onChange({ [name]: event.target.value }),
  };
}

/** The email address, which the form asks for first: an order can be recovered from it. */
function EmailField({
  config,
  ...contact
}: ContactFieldsProps & { config: Pick<CheckoutConfig, 'requireEmail'> }) {
  const t = useT();
  return (
    <TextField
      {...fieldOf('email', contact)}
      label={t('checkout.contact.email')}
      hint={t('checkout.contact.email.hint')}
      optional={!config.requireEmail && t('ui.optional')}
      type="email"
      inputMode="email"
      autoComplete="email"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={254}
    />
  );
}

function NameFields({ optional = false, ...contact }: ContactFieldsProps & { optional?: boolean }) {
  const t = useT();
  const shared = { optional: optional && t('ui.optional'), maxLength: 100 };
  const firstName = {
    ...fieldOf('firstName', contact),
    ...shared,
    label: t('checkout.contact.firstName'),
    autoComplete: 'given-name',
  };
  const lastName = {
    ...fieldOf('lastName', contact),
    ...shared,
    label: t('checkout.contact.lastName'),
    autoComplete: 'family-name',
  };
  return (
    <div className="grid grid-cols-2 items-start gap-x-4">
      {(familyNameFirst(t) ? [lastName, firstName] : [firstName, lastName]).map((part) => (
        <TextField key={part.name} {...part} />
      ))}
    </div>
  );
}

interface PhoneFieldProps extends ContactFieldsProps {
  method: CheckoutMethod | null;
  config: Pick<CheckoutConfig, 'requireMobile'>;
}

function PhoneField({ method, config, ...contact }: PhoneFieldProps) {
  const t = useT();
  return (
    <TextField
      {...fieldOf('phoneNumber', contact)}
      label={t('checkout.contact.phone')}
      hint={t(`checkout.contact.phone.${method ?? 'shipping'}`)}
      optional={!config.requireMobile && t('ui.optional')}
      type="tel"
      inputMode="tel"
      autoComplete="tel"
      maxLength={40}
    />
  );
}
