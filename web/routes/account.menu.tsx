import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { addressLines } from '#contract/addresses.ts';
import { inLocale } from '#contract/locales.ts';
import { addressedName } from '#contract/names.ts';
import type { OrderBrief } from '#contract/schemas/account.ts';
import type { PickupLocation, User } from '#contract/schemas/shop.ts';
import { Button, LinkButton } from '#ui/button.tsx';
import { errorText } from '#ui/errors.ts';
import { formatDate } from '#ui/format.ts';
import { useLocale, useT } from '#ui/i18n.tsx';
import { Icon } from '#ui/icon.tsx';
import { Skeleton } from '#ui/layout.tsx';
import { Link } from '#ui/link.tsx';
import { Notice } from '#ui/notice.tsx';
import { cardIcon, lockIcon } from '#ui/page-icons.ts';
import { AccountFrame, CustomerOnly, ListSkeleton } from '#web/features/account/account-frame.tsx';
import { ordersQuery, useSession } from '#web/features/account/queries.ts';
import { nextPickup, OrderPictures, StateLine } from '#web/features/orders/order-parts.tsx';
import { storesQuery, useApi } from '#web/lib/api.ts';
import { pageHead } from '#web/lib/head.ts';
import { urls } from '#web/lib/urls.ts';
import { Reorder } from './-reorder.tsx';
import { useSessionChange } from './-session.ts';

const places = [
  { icon: 'bag', href: urls.orders(), title: 'account.orders.title', text: 'account.menu.orders' },
  { icon: 'user', href: urls.profile(), title: 'account.profile.title', text: 'account.menu.profile' },
  {
    icon: 'truck',
    href: urls.addresses('shipping'),
    title: 'account.address.shipping',
    text: 'account.menu.shipping',
  },
  {
    icon: cardIcon,
    href: urls.addresses('billing'),
    title: 'account.address.billing',
    text: 'account.menu.billing',
  },
  {
    icon: lockIcon,
    href: urls.changePassword(),
    title: 'account.resetPassword.title',
    text: 'account.menu.password',
  },
] as const;

export const Route = createFileRoute('/account/menu')({
  loader: ({ context }) => ({ title: context.t('account.menu.title') }),
  head: ({ matches, loaderData }) => pageHead(matches, loaderData),
  component: MenuRoute,
});

function MenuRoute() {
  const t = useT();
  const { session } = useSession();
  return (
    <AccountFrame
      title={t('account.menu.title')}
      lead={session?.user ? <Greeting user={session.user} /> : '\u00a0'}
    >
      <CustomerOnly skeleton={<ListSkeleton />}>{(user) => <AccountMenu user={user} />}</CustomerOnly>
    </AccountFrame>
  );
}

function Greeting({ user }: { user: User }) {
  const t = useT();
  const name = addressedName(user, t);
  return t('account.menu.greeting', { name: name || user.email });
}

function AccountMenu({ user }: { user: User }) {
  const t = useT();
  const address = user.shippingAddresses[0];
  const known: Partial<Record<string, string>> = {
    [urls.addresses('shipping')]: address && addressLines(address).join(', '),
  };
  return (
    <div className="grid items-start gap-x-16 gap-y-10 menu:grid-cols-[minmax(0,1fr)_24rem]">
      <LatestOrders user={user} />
      <div>
        <ul className="divide-y divide-line border-line border-y">
          {places.map(({ icon, href, title, text }) => (
            <li key={href}>
              <Link href={href} className="flex min-h-16 items-center gap-4 py-3 hover:text-action">
                <Icon name={icon} className="text-action" />
                <span className="min-w-0 flex-1">
                  <span className="block font-semibold">{t(title)}</span>
                  <span className="block text-ink-soft text-sm">{known[href] ?? t(text)}</span>
                </span>
                <Icon name="chevron-right" size={20} className="text-ink-soft" />
              </Link>
            </li>
          ))}
        </ul>
        <SignOut />
      </div>
    </div>
  );
}

/** Reports a failed sign-out: on a shared computer the customer must know. */
function SignOut() {
  const t = useT();
  const api = useApi();
  const { leave } = useSessionChange();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const signOut = async () => {
    setBusy(true);
    setProblem(undefined);
    try {
      await leave(() => api.call('logout'));
    } catch (error) {
      setProblem(t('account.logout.failed', { reason: errorText(error, t) }));
      setBusy(false);
    }
  };
  return (
    <div className="mt-10 flex max-w-form flex-col items-start gap-4">
      {problem && <Notice tone="bad" title={problem} className="w-full" />}
      <Button label={t('account.logout')} variant="secondary" busy={busy} onClick={() => void signOut()} />
    </div>
  );
}

/** The latest order, and the next pickup if it is another one. If they fail to load, the menu begins with its links. */
function LatestOrders({ user }: { user: User }) {
  const t = useT();
  const api = useApi();
  const { data, isPending } = useInfiniteQuery(ordersQuery(api, user.id));
  const stores = useQuery(storesQuery(api)).data ?? [];
  if (isPending) return <Skeleton className="h-80 rounded-lg" />;
  if (!data) return null;
  const orders = data.pages.flat();
  const [latest] = orders;
  if (!latest) return <NoOrders />;
  const pickup = nextPickup(orders);
  return (
    <div className="grid gap-6">
      <section className="flex min-w-0 flex-col gap-4 rounded-lg bg-surface-inset p-6">
        <OrderHeading title={t('account.menu.latest')} order={latest} />
        <OrderPictures lines={latest.lineItems.slice(0, 4)} />
        <div>
          <Reorder lines={latest.lineItems} />
        </div>
      </section>
      {pickup && (
        <section className="flex flex-col gap-2 rounded-lg bg-surface-inset p-6">
          <OrderHeading title={t('account.menu.nextPickup')} order={pickup} />
          <PickupFact order={pickup} stores={stores} />
        </section>
      )}
    </div>
  );
}

/** In the place of the latest order, for a customer who has none. */
function NoOrders() {
  const t = useT();
  return (
    <section className="flex flex-col items-start gap-4 rounded-lg bg-surface-inset p-6">
      <h2 className="text-lg">{t('account.orders.empty')}</h2>
      <p>{t('account.orders.emptyText')}</p>
      <LinkButton href={urls.home()}>{t('account.orders.shop')}</LinkButton>
    </section>
  );
}

function OrderHeading({ title, order }: { title: string; order: OrderBrief }) {
  return (
    <div>
      <h2 className="mb-2 text-lg">{title}</h2>
      <Link href={urls.order(order.orderID ?? '')} className="link font-semibold">
        {order.orderNumber}
      </Link>
      <StateLine state={order.state} method={order.method} />
    </div>
  );
}

function PickupFact({ order, stores }: { order: OrderBrief; stores: readonly PickupLocation[] }) {
  const locale = useLocale();
  const store = stores.find(({ localStoreName }) => localStoreName === order.localStoreName);
  return (
    <p>
      {order.pickupDate !== null && (
        <span className="block font-semibold">
          {formatDate(order.pickupDate, locale, order.timeZone, 'dayTime')}
        </span>
      )}
      {store && <span className="block text-ink-soft">{inLocale(store.nameContent, locale)}</span>}
    </p>
  );
}
