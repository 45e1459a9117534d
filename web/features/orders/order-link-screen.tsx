import type { ReactNode } from 'react';
import type { Order, OrderByLink } from '#contract/schemas/order.ts';
import type { AppContent, PickupLocation } from '#contract/schemas/shop.ts';
import { useT } from '#ui/i18n.tsx';
import { Icon, type IconName } from '#ui/icon.tsx';
import { Frame } from '#ui/layout.tsx';
import { EmptyState } from '#ui/notice.tsx';
import { mailIcon, phoneIcon } from '#ui/page-icons.ts';
import { type ChoosePickupTime, OrderLinkActions } from './order-link-actions.tsx';
import { OrderNextSteps } from './order-next-steps.tsx';
import { DueNotice, OrderPictures, OrderTimeline, orderStateLabel, Ticket } from './order-parts.tsx';

interface OrderLinkScreenProps {
  token: string;
  order: OrderByLink;
  stores: readonly PickupLocation[];
  shop: AppContent | undefined;
  receipt: (order: Order) => ReactNode;
  choosePickupTime: ChoosePickupTime;
  onRevoked: () => void;
}

/** An order for whoever has the link to it: its status, its pickup or delivery, its bill, and what can still be done. */
export function OrderLinkScreen({ token, order, stores, shop, receipt, choosePickupTime, onRevoked }: OrderLinkScreenProps) {
  const t = useT();
  const whole = wholeOrder(order);
  const store = order.unlistedStore ?? stores.find(({ localStoreName }) => localStoreName === order.localStoreName);
  const mainStore = stores.find((each) => each.mainStore);
  return (
    <Frame className="min-h-dvh pt-10 pb-section">
      <header className="flex flex-col items-start gap-3">
        <h1 tabIndex={-1}>{t('account.order.heading', { number: order.orderNumber ?? '' })}</h1>
        <p className="font-semibold text-lg">{t(orderStateLabel(order.state, order.method))}</p>
      </header>
      <div className="mt-10 grid gap-x-20 gap-y-12 menu:grid-cols-[minmax(0,1fr)_24rem]">
        <div className="flex min-w-0 flex-col gap-12 print:hidden">
          <DueNotice order={whole} />
          <OrderPictures lines={order.lineItems} />
          <section>
            <h2 className="mb-5 text-lg">{t('account.order.status')}</h2>
            <OrderTimeline order={whole} />
          </section>
          <OrderNextSteps order={whole} store={store} shopName={shop?.shopName ?? ''} />
          {order.method === 'shipping' && <Recipient {...order.recipient} />}
          <OrderLinkActions token={token} order={order} store={store} choosePickupTime={choosePickupTime} onRevoked={onRevoked} />
          <Reach store={store ?? mainStore} email={store?.email ?? shop?.contactEmail} />
        </div>
        <Ticket order={whole} store={store} shop={shop}>
          {receipt(whole)}
        </Ticket>
      </div>
    </Frame>
  );
}

/** The order in the shape of the other screens, without the fields that its link leaves out. */
function wholeOrder(order: OrderByLink): Order {
  const nobody = { orderContact: null, shippingContact: null, shippingAddress: null, billingAddress: null };
  return { ...order, ...nobody, orderID: null, customerComment: '' };
}

function Recipient({ initials, city }: OrderByLink['recipient']) {
  const t = useT();
  const text = [initials, city].filter(Boolean).join(t('ui.listSeparator'));
  return (
    <dl>
      <dt className="mb-1 text-ink-soft text-sm">{t('orderLink.recipient')}</dt>
      {text && <dd>{text}</dd>}
      <dd className="text-ink-soft text-sm">{t('orderLink.masked')}</dd>
    </dl>
  );
}

export type LinkProblem = 'missing' | 'ended' | 'busy';

interface NoOrderByLinkProps {
  problem: LinkProblem;
  stores: readonly PickupLocation[];
  shop: AppContent | undefined;
}

/** The page of a link that does not work: why, and how to reach the shop. */
export function NoOrderByLink({ problem, stores, shop }: NoOrderByLinkProps) {
  const t = useT();
  return (
    <Frame className="min-h-dvh">
      <EmptyState
        as="h1"
        icon={problem === 'missing' ? 'search' : 'info'}
        title={t(problem === 'missing' ? 'confirm.missing.title' : `orderLink.${problem}.title`)}
      >
        <p>{t(`orderLink.${problem}.text`)}</p>
        <ContactLinks
          store={stores.find((each) => each.mainStore)}
          email={shop?.contactEmail}
          className="mt-4 flex flex-wrap justify-center gap-x-6 gap-y-1"
        />
      </EmptyState>
    </Frame>
  );
}

/** The shop's contact: the order's store, else the main one. */
export function Reach({ store, email }: { store: PickupLocation | undefined; email: string | undefined }) {
  const t = useT();
  return (
    <section className="flex flex-col gap-2">
      <h2 className="text-lg">{t('confirm.reach')}</h2>
      <p>{t('confirm.reach.text')}</p>
      <ContactLinks store={store} email={email} />
    </section>
  );
}

function ContactLinks({
  store,
  email,
  className,
}: {
  store: PickupLocation | undefined;
  email: string | undefined;
  className?: string;
}) {
  return (
    <ul className={className ?? 'flex flex-wrap gap-x-6 gap-y-1'}>
      {store && (
        <ContactLink icon={phoneIcon} href={`tel:${store.phone.replace(/[^+\d]/g, '')}`}>
          {store.phone}
        </ContactLink>
      )}
      {email && (
        <ContactLink icon={mailIcon} href={`mailto:${email}`}>
          {email}
        </ContactLink>
      )}
    </ul>
  );
}

function ContactLink({ icon, href, children }: { icon: IconName; href: string; children: string }) {
  return (
    <li>
      <a href={href} className="link inline-flex min-h-11 items-center gap-2">
        <Icon name={icon} size={20} />
        {children}
      </a>
    </li>
  );
}
