/** The parcels of an order: what was sent, and sending what is left, in one or several. */
import { useMutation } from '@tanstack/react-query';
import { type KeyboardEvent, useState } from 'react';
import { type Carrier, carrierKeys, carriers, readTracking } from '#contract/carriers.ts';
import { type CounterKind, counterKinds } from '#contract/limits.ts';
import type { Order, Shipment } from '#contract/schemas/order.ts';
import type { OrderSheet } from '#contract/staff/orders.ts';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { useForm } from '#ui/form.tsx';
import { formatDate, formatMoney } from '#ui/format.ts';
import { Select, TextField } from '#ui/inputs.tsx';
import { Link } from '#ui/link.tsx';
import { useOnce } from '../../lib/api.ts';
import { useOffice } from '../../lib/me.tsx';
import { Problem, SendForm } from '../../lib/send-form.tsx';
import { Bars, ReasonDialog, takenText, UndoBar } from '../desk/desk.tsx';

const units = (lines: readonly { quantity: number }[]) =>
  lines.reduce((sum, { quantity }) => sum + quantity, 0);

function nameOf({ lineItems }: Order, line: string): string {
  const item = lineItems.find(({ id }) => id === line);
  return [item?.productName, item?.optionText, item?.modifierText].filter(Boolean).join(' · ');
}

type ToSend = Pick<OrderSheet, 'order' | 'unsent' | 'cashDue'>;
type Sent = ToSend & Pick<OrderSheet, 'keptShipments'>;

export function Shipments({ order, unsent, cashDue, keptShipments }: Sent) {
  const { t, may } = useOffice();
  const [open, setOpen] = useState<Shipment | 'ship'>();
  const [undoable, setUndoable] = useState('');
  const undo = useTakeBack(order, () => setUndoable(''));
  const takeBack = useTakeBack(order, () => setOpen(undefined));
  const close = () => {
    takeBack.reset();
    setOpen(undefined);
  };
  const { shipments = [], state } = order;
  const mayMove = may.includes('orders.move');
  const mayTakeBack = ({ id }: Shipment) =>
    mayMove && (state === 'placed' || state === 'shipped') && !keptShipments.includes(id);
  return (
    <>
      {shipments.length > 0 && state === 'placed' && (
        <p className="font-semibold">
          {t('office.ship.partly', {
            shipped: units(shipments.flatMap(({ lines }) => lines)),
            left: units(unsent),
          })}
        </p>
      )}
      <ul className="divide-y divide-line border-line border-y empty:hidden">
        {shipments.map((shipment) => (
          <Parcel
            key={shipment.id}
            shipment={shipment}
            order={order}
            takeBack={mayTakeBack(shipment) ? () => setOpen(shipment) : undefined}
          />
        ))}
      </ul>
      <Problem error={undo.error} onClose={undo.reset} />
      {mayMove && state === 'placed' && unsent.length > 0 && (
        <Button
          label={t('office.ship.title')}
          variant="secondary"
          className="self-start"
          onClick={() => setOpen('ship')}
        />
      )}
      {open === 'ship' && (
        <ShipDialog
          {...{ order, unsent, cashDue }}
          onShipped={setUndoable}
          onClose={() => setOpen(undefined)}
        />
      )}
      {open && open !== 'ship' && (
        <ReasonDialog
          title={t('office.ship.takeBack')}
          take={(reason) => takeBack.mutate({ id: open.id, reason })}
          onClose={close}
          busy={takeBack.isPending}
          error={takeBack.error}
        />
      )}
      {undoable && (
        <Bars>
          <UndoBar
            key={undoable}
            text={t('office.ship.done')}
            undo={() => undo.mutate({ id: undoable, reason: '' })}
            onEnd={() => setUndoable('')}
          />
        </Bars>
      )}
    </>
  );
}

function Parcel({
  shipment,
  order,
  takeBack,
}: {
  shipment: Shipment;
  order: Order;
  takeBack: (() => void) | undefined;
}) {
  const { t, locale } = useOffice();
  const { at, carrier, trackingNumber, trackingUrl, lines } = shipment;
  const tracking = [carrier, trackingNumber].filter(Boolean).join(' ');
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-4 py-3">
      <div className="min-w-0">
        {lines.map(({ line, quantity }) => (
          <p key={line}>
            <span className="font-semibold tabular-nums">{quantity} ×</span> {nameOf(order, line)}
          </p>
        ))}
        <p className="text-ink-soft text-sm">{formatDate(at, locale, order.timeZone, 'dateTime')}</p>
        {trackingUrl ? (
          <Link
            href={trackingUrl}
            target="_blank"
            className="inline-flex min-h-11 items-center break-all underline underline-offset-4"
          >
            {tracking || trackingUrl}
          </Link>
        ) : (
          tracking && <p className="break-all">{tracking}</p>
        )}
      </div>
      {takeBack && <Button label={t('desk.takeBack')} variant="quiet" size="small" onClick={takeBack} />}
    </li>
  );
}

function useChanged({ orderNumber }: Order) {
  const { queries } = useOffice();
  return () =>
    Promise.all(
      [['order', orderNumber], ['orders'], ['desk']].map((queryKey) =>
        queries.invalidateQueries({ queryKey }),
      ),
    );
}

function useTakeBack(order: Order, onDone: () => void) {
  const { call } = useOffice();
  const once = useOnce();
  const changed = useChanged(order);
  return useMutation({
    mutationFn: ({ id, reason }: { id: string; reason: string }) =>
      call('takeBackShipment', { params: { number: order.orderNumber ?? '', id }, body: { reason }, once }),
    onSuccess: () => {
      onDone();
      return changed();
    },
  });
}

interface ShipDialogProps extends ToSend {
  onShipped: (shipment: string) => void;
  onClose: () => void;
}

function useShipForm({ order, unsent, onShipped, onClose }: ShipDialogProps) {
  const { call } = useOffice();
  const once = useOnce();
  const changed = useChanged(order);
  const { orderNumber, shipments = [], due = 0 } = order;
  return useForm({
    initial: {
      tracking: '',
      carrier: '' as Carrier | '',
      paid: 'cash' as CounterKind,
      /** How many of each line go into the parcel. */
      counts: Object.fromEntries(unsent.map(({ line, quantity }) => [line, quantity])) as Record<
        string,
        number
      >,
    },
    send: ({ tracking, carrier, paid, counts }) =>
      call('shipOrder', {
        params: { number: orderNumber ?? '' },
        body: {
          lines: Object.entries(counts).flatMap(([line, quantity]) =>
            quantity > 0 ? [{ line, quantity }] : [],
          ),
          tracking,
          seen: shipments.length,
          ...(carrier ? { carrier } : {}),
          ...(due > 0 ? { paid } : {}),
        },
        once,
      }),
    onSent: async ({ shipment }) => {
      onClose();
      onShipped(shipment);
      await changed();
    },
  });
}

function ShipDialog(props: ShipDialogProps) {
  const { order, unsent, cashDue, onClose } = props;
  const { t, locale } = useOffice();
  const { due = 0, bill } = order;
  const [amount, cash] = [due, cashDue].map((cents) => formatMoney(cents, locale, bill.currency)) as [
    string,
    string,
  ];
  const form = useShipForm(props);
  const { counts, carrier, tracking } = form.values;
  const known = readTracking(tracking)?.carrier;
  return (
    <Dialog open onClose={onClose} title={t('office.ship.title')}>
      <SendForm
        form={form}
        label={t('office.ship.title')}
        disabled={Object.values(counts).every((count) => count === 0)}
      >
        <Counts
          order={order}
          unsent={unsent}
          counts={counts}
          change={(next) => form.change({ counts: next })}
        />
        <TextField
          {...form.field('tracking')}
          label={t('office.ship.tracking')}
          hint={t('office.ship.trackingHint')}
          autoComplete="off"
          maxLength={500}
          onKeyDown={confirmScan}
        />
        <Select
          label={t('office.ship.carrier')}
          placeholder={t('office.ship.noCarrier')}
          options={carrierKeys.map((value) => ({ value, label: carriers[value].name }))}
          value={known ?? carrier}
          disabled={known != null}
          onChange={({ target }) => form.change({ carrier: target.value as Carrier | '' })}
        />
        {due > 0 && (
          <Select
            label={t('desk.howPaid', { amount })}
            options={counterKinds.map((value) => ({ value, label: takenText(t, value, { amount, cash }) }))}
            {...form.field('paid')}
          />
        )}
      </SendForm>
    </Dialog>
  );
}

interface CountsProps extends Omit<ToSend, 'cashDue'> {
  counts: Readonly<Record<string, number>>;
  change: (counts: Record<string, number>) => void;
}

/** How many of each line go into the parcel: all that are left, unless somebody says less. */
function Counts({ order, unsent, counts, change }: CountsProps) {
  const { t } = useOffice();
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-1 font-semibold">{t('office.ship.lines')}</legend>
      {unsent.map(({ line, quantity: left }) => (
        <Select
          key={line}
          label={nameOf(order, line)}
          value={String(counts[line] ?? 0)}
          options={Array.from({ length: left + 1 }, (_, count) => ({
            value: String(count),
            label: t('office.ship.count', { count, all: left }),
          }))}
          onChange={({ target }) => change({ ...counts, [line]: Number(target.value) })}
        />
      ))}
    </fieldset>
  );
}

/** A scanner types the number and presses Enter: the form goes on to its button, and is not sent before somebody has seen it. */
function confirmScan(event: KeyboardEvent<HTMLInputElement>): void {
  if (event.key !== 'Enter') return;
  event.preventDefault();
  event.currentTarget.form?.querySelector<HTMLElement>('[type=submit]')?.focus();
}
