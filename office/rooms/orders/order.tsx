import { useMutation, useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { receiverOf } from '#contract/addresses.ts';
import { type CounterKind, counterKinds } from '#contract/limits.ts';
import { decimalText, parseAmount } from '#contract/money.ts';
import { takenAtCounter } from '#contract/rules/payment.ts';
import { cashBackOfAll, partsTaken } from '#contract/rules/refund-parts.ts';
import type { Order } from '#contract/schemas/order.ts';
import { reasonText, wayText } from '#contract/staff/messages.ts';
import type { OrderSheet } from '#contract/staff/orders.ts';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { useForm } from '#ui/form.tsx';
import { formatDate, formatMoney } from '#ui/format.ts';
import { Checkbox, Select, TextArea, TextField } from '#ui/inputs.tsx';
import { Link } from '#ui/link.tsx';
import { useOnce } from '../../lib/api.ts';
import { useOffice } from '../../lib/me.tsx';
import { Problem, SendForm } from '../../lib/send-form.tsx';
import { TextLink } from '../../lib/text-link.tsx';
import { StepsOf } from '../desk/desk.tsx';
import { CancelOrder } from './cancel.tsx';
import { ChangeDialog } from './change.tsx';
import { ChangeEmail, Mails, Notes, Timeline } from './history.tsx';
import {
  Blocks,
  CashBack,
  Lines,
  LineText,
  Part,
  PlaceText,
  Reach,
  StateBadge,
  Stepper,
} from './order-parts.tsx';
import { RefusedRefunds } from './refused-refunds.tsx';
import { Shipments } from './shipments.tsx';

/** Before an order leaves the shop, or ends. */
const changeable: readonly Order['state'][] = ['placed', 'reserved', 'ready'];

export default function OrderPage() {
  const { number = '' } = useParams({ strict: false }) as { number?: string };
  const { t, call } = useOffice();
  const { data, error } = useQuery({
    queryKey: ['order', number],
    queryFn: () => call('order', { params: { number } }),
  });
  return (
    <div className="flex flex-col gap-6">
      <p className="flex flex-wrap gap-x-6 text-sm">
        <TextLink href="/office/orders">{t('office.orders')}</TextLink>
        <TextLink href={`/office/orders/print?numbers=${encodeURIComponent(number)}`}>
          {t('office.papers.slip')}
        </TextLink>
      </p>
      <Problem error={error} />
      {data && <Sheet sheet={data} />}
    </div>
  );
}

function Sheet({ sheet }: { sheet: OrderSheet }) {
  const { t, locale, may } = useOffice();
  const { order, customer } = sheet;
  const { orderNumber, placedAt, timeZone, state, method, bill, due = 0 } = order;
  const isImported = orderNumber?.startsWith('#') ?? false;
  return (
    <>
      <header className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h1 className="text-2xl">{orderNumber}</h1>
        <StateBadge
          state={state}
          isPartlyShipped={state === 'placed' && (order.shipments ?? []).length > 0}
          isRefunded={sheet.isRefunded}
        />
        {due > 0 && (
          <span className="font-semibold text-clay">
            {t('office.orders.due', { amount: formatMoney(due, locale, bill.currency) })}
          </span>
        )}
        <p className="w-full text-ink-soft">
          {placedAt !== null && formatDate(placedAt, locale, timeZone, 'dateTime')}
        </p>
        {isImported && <p className="w-full text-ink-soft">{t('office.order.imported')}</p>}
      </header>
      {!isImported && <StepsOf number={orderNumber ?? ''} />}
      <div className="grid items-start gap-x-10 gap-y-8 wide:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="flex min-w-0 flex-col gap-8">
          <Part title={t('office.order.lines')}>
            <ChangeableLines sheet={sheet} />
          </Part>
          <Parcels sheet={sheet} />
          {!isImported && (
            <Part title={t('office.order.payments')}>
              <Payments sheet={sheet} />
              <MoneyButtons sheet={sheet} />
            </Part>
          )}
          <Part title={t('office.order.timeline')}>
            <Timeline sheet={sheet} />
          </Part>
        </div>
        <div className="flex min-w-0 flex-col gap-8">
          <Part title={t('office.order.delivery')}>
            <p>
              <PlaceText
                order={{
                  method,
                  timeZone,
                  store: order.localStoreName,
                  table: order.tableNumber,
                  pickupAt: order.pickupDate,
                  delivery: sheet.delivery,
                }}
              />
            </p>
            <People order={order} />
            <Agent number={orderNumber ?? ''} />
            {customer !== null && may.includes('customers.read') && (
              <TextLink href={`/office/customers/${customer}`}>{t('office.customers.open')}</TextLink>
            )}
          </Part>
          <Part title={t('office.order.notes')}>
            <OrderNotes sheet={sheet} />
          </Part>
          <Part title={t('office.order.mails')}>
            <Mails sheet={sheet} />
          </Part>
        </div>
      </div>
    </>
  );
}

/** The program that brought it, if one did. */
function Agent({ number }: { number: string }) {
  const { t, call } = useOffice();
  const { data } = useQuery({
    queryKey: ['agentOfOrder', number],
    queryFn: () => call('agentOfOrder', { params: { number } }),
  });
  if (!data?.profile) return null;
  return <p className="break-words">{t('office.order.agent', { agent: new URL(data.profile).host })}</p>;
}

function OrderNotes({ sheet: { order, notes } }: { sheet: OrderSheet }) {
  const { may, call } = useOffice();
  const number = order.orderNumber ?? '';
  return (
    <Notes
      notes={notes}
      mayWrite={may.includes('orders.note')}
      about={['order', number]}
      send={(body, once) => call('noteOrder', { params: { number }, body, once })}
    />
  );
}

function Parcels({ sheet: { order, unsent, cashDue, keptShipments } }: { sheet: OrderSheet }) {
  const { t } = useOffice();
  if (order.method !== 'shipping' || !(order.state === 'placed' || order.shipments)) return null;
  return (
    <Part title={t('office.ship')}>
      <Shipments {...{ order, unsent, cashDue, keptShipments }} />
    </Part>
  );
}

function ChangeableLines({ sheet }: { sheet: OrderSheet }) {
  const { t, may } = useOffice();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Lines order={sheet.order} />
      <div className="flex flex-wrap gap-3">
        {may.includes('orders.move') && changeable.includes(sheet.order.state) && (
          <Button label={t('office.change.title')} variant="secondary" onClick={() => setOpen(true)} />
        )}
        <CancelOrder sheet={sheet} />
      </div>
      {open && <ChangeDialog sheet={sheet} onClose={() => setOpen(false)} />}
    </>
  );
}

function MoneyButtons({ sheet }: { sheet: OrderSheet }) {
  const { t, may } = useOffice();
  const [open, setOpen] = useState<'refund' | 'take'>();
  const close = () => setOpen(undefined);
  return (
    <div className="flex flex-wrap gap-3">
      {may.includes('orders.refund') && sheet.refundable.most > 0 && (
        <Button label={t('office.refund.title')} variant="secondary" onClick={() => setOpen('refund')} />
      )}
      {may.includes('orders.move') && (sheet.order.due ?? 0) > 0 && (
        <Button label={t('office.order.take.title')} variant="secondary" onClick={() => setOpen('take')} />
      )}
      {open === 'refund' && <RefundDialog sheet={sheet} onClose={close} />}
      {open === 'take' && <TakeDialog sheet={sheet} onClose={close} />}
    </div>
  );
}

function Payments({ sheet: { order, payments, refunds, disputes } }: { sheet: OrderSheet }) {
  const { t, locale } = useOffice();
  const { bill, timeZone } = order;
  const money = (cents: number) => formatMoney(cents, locale, bill.currency);
  const time = (at: number) => formatDate(at, locale, timeZone, 'dateTime');
  const paid = order.paid ?? 0;
  if (payments.length === 0)
    return (
      <p className="text-ink-soft">
        {paid > 0 ? t('office.order.paidUnrecorded', { amount: money(paid) }) : t('office.order.noPayments')}
      </p>
    );
  return (
    <ul className="divide-y divide-line border-line border-y">
      {payments.map((payment) => (
        <li key={payment.id} className="flex flex-col gap-1 py-3">
          <p className="flex flex-wrap justify-between gap-x-4">
            <span>
              <span className="font-semibold">
                {payment.kind ? t(`office.order.by.${payment.kind}`) : wayText(t, payment.provider)} ·{' '}
                {t(
                  `office.order.payment.${payment.kind && payment.state === 'failed' ? 'undone' : payment.state}`,
                )}
              </span>
              {payment.tip > 0 && (
                <span className="text-ink-soft">
                  {' '}
                  · {t('office.order.tipOf', { amount: money(payment.tip) })}
                </span>
              )}
              {payment.rounding !== 0 && (
                <span className="text-ink-soft">
                  {' '}
                  · {t('office.order.rounding', { amount: money(payment.rounding) })}
                </span>
              )}
            </span>
            <span className="tabular-nums">{money(payment.amount)}</span>
          </p>
          <p className="text-ink-soft text-sm">
            {time(payment.at)}
            {' · '}
            {payment.url ? (
              <Link href={payment.url} className="break-all underline underline-offset-4" target="_blank">
                {payment.providerId}
              </Link>
            ) : (
              <span className="break-all">{payment.providerId}</span>
            )}
          </p>
          {payment.problem && <p className="text-clay text-sm">{payment.problem}</p>}
          {refunds
            .filter((refund) => refund.payment === payment.id)
            .map((refund) => (
              <p key={refund.id} className="flex flex-wrap justify-between gap-x-4 text-sm">
                <span>
                  {t(`office.order.refund.${refund.state}`)} · {time(refund.at)}
                  {refund.reason && <span className="text-ink-soft"> · {reasonText(t, refund.reason)}</span>}
                  {refund.cash !== null && refund.cash !== refund.amount && (
                    <span className="text-ink-soft">
                      {' '}
                      · {t('office.refund.handed', { amount: money(refund.cash) })}
                    </span>
                  )}
                </span>
                <span className="tabular-nums">{money(-refund.amount)}</span>
              </p>
            ))}
          <RefusedRefunds payment={payment.id} />
        </li>
      ))}
      {disputes.map((dispute) => (
        <DisputeOf key={dispute.id} order={order} dispute={dispute} />
      ))}
    </ul>
  );
}

/** Until it leaves the shop. */
const waiting: readonly Order['state'][] = ['placed', 'ready'];

function DisputeOf({ order, dispute }: { order: Order; dispute: OrderSheet['disputes'][number] }) {
  const { t, locale, may, call, queries } = useOffice();
  const { id, amount, state, reason, at, respondBy, url, accepted } = dispute;
  const { orderNumber: number = '', bill, timeZone } = order;
  const accept = useMutation({
    mutationFn: () => call('acceptDisputes', { params: { number: number ?? '' } }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['order', number] }),
  });
  const time = (when: number) => formatDate(when, locale, timeZone, 'dateTime');
  return (
    <li className="flex flex-col items-start gap-2 py-3">
      <p
        className={`flex w-full flex-wrap justify-between gap-x-4 ${state === 'won' ? '' : 'font-semibold text-clay'}`}
      >
        <span>{t(`office.order.dispute.${state}`)}</span>
        <span className="tabular-nums">{formatMoney(amount, locale, bill.currency)}</span>
      </p>
      <p className="text-ink-soft text-sm">
        {[time(at), reason].filter(Boolean).join(' · ')}
        {' · '}
        {url ? (
          <Link href={url} className="break-all underline underline-offset-4" target="_blank">
            {id}
          </Link>
        ) : (
          <span className="break-all">{id}</span>
        )}
      </p>
      {respondBy !== null && (
        <p className="font-semibold">{t('office.order.dispute.by', { when: time(respondBy) })}</p>
      )}
      {state !== 'won' && waiting.includes(order.state) && (
        <>
          <p className="text-sm">
            {t(accepted ? 'office.order.dispute.accepted' : 'office.order.dispute.kept')}
          </p>
          {!accepted && may.includes('orders.move') && (
            <Button
              label={t('office.order.dispute.accept')}
              variant="secondary"
              busy={accept.isPending}
              onClick={() => accept.mutate()}
            />
          )}
          <Problem error={accept.error} />
        </>
      )}
    </li>
  );
}

function People({ order }: { order: Order }) {
  const { t, may } = useOffice();
  const { orderNumber, orderContact: contact, shippingAddress, customerComment, partySize } = order;
  const receiver = receiverOf({ ...order, contact });
  return (
    <div className="flex flex-col gap-3">
      {partySize !== undefined && <p>{t('office.order.people', { count: partySize })}</p>}
      {contact && (
        <address className="flex flex-col not-italic">
          <span className="font-semibold">
            {[contact.firstName, contact.lastName].filter(Boolean).join(' ')}
          </span>
          <Reach email={contact.email} phone={contact.phoneNumber} />
          {may.includes('orders.move') && <ChangeEmail number={orderNumber ?? ''} email={contact.email} />}
        </address>
      )}
      {shippingAddress && (
        <address className="flex flex-col not-italic">
          <Blocks texts={[receiver.name, ...receiver.address]} />
          <Reach email="" phone={receiver.phone} />
        </address>
      )}
      {customerComment && (
        <p className="rounded-md bg-surface-inset p-3">
          <span className="block text-ink-soft text-sm">{t('office.order.comment')}</span>
          {customerComment}
        </p>
      )}
    </div>
  );
}

function TakeDialog({ sheet: { order, cashDue }, onClose }: { sheet: OrderSheet; onClose: () => void }) {
  const { t, locale, call, queries } = useOffice();
  const once = useOnce();
  const { orderNumber, due = 0, bill } = order;
  const money = (amount: number) => formatMoney(amount, locale, bill.currency);
  const takenOf = ({ kind, amount }: { kind: CounterKind; amount: string }) =>
    takenAtCounter(parseAmount(amount, bill.currency), due, kind === 'cash', cashDue);
  const form = useForm({
    initial: { amount: decimalText(cashDue, bill.currency), kind: 'cash' as CounterKind },
    send: (typed) => {
      const body = { kind: typed.kind, amount: takenOf(typed)?.taken ?? 0, due };
      return call('takeMoney', { params: { number: orderNumber ?? '' }, body, once });
    },
    onSent: async () => {
      await queries.invalidateQueries({ queryKey: ['order', orderNumber] });
      onClose();
    },
  });
  const taking = takenOf(form.values);
  const isCash = form.values.kind === 'cash';
  const allOf = (kind: CounterKind) => decimalText(kind === 'cash' ? cashDue : due, bill.currency);
  const changeKind = (kind: CounterKind) => {
    const { kind: before, amount } = form.values;
    form.change({ kind, amount: amount === allOf(before) ? allOf(kind) : amount });
  };
  const isRounded = isCash && taking?.taken === due && cashDue !== due;
  const isTooMuch = !isCash && (parseAmount(form.values.amount, bill.currency) ?? 0) > due;
  return (
    <Dialog open onClose={onClose} title={t('office.order.take.title')}>
      <p>{t('office.orders.due', { amount: money(due) })}</p>
      <SendForm
        form={form}
        label={t('office.order.take.send', { amount: money(isRounded ? cashDue : (taking?.taken ?? 0)) })}
        disabled={!taking}
      >
        <Select
          label={t('office.order.take.how')}
          options={counterKinds.map((value) => ({ value, label: t(`office.order.by.${value}`) }))}
          {...form.field('kind')}
          onChange={({ target }) => changeKind(target.value as CounterKind)}
        />
        <TextField
          {...form.field('amount')}
          label={t(isCash ? 'office.order.take.received' : 'office.order.take.amount')}
          inputMode="decimal"
          error={isTooMuch ? t('office.cancel.atMost', { amount: money(due) }) : form.errors.amount}
        />
        {isRounded && (
          <p className="tabular-nums">{t('office.order.rounding', { amount: money(cashDue - due) })}</p>
        )}
        <p role="status" className="font-semibold text-lg tabular-nums">
          {taking && taking.change > 0 && t('office.order.take.change', { amount: money(taking.change) })}
        </p>
      </SendForm>
    </Dialog>
  );
}

const partNames = ['shipping', 'serviceCharge', 'tip'] as const;
type Wanted = { units: Readonly<Record<string, number>> } & Record<(typeof partNames)[number], boolean>;

/** What is chosen, what it comes to, and the call that refunds it. */
function useRefund({ order, refundable, unsent }: OrderSheet, onClose: () => void) {
  const { call, queries } = useOffice();
  const once = useOnce();
  const parts = partNames.filter((name) => refundable[name] > 0);
  const sumOf = ({ units, ...chosen }: Wanted): number =>
    refundable.lines.reduce((sum, { line, amounts }) => sum + (amounts[(units[line] ?? 0) - 1] ?? 0), 0) +
    parts.reduce((sum, name) => sum + (chosen[name] ? refundable[name] : 0), 0);
  const unsentOf = (line: string) => unsent.find((each) => each.line === line)?.quantity ?? 0;
  const form = useForm({
    initial: {
      units: {} as Readonly<Record<string, number>>,
      shipping: false,
      serviceCharge: false,
      tip: false,
      restock: true,
      notSent: true,
      reason: '',
      note: '',
    },
    send: (wanted) => {
      const { units, tip, notSent, ...rest } = wanted;
      const lines = Object.entries(units).flatMap(([line, quantity]) =>
        quantity > 0 ? { line, quantity, unsent: notSent ? Math.min(quantity, unsentOf(line)) : 0 } : [],
      );
      return call('refundOrder', {
        params: { number: order.orderNumber ?? '' },
        body: {
          ...rest,
          lines,
          tip: tip ? refundable.tip : 0,
          amount: sumOf(wanted),
          refunded: refundable.refunded,
          restock: rest.restock && lines.length > 0,
        },
        once,
      });
    },
    onSent: async () => {
      await queries.invalidateQueries({ queryKey: ['order', order.orderNumber] });
      onClose();
    },
  });
  /** Whether the buyer still waits for some of what is chosen. */
  const isAwaited = Object.entries(form.values.units).some(
    ([line, quantity]) => quantity > 0 && unsentOf(line) > 0,
  );
  const amount = sumOf(form.values);
  const tip = form.values.tip ? refundable.tip : 0;
  const cash = cashBackOfAll(
    partsTaken(refundable.payments, { goods: amount - tip, tip }),
    refundable.cashStep,
  );
  return { form, parts, amount, cash, isAwaited };
}

function RefundDialog({ sheet, onClose }: { sheet: OrderSheet; onClose: () => void }) {
  const { t, locale } = useOffice();
  const { form, parts, amount, cash, isAwaited } = useRefund(sheet, onClose);
  const { order, refundable } = sheet;
  const money = (cents: number) => formatMoney(cents, locale, order.bill.currency);
  const { values, change } = form;
  return (
    <Dialog open onClose={onClose} title={t('office.refund.title')} className="form:w-[40rem]">
      <SendForm
        form={form}
        label={t('office.refund.send', { amount: money(amount) })}
        disabled={amount === 0 || amount > refundable.most}
      >
        <ul className="divide-y divide-line border-line border-y">
          {refundable.lines.map(({ line, amounts }) => (
            <UnitsOfLine
              key={line}
              item={order.lineItems.find(({ id }) => id === line)}
              most={amounts.length}
              sent={sentOf(order, line)}
              units={values.units[line] ?? 0}
              onChange={(quantity) => change({ units: { ...values.units, [line]: quantity } })}
            />
          ))}
        </ul>
        <div className="flex flex-col">
          {parts.map((name) => (
            <Checkbox
              key={name}
              label={t(`office.refund.${name}`, { amount: money(refundable[name]) })}
              {...form.tick(name)}
            />
          ))}
          {isAwaited && (
            <Checkbox
              label={t(order.method === 'shipping' ? 'office.refund.notSent' : 'office.refund.notMade')}
              {...form.tick('notSent')}
            />
          )}
          <Checkbox label={t('office.refund.restock')} {...form.tick('restock')} />
        </div>
        <TextField {...form.field('reason')} label={t('office.refund.reason')} maxLength={300} />
        <TextArea {...form.field('note')} label={t('office.refund.note')} rows={2} maxLength={1000} />
        {amount > refundable.most && (
          <p className="text-clay">{t('office.refund.most', { amount: money(refundable.most) })}</p>
        )}
        {amount <= refundable.most && <CashBack cash={cash} currency={order.bill.currency} />}
      </SendForm>
    </Dialog>
  );
}

const sentOf = ({ shipments = [] }: OrderSheet['order'], line: string): number =>
  shipments
    .flatMap(({ lines }) => lines)
    .reduce((sum, each) => sum + (each.line === line ? each.quantity : 0), 0);

interface UnitsOfLineProps {
  item: OrderSheet['order']['lineItems'][number] | undefined;
  /** Units that are not refunded yet. */
  most: number;
  /** Units in parcels. */
  sent: number;
  units: number;
  onChange: (units: number) => void;
}

function UnitsOfLine({ item, most, sent, units, onChange }: UnitsOfLineProps) {
  const { t } = useOffice();
  if (!item) return null;
  const { productName: product } = item;
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-3">
      <div className="min-w-0 flex-1 basis-48">
        <LineText line={item} />
        {sent > 0 && <p className="text-sm">{t('office.refund.sent', { count: sent })}</p>}
      </div>
      {most === 0 ? (
        <span className="text-ink-soft text-sm">{t('office.order.refund.done')}</span>
      ) : (
        <fieldset className="flex flex-none items-center gap-1">
          <legend className="sr-only">{t('office.refund.units', { product })}</legend>
          <Stepper
            {...{ product, most, onChange }}
            quantity={units}
            text={t('office.refund.of', { units, most })}
          />
        </fieldset>
      )}
    </li>
  );
}
