/** SPEC §2: the order confirmation. `pickUpAandPayAtStore` only repeats information of the order itself. */
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import type { RegistrationInput } from '#contract/schemas/account.ts';
import type { Order } from '#contract/schemas/order.ts';
import { useT } from '#ui/i18n.tsx';
import { Notice } from '#ui/notice.tsx';
import { useSession } from '#web/features/account/queries.ts';
import { SaveDetails } from '#web/features/account/save-details.tsx';
import { Receipt } from '#web/features/bill/bill.tsx';
import { Confirmation } from '#web/features/orders/confirmation.tsx';
import { shellQuery } from '#web/features/shell/queries.ts';
import { useApi } from '#web/lib/api.ts';
import { pageHead } from '#web/lib/head.ts';
import { storesQuery } from '#web/lib/stores-query.ts';
import { useSessionChange } from './-session.ts';

export interface ConfirmSearch {
  oid?: string;
  pickUpAandPayAtStore?: string;
}

export const Route = createFileRoute('/cart/confirm')({
  validateSearch: ({ oid, pickUpAandPayAtStore }): ConfirmSearch => ({
    ...(typeof oid === 'string' ? { oid } : {}),
    ...(pickUpAandPayAtStore === undefined ? {} : { pickUpAandPayAtStore: String(pickUpAandPayAtStore) }),
  }),
  loader: ({ context }) => ({ title: context.t('confirm.pageTitle') }),
  head: ({ matches, loaderData }) => pageHead(matches, loaderData),
  component: ConfirmRoute,
});

function ConfirmRoute() {
  const api = useApi();
  const { oid = '' } = Route.useSearch();
  const [saved, setSaved] = useState(false);
  const stores = useQuery(storesQuery(api));
  const shell = useQuery(shellQuery(api));
  return (
    <Confirmation
      orderID={oid}
      stores={stores.data ?? (stores.isError ? [] : undefined)}
      shop={shell.data}
      receipt={(order) => <Receipt order={order} />}
      saveDetails={(order) => <GuestDetails order={order} saved={saved} onSaved={() => setSaved(true)} />}
    />
  );
}

/** A guest may save the details of the order in an account, which the order then belongs to. */
function GuestDetails({ order, saved, onSaved }: { order: Order; saved: boolean; onSaved: () => void }) {
  const t = useT();
  const api = useApi();
  const { enter } = useSessionChange();
  const { session } = useSession();
  const { orderContact: contact, shippingAddress } = order;
  const register = async (body: RegistrationInput) => {
    const entered = await enter(() => api.call('clientRegistration', { body }));
    if (!entered.user || !shippingAddress) return;
    const params = { addressType: 'shipping', id: entered.user.id } as const;
    // The account exists. Without its address the next checkout asks for it.
    await api.call('updateAddresses', { params, body: [shippingAddress] }).catch(() => undefined);
  };
  if (saved) return <Notice tone="good">{t('confirm.save.done')}</Notice>;
  if (!session || session.user || !contact?.email || !contact.firstName || !contact.lastName) return null;
  return <SaveDetails contact={contact} register={register} onDone={onSaved} />;
}
