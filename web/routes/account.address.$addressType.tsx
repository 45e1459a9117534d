import { createFileRoute, redirect } from '@tanstack/react-router';
import { addressTypes } from '#contract/limits.ts';
import { useT } from '#ui/i18n.tsx';
import { AccountFrame, CustomerOnly, ListSkeleton } from '#web/features/account/account-frame.tsx';
import { AddressBook } from '#web/features/account/address-book.tsx';
import { AddressFields } from '#web/features/checkout/address-fields.tsx';
import { pageHead } from '#web/lib/head.ts';
import { urls } from '#web/lib/urls.ts';

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
        {(user) => <AddressBook key={type} user={user} type={type} fields={(props) => <AddressFields {...props} />} />}
      </CustomerOnly>
    </AccountFrame>
  );
}
