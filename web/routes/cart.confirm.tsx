/** SPEC §2: the order confirmation. `pickUpAandPayAtStore` only repeats information of the order itself. */
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { addressedName } from '#contract/names.ts';
import { registrationErrors } from '#contract/rules/account.ts';
import type { RegistrationInput } from '#contract/schemas/account.ts';
import type { Contact, Order } from '#contract/schemas/order.ts';
import type { AppContent } from '#contract/schemas/shop.ts';
import { Button, LinkButton } from '#ui/button.tsx';
import { isMissing } from '#ui/errors.ts';
import { FormActions, FormProblem, useForm } from '#ui/form.tsx';
import { useT } from '#ui/i18n.tsx';
import { Frame, Skeleton, SkeletonText } from '#ui/layout.tsx';
import { EmptyState, Notice } from '#ui/notice.tsx';
import { printIcon } from '#ui/page-icons.ts';
import { useSession } from '#web/features/account/queries.ts';
import { Receipt } from '#web/features/bill/bill.tsx';
import { shellQuery } from '#web/features/shell/queries.ts';
import { storesQuery, useApi } from '#web/lib/api.ts';
import { pageHead } from '#web/lib/head.ts';
import { urls } from '#web/lib/urls.ts';
import { PasswordField } from '../features/account/fields.tsx';
import { OrderNextSteps, Reach } from '../features/orders/order-next-steps.tsx';
import {
  DueNotice,
  orderQuery,
  orderStateLabel,
  statesAhead,
  Ticket,
} from '../features/orders/order-parts.tsx';
import { useSessionChange } from './-session.ts';

/** The ticket, which is the confirmation, and beside it what happens next. */
const columnsClass =
  'mx-auto grid max-w-248 gap-x-10 gap-y-10 product:grid-cols-[minmax(0,22rem)_minmax(0,1fr)] menu:grid-cols-[24rem_minmax(0,1fr)] menu:gap-x-20';

const stepClass =
  'flex-[1_0_0] border-line border-t-4 pt-3 text-sm data-done:[border-image:linear-gradient(var(--color-action)_0_0)_1]';

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

/** The placed order, read from the server so that it survives a reload. */
function ConfirmRoute() {
  const t = useT();
  const api = useApi();
  const { oid = '' } = Route.useSearch();
  const [saved, setSaved] = useState(false);
  const stores = useQuery(storesQuery(api));
  const { data: shop } = useQuery(shellQuery(api));
  const query = useQuery(orderQuery(api, oid));
  const order = query.data;
  if (oid === '' || (query.isError && isMissing(query.error))) return <MissingOrder shop={shop} />;
  if (query.isError && !order) {
    return (
      <Frame className="min-h-dvh">
        <EmptyState
          as="h1"
          icon="offline"
          title={t('shell.error.title')}
          actions={<Button label={t('cart.error.retry')} onClick={() => void query.refetch()} />}
        >
          <p>{t('shell.error.text')}</p>
        </EmptyState>
      </Frame>
    );
  }
  if (!order || stores.isPending) return <ConfirmationSkeleton />;
  const { data: known = [] } = stores;
  const store =
    order.unlistedStore ?? known.find(({ localStoreName }) => localStoreName === order.localStoreName);
  const mainStore = known.find((each) => each.mainStore);
  return (
    <Frame className="min-h-dvh pt-10 pb-section">
      <div className={columnsClass}>
        <ThankYou order={order} />
        <Ticket order={order} store={store} shop={shop}>
          <Receipt order={order} />
        </Ticket>
        <div className="flex min-w-0 flex-col gap-10 print:hidden">
          <DueNotice order={order} />
          <OrderSteps order={order} />
          <OrderNextSteps order={order} store={store} shopName={shop?.shopName ?? ''} />
          {order.customerComment && (
            <section>
              <h2 className="mb-2 text-lg">{t('confirm.note')}</h2>
              <p className="whitespace-pre-line">{order.customerComment}</p>
            </section>
          )}
          <Reach store={store ?? mainStore} email={store?.email ?? shop?.contactEmail} />
          <p className="flex flex-wrap gap-3">
            <LinkButton href={urls.home()}>{t('confirm.continue')}</LinkButton>
            <Button
              label={t('confirm.print')}
              variant="secondary"
              icon={printIcon}
              onClick={() => window.print()}
            />
          </p>
        </div>
        <div className="col-span-full empty:hidden print:hidden">
          <GuestDetails order={order} saved={saved} onSaved={() => setSaved(true)} />
        </div>
      </div>
    </Frame>
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

interface SaveDetailsProps {
  contact: Contact;
  register: (input: RegistrationInput) => Promise<unknown>;
  onDone: () => void;
}

function SaveDetails({ contact, register, onDone }: SaveDetailsProps) {
  const t = useT();
  const person = {
    firstName: contact.firstName,
    lastName: contact.lastName,
    email: contact.email,
    mobilePhone: contact.phoneNumber,
    // Nobody has asked for email news here.
    acceptNewsletter: false,
  };
  const { field, problem, busy, formProps } = useForm({
    initial: { password: '' },
    validate: ({ password }) => registrationErrors({ ...person, password }),
    send: ({ password }) => register({ ...person, password }),
    onSent: onDone,
  });
  return (
    <section className="rounded-lg bg-surface-inset p-6">
      <h2 className="mb-4 text-lg">{t('confirm.save.title')}</h2>
      <form {...formProps} className="flex max-w-form flex-col gap-4">
        <FormProblem>{problem}</FormProblem>
        {/* Password managers store the password under this name. */}
        <input type="email" name="username" autoComplete="username" value={contact.email} readOnly hidden />
        <PasswordField
          {...field('password')}
          label={t('confirm.save.password')}
          hint={t('confirm.save.hint', { email: contact.email })}
          autoComplete="new-password"
          adviseFor={[contact.email, contact.firstName, contact.lastName]}
        />
        <FormActions label={t('confirm.save.action')} busy={busy} />
      </form>
    </section>
  );
}

function ThankYou({ order: { orderContact: contact, state } }: { order: Order }) {
  const t = useT();
  const name = contact && addressedName(contact, t);
  const over =
    state === 'cancelled' ? 'confirm.over.title' : state === 'lapsed' ? 'confirm.over.lapsedTitle' : null;
  return (
    <h1 tabIndex={-1} className="col-span-full text-balance print:hidden">
      {over ? t(over) : name ? t('confirm.titleNamed', { name }) : t('confirm.title')}
    </h1>
  );
}

function MissingOrder({ shop }: { shop: AppContent | undefined }) {
  const t = useT();
  return (
    <Frame className="min-h-dvh">
      <EmptyState
        as="h1"
        icon="search"
        title={t('confirm.missing.title')}
        actions={<LinkButton href={urls.home()}>{t('confirm.missing.action')}</LinkButton>}
      >
        <p>{t('confirm.missing.text')}</p>
        {shop && (
          <a href={`mailto:${shop.contactEmail}`} className="link">
            {shop.contactEmail}
          </a>
        )}
      </EmptyState>
    </Frame>
  );
}

function ConfirmationSkeleton() {
  return (
    <Frame className="min-h-dvh pt-10 pb-section">
      <div role="status" aria-label={useT()('confirm.loading')} className={columnsClass}>
        <SkeletonText lines={1} className="col-span-full max-w-md text-2xl" />
        <Skeleton className="h-120" />
        <SkeletonText lines={6} className="max-w-prose" />
      </div>
    </Frame>
  );
}

/** The states of an order in one line, those it has reached filled. Nothing for an order that was ended. */
function OrderSteps({ order: { state, method, timeline, placedAt } }: { order: Order }) {
  const t = useT();
  if (state === 'cancelled' || state === 'lapsed' || placedAt === null) return null;
  const been = timeline?.map((step) => step.state) ?? [state];
  return (
    <ol className="flex gap-1.5 print:hidden" aria-label={t('account.order.status')}>
      {been.map((step, index) => (
        <li
          key={step}
          className={`${stepClass} font-semibold data-last:animate-[order-step_400ms_var(--ease-out)]`}
          data-done
          data-last={index === been.length - 1 || undefined}
          aria-current={index === been.length - 1 ? 'step' : undefined}
        >
          {t(orderStateLabel(step, method))}
        </li>
      ))}
      {statesAhead(state, method).map((step) => (
        <li key={step} className={`${stepClass} text-ink-soft`}>
          {t(orderStateLabel(step, method))}
        </li>
      ))}
    </ol>
  );
}
