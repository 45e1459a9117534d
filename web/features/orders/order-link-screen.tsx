import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Order, OrderByLink } from '#contract/schemas/order.ts';
import type { AppContent, PickupLocation } from '#contract/schemas/shop.ts';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { errorText } from '#ui/errors.ts';
import { useT } from '#ui/i18n.tsx';
import { Icon, type IconName } from '#ui/icon.tsx';
import { Frame } from '#ui/layout.tsx';
import { EmptyState, Notice } from '#ui/notice.tsx';
import { focusQuietly } from '#ui/page.tsx';
import { calendarIcon, mailIcon, phoneIcon } from '#ui/page-icons.ts';
import { useApi } from '#web/lib/api.ts';
import { OrderNextSteps } from './order-next-steps.tsx';
import { DueNotice, OrderPictures, OrderTimeline, orderStateLabel, Ticket } from './order-parts.tsx';
import { orderByLinkQuery } from './queries.ts';

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

/** Renders the choice of a pickup time, which calls back with epoch ms, or null while none is chosen. */
export type ChoosePickupTime = (props: {
  store: PickupLocation;
  error: string | undefined;
  onChoose: (at: number | null) => void;
}) => ReactNode;

interface OrderLinkActionsProps {
  token: string;
  order: OrderByLink;
  store: PickupLocation | undefined;
  choosePickupTime: ChoosePickupTime;
  /** The buyer has revoked the link. */
  onRevoked: () => void;
}

/** What can still be done with the order, and with the link to it. */
function OrderLinkActions({ token, order, store, choosePickupTime, onRevoked }: OrderLinkActionsProps) {
  const t = useT();
  const api = useApi();
  const [done, setDone] = useState('');
  const notice = useRef<HTMLDivElement>(null);
  // The control that had focus may be gone; focus also announces the result.
  useEffect(() => {
    if (done) focusQuietly(notice.current);
  }, [done]);
  const params = { token };
  return (
    <>
      {done && (
        <Notice ref={notice} tone="good" silent>
          {done}
        </Notice>
      )}
      {(order.canCancel || (order.canChangePickup && store)) && (
        <section className="flex flex-col items-start gap-4 print:hidden">
          <h2 className="text-lg">{t('orderLink.manage')}</h2>
          {order.canChangePickup && store && (
            <ChangePickup
              token={token}
              store={store}
              choose={choosePickupTime}
              onOpen={() => setDone('')}
              onDone={() => setDone(t('orderLink.time.done'))}
            />
          )}
          {order.canCancel && (
            <ConfirmedAction
              token={token}
              name="orderLink.cancel"
              call={() => api.call('orderLinkCancel', { params })}
              onDone={() => setDone(t('orderLink.cancel.done'))}
            />
          )}
        </section>
      )}
      <section className="flex flex-col items-start gap-3 print:hidden">
        <h2 className="text-lg">{t('orderLink.share')}</h2>
        <p className="max-w-prose">{t('orderLink.share.text')}</p>
        <ConfirmedAction
          token={token}
          name="orderLink.revoke"
          call={() => api.call('orderLinkRevoke', { params }).then(() => null)}
          onDone={onRevoked}
        />
      </section>
    </>
  );
}

interface ChangePickupProps {
  token: string;
  store: PickupLocation;
  choose: ChoosePickupTime;
  onOpen: () => void;
  onDone: () => void;
}

function ChangePickup({ token, store, choose, onOpen, onDone }: ChangePickupProps) {
  const t = useT();
  const api = useApi();
  const [open, setOpen] = useState(false);
  const [at, setAt] = useState<number | null>(null);
  const [tried, setTried] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const form = useRef<HTMLFieldSetElement>(null);
  useEffect(() => {
    if (open) focusQuietly(form.current);
  }, [open]);
  const close = () => {
    setOpen(false);
    focusQuietly(opener.current);
  };
  const change = (pickupDate: number) => api.call('orderLinkPickup', { params: { token }, body: { pickupDate } });
  const action = useLinkAction(token, change, () => {
    close();
    onDone();
  });
  const toggle = () => {
    action.reset();
    setTried(false);
    onOpen();
    setOpen(!open);
  };
  const save = () => {
    setTried(true);
    if (at !== null) action.run(at);
  };
  return (
    <>
      <Button ref={opener} variant="secondary" icon={calendarIcon} aria-expanded={open} onClick={toggle}>
        {t('orderLink.time.change')}
      </Button>
      {open && (
        <fieldset ref={form} className="flex w-full min-w-0 flex-col gap-5">
          <legend className="sr-only">{t('orderLink.time.change')}</legend>
          {choose({ store, error: tried && at === null ? t('checkout.time.missing') : action.error, onChoose: setAt })}
          <div className="flex flex-wrap gap-3">
            <Button busy={action.busy} onClick={save}>
              {t('orderLink.time.save')}
            </Button>
            <Button variant="quiet" onClick={close}>
              {t('orderLink.time.keep')}
            </Button>
          </div>
        </fieldset>
      )}
    </>
  );
}

interface ConfirmedActionProps {
  token: string;
  name: 'orderLink.cancel' | 'orderLink.revoke';
  call: () => Promise<OrderByLink | null>;
  onDone: () => void;
}

/** A button that asks before it acts. */
function ConfirmedAction({ token, name, call, onDone }: ConfirmedActionProps) {
  const t = useT();
  const [asking, setAsking] = useState(false);
  const action = useLinkAction(token, call, () => {
    setAsking(false);
    onDone();
  });
  const ask = () => {
    action.reset();
    setAsking(true);
  };
  return (
    <>
      <Button variant="secondary" onClick={ask}>
        {t(name)}
      </Button>
      <Dialog
        role="alertdialog"
        open={asking}
        onClose={() => setAsking(false)}
        title={t(`${name}.title`)}
        actions={
          <>
            <Button variant="quiet" onClick={() => setAsking(false)}>
              {t(`${name}.keep`)}
            </Button>
            <Button busy={action.busy} onClick={() => action.run()}>
              {t(name)}
            </Button>
          </>
        }
      >
        <p>{t(`${name}.text`)}</p>
        {action.error && <Notice tone="bad">{action.error}</Notice>}
      </Dialog>
    </>
  );
}

interface LinkAction<Input> {
  run: (input: Input) => void;
  busy: boolean;
  /** Why it failed; undefined if it has not. */
  error: string | undefined;
  reset: () => void;
}

/** A call that changes the order of a link; `onDone` runs once the page shows the result. */
function useLinkAction<Input = void>(
  token: string,
  call: (input: Input) => Promise<OrderByLink | null>,
  onDone: () => void,
): LinkAction<Input> {
  const t = useT();
  const client = useQueryClient();
  const { queryKey } = orderByLinkQuery(useApi(), token);
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: call,
    onSuccess: (order) => {
      if (order) client.setQueryData(queryKey, order);
      onDone();
    },
    // The order may have changed meanwhile; then the page shows what it is now.
    onError: () => client.invalidateQueries({ queryKey }),
  });
  return { run: mutate, busy: isPending, error: error ? errorText(error, t) : undefined, reset };
}
