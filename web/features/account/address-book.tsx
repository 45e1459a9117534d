import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { AddressType } from '#contract/limits.ts';
import type { Address } from '#contract/schemas/order.ts';
import type { User } from '#contract/schemas/shop.ts';
import { Button } from '#ui/button.tsx';
import { errorText } from '#ui/errors.ts';
import { focusQuietly } from '#ui/focus.ts';
import { useT } from '#ui/i18n.tsx';
import { Notice } from '#ui/notice.tsx';
import { useApi } from '#web/lib/api-context.tsx';
import { ListSkeleton } from './account-frame.tsx';
import { AddressCards } from './address-cards.tsx';
import { type AddressFieldsSlot, AddressForm } from './address-form.tsx';
import { LoadFailed } from './load-failed.tsx';
import { addressesKey, addressesQuery, noticeSignedOut, sessionKey } from './queries.ts';

export interface AddressBookProps {
  user: User;
  type: AddressType;
  /** The address fields, supplied by the feature that owns them. */
  fields: AddressFieldsSlot;
}

/** The customer's addresses of one type; the first is the default. */
export function AddressBook({ user, type, fields }: AddressBookProps) {
  const t = useT();
  const query = useQuery(addressesQuery(useApi(), user.id, type));
  const { save, change, problem, undo } = useAddressChanges(user, type);
  /** The address being edited: its position in the list, or a new one. */
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
        save={(address) => save([...addresses.slice(0, at), address, ...addresses.slice(at + 1)])}
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
        onDefault={(at) => void change(moveFirst(addresses, at))}
        onRemove={(at) => void change(addresses.toSpliced(at, 1), addresses)}
      />
      <Button icon="plus" onClick={() => setEditing('new')}>
        {t('account.address.add')}
      </Button>
    </div>
  );
}

/** `save` rejects if the list is not saved; `change` reports it in `problem`, and keeps the list before it in `undo`. */
function useAddressChanges(user: User, type: AddressType) {
  const t = useT();
  const api = useApi();
  const client = useQueryClient();
  const [undo, setUndo] = useState<Address[]>();
  const [problem, setProblem] = useState<string>();
  /** Sends the whole list, because the API replaces it as a whole. */
  const save = async (body: Partial<Address>[]) => {
    const { user: changed } = await api.call('updateAddresses', { params: { addressType: type, id: user.id }, body });
    const list = type === 'shipping' ? changed.shippingAddresses : changed.billingAddresses;
    client.setQueryData(addressesKey(api, user.id, type), list);
    client.setQueryData(sessionKey, (session) => session && { ...session, user: changed });
  };
  const change = async (body: Address[], before?: Address[]) => {
    setProblem(undefined);
    setUndo(undefined);
    try {
      await save(body);
      setUndo(before);
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
      <Button variant="quiet" size="small" onClick={onUndo}>
        {t('account.address.undo')}
      </Button>
    </Notice>
  );
}

function moveFirst(addresses: Address[], at: number): Address[] {
  const first = addresses[at];
  return first ? [first, ...addresses.toSpliced(at, 1)] : addresses;
}
