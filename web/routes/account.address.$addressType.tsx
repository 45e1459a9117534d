import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createFileRoute, redirect } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { addressLines } from '#contract/addresses.ts';
import { type AddressType, addressTypes } from '#contract/limits.ts';
import { savedAddressErrors } from '#contract/rules/account.ts';
import {
  addressesVersion,
  withAddress,
  withDefault,
  withoutAddress,
} from '#contract/rules/saved-addresses.ts';
import type { Address } from '#contract/schemas/order.ts';
import type { User } from '#contract/schemas/shop.ts';
import { Button } from '#ui/button.tsx';
import { ApiError, errorText, type FieldTexts, fieldErrorsOf } from '#ui/errors.ts';
import { FormActions, FormProblem, useForm } from '#ui/form.tsx';
import { useT } from '#ui/i18n.tsx';
import { TextField } from '#ui/inputs.tsx';
import { Notice } from '#ui/notice.tsx';
import { focusQuietly } from '#ui/page.tsx';
import {
  AccountFrame,
  CustomerOnly,
  ListSkeleton,
  LoadFailed,
} from '#web/features/account/account-frame.tsx';
import { AddressFields } from '#web/features/checkout/address-fields.tsx';
import { type AddressValue, askedParts, emptyAddress } from '#web/lib/address.ts';
import { addressFormQuery } from '#web/lib/address-form.ts';
import { useApi } from '#web/lib/api.ts';
import { pageHead } from '#web/lib/head.ts';
import { withKept } from '#web/lib/tab-storage.ts';
import { urls } from '#web/lib/urls.ts';
import { addressesKey, addressesQuery, noticeSignedOut, sessionKey } from '../features/account/queries.ts';

const empty: SavedAddressValue = { ...emptyAddress, contactPhone: '' };

export const Route = createFileRoute('/account/address/$addressType')({
  loader: ({ context, params }) => {
    const type = addressTypes.find((known) => known === params.addressType);
    // 'true', or anything else that is not a type.
    if (!type) throw redirect({ href: urls.account() });
    return { type, title: context.t(`account.address.${type}`) };
  },
  head: ({ matches, loaderData }) => pageHead(matches, loaderData),
  component: AddressRoute,
});

function AddressRoute() {
  const t = useT();
  const { type, title } = Route.useLoaderData();
  return (
    <AccountFrame title={title} name={title} lead={t(`account.address.lead.${type}`)}>
      <CustomerOnly skeleton={<ListSkeleton />}>
        {(user) => (
          <AddressBook key={type} user={user} type={type} fields={(props) => <AddressFields {...props} />} />
        )}
      </CustomerOnly>
    </AccountFrame>
  );
}

function AddressBook({ user, type, fields }: { user: User; type: AddressType; fields: AddressFieldsSlot }) {
  const t = useT();
  const query = useQuery(addressesQuery(useApi(), user.id, type));
  const { save, change, problem, undo } = useAddressChanges(user, type);
  const [editing, setEditing] = useState<number | 'new' | null>(null);
  if (query.isError && !query.data) return <LoadFailed onRetry={() => void query.refetch()} />;
  const addresses = query.data;
  if (!addresses) return <ListSkeleton />;
  if (editing !== null) {
    const at = editing === 'new' ? addresses.length : editing;
    return (
      <AddressForm
        type={type}
        initial={addresses[at]}
        fields={fields}
        at={at}
        save={(address) => save((list) => withAddress(list, address, addresses[at]))}
        onDone={() => {
          setEditing(null);
          // The list is shorter than the form: without this its end would be in view.
          scrollTo({ top: 0 });
          focusQuietly(document.querySelector<HTMLElement>('main h1'));
        }}
      />
    );
  }
  return (
    <div className="flex flex-col items-start gap-6">
      {problem && <Notice tone="bad" title={problem} className="w-full" />}
      {undo && <Removed onUndo={() => void change(undo)} />}
      <AddressCards
        addresses={addresses}
        onEdit={setEditing}
        onDefault={(address) => void change((list) => withDefault(list, address))}
        onRemove={(address, at) =>
          void change(
            (list) => withoutAddress(list, address),
            (list) => list.toSpliced(at, 0, address),
          )
        }
      />
      <Button label={t('account.address.add')} icon="plus" onClick={() => setEditing('new')} />
    </div>
  );
}

type ChangeList = (list: readonly Address[]) => Partial<Address>[];

/** `save` rejects if the list is not saved; `change` reports it in `problem`, and keeps what leads back in `undo`. */
function useAddressChanges(user: User, type: AddressType) {
  const t = useT();
  const api = useApi();
  const client = useQueryClient();
  const [undo, setUndo] = useState<ChangeList>();
  const [problem, setProblem] = useState<string>();
  const params = { addressType: type, id: user.id };
  const send = (list: readonly Address[], to: ChangeList) =>
    api.call('updateAddresses', { params, query: { seen: addressesVersion(list) }, body: to(list) });
  /** Sends the whole list, because the API replaces it as a whole. One that another tab has changed is changed as it is now. */
  const save = async (to: ChangeList) => {
    const shown = addressesQuery(api, user.id, type);
    const { user: changed } = await send(client.getQueryData(shown.queryKey) ?? [], to).catch(
      async (error: unknown) => {
        if (!(error instanceof ApiError) || error.status !== 409) throw error;
        return send(await client.fetchQuery(shown), to);
      },
    );
    const list = type === 'shipping' ? changed.shippingAddresses : changed.billingAddresses;
    client.setQueryData(addressesKey(api, user.id, type), list);
    client.setQueryData(sessionKey, (session) => session && { ...session, user: changed });
  };
  const change = async (to: ChangeList, back?: ChangeList) => {
    setProblem(undefined);
    setUndo(undefined);
    try {
      await save(to);
      setUndo(() => back);
    } catch (error) {
      noticeSignedOut(client, error);
      setProblem(errorText(error, t));
    }
  };
  return { save, change, problem, undo };
}

function Removed({ onUndo }: { onUndo: () => void }): ReactNode {
  const t = useT();
  return (
    <Notice tone="info" title={t('account.address.removed')} className="w-full">
      <Button label={t('account.address.undo')} variant="quiet" size="small" onClick={onUndo} />
    </Notice>
  );
}

interface AddressCardsProps {
  addresses: Address[];
  onEdit: (at: number) => void;
  onDefault: (address: Address) => void;
  onRemove: (address: Address, at: number) => void;
}

function AddressCards({ addresses, onEdit, onDefault, onRemove }: AddressCardsProps) {
  const t = useT();
  if (addresses.length === 0) return <p className="text-ink-soft">{t('account.address.empty')}</p>;
  return (
    <ul className="grid w-full gap-4 product:grid-cols-2">
      {addresses.map((address, at) => {
        const lines = addressLines(address);
        const named = { address: lines[0] ?? '' };
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: an address has no identity, and the same one may be saved twice
          <li key={`${at} ${lines.join()}`} className="flex flex-col gap-3 rounded-lg bg-surface-inset p-6">
            {at === 0 && <p className="font-semibold text-action text-sm">{t('account.address.default')}</p>}
            <address className="grow break-words not-italic">
              {[...lines, address.contactPhone].filter(Boolean).map((line) => (
                <span key={line} className="block">
                  {line}
                </span>
              ))}
            </address>
            <div className="-mx-2 flex flex-wrap gap-x-2">
              <Button
                variant="quiet"
                size="small"
                aria-label={t('account.address.editNamed', named)}
                onClick={() => onEdit(at)}
              >
                {t('account.address.edit')}
              </Button>
              <Button
                label={t('account.address.remove')}
                variant="quiet"
                size="small"
                aria-label={t('account.address.removeNamed', named)}
                onClick={() => onRemove(address, at)}
              />
              {at > 0 && (
                <Button
                  label={t('account.address.makeDefault')}
                  variant="quiet"
                  size="small"
                  aria-label={t('account.address.makeDefaultNamed', named)}
                  onClick={() => onDefault(address)}
                />
              )}
            </div>
          </li>
        );
      })}
    </ul>
  );
}

type AddressFieldsSlot = (props: {
  value: AddressValue;
  errors: FieldTexts;
  prefix: 'address' | 'billingAddress';
  onChange: (changes: Partial<AddressValue>) => void;
}) => ReactNode;

interface AddressFormProps {
  type: AddressType;
  initial: Address | undefined;
  at: number;
  fields: AddressFieldsSlot;
  save: (address: AddressValue) => Promise<void>;
  onDone: () => void;
}

interface SavedAddressValue extends AddressValue {
  contactPhone: string;
}

/** The form for one saved address. SPEC §5: street, city and postal code are required. */
function AddressForm({ type, initial, at, fields, save, onDone }: AddressFormProps) {
  const t = useT();
  const client = useQueryClient();
  const api = useApi();
  const heading = useRef<HTMLHeadingElement>(null);
  // The fields have loaded it.
  const formOf = (country: string) => client.getQueryData(addressFormQuery(api, country).queryKey);
  const prefix = type === 'shipping' ? 'address' : 'billingAddress';
  const { values, errors, change, field, problem, busy, formProps } = useForm({
    initial: withKept<SavedAddressValue>(empty, initial),
    validate: (value) => unnumbered(savedAddressErrors(value, at, formOf(value.countryISOCode)), at),
    send: (value) => save(askedParts(value, formOf(value.countryISOCode))),
    onSent: onDone,
    rejectedFields: (error) => unnumbered(fieldErrorsOf(error), at),
    onRejected: (error) => noticeSignedOut(client, error),
  });
  useEffect(() => heading.current?.focus(), []);
  const prefixed = Object.fromEntries(
    Object.entries(errors).map(([name, text]) => [`${prefix}.${name}`, text]),
  );
  return (
    <form {...formProps} className="flex max-w-form flex-col gap-5">
      <h2 ref={heading} tabIndex={-1} className="text-lg">
        {t(initial ? 'account.address.editTitle' : 'account.address.newTitle')}
      </h2>
      <FormProblem>{problem}</FormProblem>
      {fields({ value: values, errors: prefixed, prefix, onChange: change })}
      <TextField
        {...field('contactPhone')}
        label={t('account.address.phone')}
        hint={t('account.address.phoneHint')}
        optional={t('ui.optional')}
        type="tel"
        inputMode="tel"
        autoComplete={`${type} tel`}
        maxLength={40}
      />
      <FormActions label={t('account.address.save')} busy={busy}>
        <Button label={t('account.address.cancel')} variant="quiet" onClick={onDone} />
      </FormActions>
    </form>
  );
}

function unnumbered<T>(errors: Readonly<Record<string, T>>, at: number): Record<string, T> {
  const own = `${at}.`;
  return Object.fromEntries(
    Object.entries(errors).map(([field, error]) => [
      field.startsWith(own) ? field.slice(own.length) : field,
      error,
    ]),
  );
}
