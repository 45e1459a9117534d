import type { ReactNode } from 'react';
import { addressLines } from '#contract/addresses.ts';
import { inLocale } from '#contract/locales.ts';
import type { ShippingMethod } from '#contract/schemas/checkout.ts';
import type { Address } from '#contract/schemas/order.ts';
import { Button } from '#ui/button.tsx';
import { cx } from '#ui/cx.ts';
import type { FieldTexts } from '#ui/errors.ts';
import { FieldError } from '#ui/field.tsx';
import { FormSection } from '#ui/form.tsx';
import { useLocale, useT } from '#ui/i18n.tsx';
import { Checkbox } from '#ui/inputs.tsx';
import { Skeleton } from '#ui/layout.tsx';
import { RadioCards } from '#ui/radio-cards.tsx';
import { type AddressValue, emptyAddress } from '#web/lib/address.ts';
import { arrivalText } from '#web/lib/arrival.ts';
import { withKept } from '#web/lib/tab-storage.ts';
import { Money } from '#web/ui/price.tsx';
import { AddressFields } from './address-fields.tsx';
import type { Draft } from './draft.ts';
import type { OfferedDelivery } from './use-checkout-form.ts';
import { chosenShippingMethod } from './validate.ts';

interface ShippingFieldsProps {
  draft: Draft;
  /** The methods offered for the address; undefined while they load. */
  methods: ShippingMethod[] | undefined;
  /** Whether the place is known, which prices depend on. */
  isPlaced: boolean;
  /** With a function that chooses pickup instead, if that is offered. */
  delivery: OfferedDelivery & { onPickup: (() => void) | undefined };
  currency: string;
  errors: FieldTexts;
  saved: Address[] | undefined;
  names: ReactNode;
  phone: ReactNode;
  onSave: (save: boolean) => void;
  onAddress: (changes: Partial<AddressValue>) => void;
  onMethod: (id: string) => void;
}

export function ShippingFields(props: ShippingFieldsProps) {
  const { draft, methods, currency, errors, saved, onSave, onAddress, onMethod } = props;
  const t = useT();
  const { address, choices } = draft;
  const isSaved = saved !== undefined && savedIndex(saved, address) >= 0;
  const wrong = Object.keys(errors).some((field) => field.startsWith('address.'));
  return (
    <>
      <FormSection title={t('checkout.address.title')}>
        {props.names}
        {saved && saved.length > 0 && <SavedAddresses saved={saved} address={address} onChange={onAddress} />}
        {(!isSaved || wrong) && (
          <AddressFields value={address} errors={errors} prefix="address" onChange={onAddress} />
        )}
        {saved && !isSaved && (
          <Checkbox
            label={t('checkout.address.save')}
            checked={choices.saveAddress !== ''}
            onChange={(event) => onSave(event.target.checked)}
          />
        )}
        {props.phone}
      </FormSection>
      <FormSection title={t('checkout.shippingMethod.title')}>
        <ShippingMethodChoice
          methods={methods}
          ready={props.isPlaced}
          chosen={chosenShippingMethod(choices.shippingMethod, methods)}
          currency={currency}
          error={errors.shippingMethod}
          onChange={onMethod}
          delivery={props.delivery}
        />
        <DeliveryNote {...props.delivery} />
      </FormSection>
    </>
  );
}

/** Whether a store delivers to the address itself, if it is not among the methods. It has the room of its answer from the start. */
function DeliveryNote({ state, message, onPickup }: ShippingFieldsProps['delivery']) {
  const t = useT();
  const words = {
    off: '',
    incomplete: t('checkout.delivery.needAddress'),
    checking: t('checkout.delivery.checking'),
    known: message,
  };
  return (
    <div
      role="status"
      className={cx(
        'flex flex-col items-start gap-2 text-ink-soft empty:hidden',
        onPickup && 'min-h-29 product:min-h-21',
      )}
    >
      {words[state] && <p>{words[state]}</p>}
      {message && onPickup && (
        <Button label={t('checkout.delivery.pickup')} variant="secondary" size="small" onClick={onPickup} />
      )}
    </div>
  );
}

/** The index of the saved address that this equals; -1 for another one. */
function savedIndex(saved: readonly Address[], address: AddressValue): number {
  return saved.findIndex((candidate) => {
    const value = withKept(emptyAddress, candidate);
    return Object.keys(value).every((field) => value[field] === address[field]);
  });
}

interface SavedAddressesProps {
  saved: Address[];
  address: AddressValue;
  onChange: (changes: Partial<AddressValue>) => void;
}

function SavedAddresses({ saved, address, onChange }: SavedAddressesProps) {
  const t = useT();
  const chosen = savedIndex(saved, address);
  const pick = (value: string) => {
    const picked = saved[Number(value)];
    onChange(picked ? withKept(emptyAddress, picked) : emptyAddress);
  };
  return (
    <RadioCards
      legend={t('checkout.address.saved')}
      hideLegend
      value={chosen < 0 ? 'other' : String(chosen)}
      onChange={pick}
      options={[
        ...saved.map((candidate, index) => {
          const [title, ...rest] = addressLines(candidate);
          return { value: String(index), title, note: rest.join(', ') };
        }),
        { value: 'other', title: t('checkout.address.newOne') },
      ]}
    />
  );
}

interface ShippingMethodChoiceProps {
  methods: ShippingMethod[] | undefined;
  ready: boolean;
  chosen: ShippingMethod | undefined;
  currency: string;
  error: string | undefined;
  delivery: OfferedDelivery;
  onChange: (id: string) => void;
}

/** The choice of the shipping method for the address, cheapest first, with rate and duration. */
function ShippingMethodChoice({
  methods,
  ready,
  chosen,
  currency,
  error,
  delivery,
  onChange,
}: ShippingMethodChoiceProps) {
  const t = useT();
  const locale = useLocale();
  if (!ready) return <p className="text-ink-soft">{t('checkout.shippingMethod.needAddress')}</p>;
  if (!methods) {
    return (
      <div role="status" aria-label={t('checkout.shippingMethod.loading')} className="flex flex-col gap-3">
        <Skeleton className="h-18 rounded-md" />
        <Skeleton className="h-18 rounded-md" />
      </div>
    );
  }
  // The note says what is missing, or why there is none.
  if (
    methods.length === 0 &&
    delivery.state !== 'off' &&
    !error &&
    (delivery.state !== 'known' || delivery.message)
  )
    return null;
  if (methods.length === 0) {
    return (
      <FieldError id="no-shipping-method" alone={error !== undefined}>
        {error ?? t('checkout.shippingMethod.none')}
      </FieldError>
    );
  }
  return (
    <RadioCards
      legend={t('checkout.shippingMethod.title')}
      hideLegend
      error={error}
      value={chosen?.id ?? null}
      onChange={onChange}
      options={methods.map((method) => ({
        value: method.id,
        title: inLocale(method.nameContent, locale),
        note:
          method.minutes === undefined
            ? method.arrival && arrivalText(method.arrival, t, locale)
            : t('checkout.delivery.minutes', { minutes: method.minutes }),
        end:
          method.price === 0 ? (
            <span className="font-semibold">{t('bill.free')}</span>
          ) : (
            <Money cents={method.price} currency={currency} className="font-semibold" />
          ),
      }))}
    />
  );
}
