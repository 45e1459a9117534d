/** An order by the link of an email: readable without an account and without scripts. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import type { Order, OrderByLink } from '#contract/schemas/order.ts';
import type { AppContent, PickupLocation } from '#contract/schemas/shop.ts';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { errorText, isApiError } from '#ui/errors.ts';
import { useT } from '#ui/i18n.tsx';
import { Frame } from '#ui/layout.tsx';
import { EmptyState, Notice } from '#ui/notice.tsx';
import { focusPage, focusQuietly } from '#ui/page.tsx';
import { calendarIcon } from '#ui/page-icons.ts';
import { Receipt } from '#web/features/bill/bill.tsx';
import { PickupTime } from '#web/features/checkout/pickup-time.tsx';
import { pickupSlotsQuery } from '#web/features/checkout/queries.ts';
import { chosenSlot } from '#web/features/checkout/validate.ts';
import { ContactLinks, OrderNextSteps, Reach } from '#web/features/orders/order-next-steps.tsx';
import {
  DueNotice,
  OrderPictures,
  OrderTimeline,
  orderStateLabel,
  Ticket,
} from '#web/features/orders/order-parts.tsx';
import { shellQuery } from '#web/features/shell/queries.ts';
import { type ApiClient, callQuery, storesQuery, useApi } from '#web/lib/api.ts';
import { pageHead } from '#web/lib/head.ts';

const orderByLinkQuery = (api: ApiClient, token: string) =>
  callQuery(api, 'orderLink', { params: { token } });

export const Route = createFileRoute('/order/$token')({
  loader: async ({ context: { api, queryClient, t }, params: { token } }) => {
    const [problem] = await Promise.all([
      queryClient.query({ ...orderByLinkQuery(api, token), staleTime: 'static' }).then(() => null, problemOf),
      queryClient.query({ ...storesQuery(api), staleTime: 'static' }),
    ]);
    return { title: t('orderLink.pageTitle'), ...problem };
  },
  head: ({ matches, loaderData }) => pageHead(matches, loaderData),
  component: OrderLinkRoute,
});

const problems: Record<number, LinkProblem> = { 400: 'missing', 404: 'missing', 410: 'ended', 429: 'busy' };

/** The problem to show, with the status of the page. Other errors have a view of their own. */
function problemOf(error: unknown): { problem: LinkProblem; status: number } {
  const problem = isApiError(error) && problems[error.status];
  if (!problem) throw error;
  return { problem, status: problem === 'missing' ? 404 : error.status };
}

function OrderLinkRoute() {
  const api = useApi();
  const { token } = Route.useParams();
  const loaded = Route.useLoaderData();
  const [revoked, setRevoked] = useState(false);
  // The control that had focus is gone with the order.
  useEffect(() => {
    if (revoked) focusPage();
  }, [revoked]);
  const known = !('problem' in loaded);
  const { data: order, error } = useQuery({ ...orderByLinkQuery(api, token), enabled: known && !revoked });
  const { data: stores = [] } = useQuery(storesQuery(api));
  const { data: shop } = useQuery(shellQuery(api));
  const problem =
    revoked || (isApiError(error) && error.status === 410) ? 'ended' : known ? null : loaded.problem;
  if (problem || !order) return <NoOrderByLink problem={problem ?? 'missing'} stores={stores} shop={shop} />;
  return (
    <OrderLinkScreen
      token={token}
      order={order}
      stores={stores}
      shop={shop}
      onRevoked={() => setRevoked(true)}
    />
  );
}

interface OrderLinkScreenProps {
  token: string;
  order: OrderByLink;
  stores: readonly PickupLocation[];
  shop: AppContent | undefined;
  /** The buyer has revoked the link. */
  onRevoked: () => void;
}

/** An order for whoever has the link to it: its status, its pickup or delivery, its bill, and what can still be done. */
function OrderLinkScreen({ token, order, stores, shop, onRevoked }: OrderLinkScreenProps) {
  const t = useT();
  const whole = wholeOrder(order);
  const store =
    order.unlistedStore ?? stores.find(({ localStoreName }) => localStoreName === order.localStoreName);
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
          <OrderLinkActions token={token} order={order} store={store} onRevoked={onRevoked} />
          <Reach store={store ?? mainStore} email={store?.email ?? shop?.contactEmail} />
        </div>
        <Ticket order={whole} store={store} shop={shop}>
          <Receipt order={whole} />
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

type LinkProblem = 'missing' | 'ended' | 'busy';

interface NoOrderByLinkProps {
  problem: LinkProblem;
  stores: readonly PickupLocation[];
  shop: AppContent | undefined;
}

/** The page of a link that does not work: why, and how to reach the shop. */
function NoOrderByLink({ problem, stores, shop }: NoOrderByLinkProps) {
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

interface OrderLinkActionsProps extends Pick<OrderLinkScreenProps, 'token' | 'order' | 'onRevoked'> {
  store: PickupLocation | undefined;
}

/** What can still be done with the order, and with the link to it. */
function OrderLinkActions({ token, order, store, onRevoked }: OrderLinkActionsProps) {
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
  onOpen: () => void;
  onDone: () => void;
}

function ChangePickup({ token, store, onOpen, onDone }: ChangePickupProps) {
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
  const change = (pickupDate: number) =>
    api.call('orderLinkPickup', { params: { token }, body: { pickupDate } });
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
          <OrderPickupTime
            store={store}
            error={tried && at === null ? t('checkout.time.missing') : action.error}
            onChoose={setAt}
          />
          <div className="flex flex-wrap gap-3">
            <Button label={t('orderLink.time.save')} busy={action.busy} onClick={save} />
            <Button label={t('orderLink.time.keep')} variant="quiet" onClick={close} />
          </div>
        </fieldset>
      )}
    </>
  );
}

interface OrderPickupTimeProps {
  store: PickupLocation;
  error: string | undefined;
  /** Called with epoch ms, or null while no time is chosen. */
  onChoose: (at: number | null) => void;
}

function OrderPickupTime({ store, error, onChoose }: OrderPickupTimeProps) {
  const [value, setValue] = useState({ pickupDay: '', pickupHour: '', pickupMinute: '' });
  const { data: slots } = useQuery(pickupSlotsQuery(useApi(), store.localStoreName, value.pickupDay));
  const slot = chosenSlot(value, slots);
  const at = slot?.available ? slot.at : null;
  useEffect(() => onChoose(at), [at, onChoose]);
  return (
    <PickupTime
      store={store}
      value={value}
      error={error}
      onChange={(change) => setValue((last) => ({ ...last, ...change }))}
    />
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
      <Button label={t(name)} variant="secondary" onClick={ask} />
      <Dialog
        role="alertdialog"
        open={asking}
        onClose={() => setAsking(false)}
        title={t(`${name}.title`)}
        actions={
          <>
            <Button label={t(`${name}.keep`)} variant="quiet" onClick={() => setAsking(false)} />
            <Button label={t(name)} busy={action.busy} onClick={() => action.run()} />
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
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const run = async (input: Input) => {
    setBusy(true);
    setError(null);
    try {
      const order = await call(input);
      if (order) client.setQueryData(queryKey, order);
      onDone();
    } catch (failure) {
      setError(failure);
      // The order may have changed meanwhile; then the page shows what it is now.
      await client.invalidateQueries({ queryKey });
    } finally {
      setBusy(false);
    }
  };
  return {
    run: (input) => void run(input),
    busy,
    error: error ? errorText(error, t) : undefined,
    reset: () => setError(null),
  };
}
