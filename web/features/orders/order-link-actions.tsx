import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { OrderByLink } from '#contract/schemas/order.ts';
import type { PickupLocation } from '#contract/schemas/shop.ts';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { errorText } from '#ui/errors.ts';
import { useT } from '#ui/i18n.tsx';
import { Notice } from '#ui/notice.tsx';
import { focusQuietly } from '#ui/page.tsx';
import { calendarIcon } from '#ui/page-icons.ts';
import { useApi } from '#web/lib/api.ts';
import { orderByLinkQuery } from './queries.ts';

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
export function OrderLinkActions({ token, order, store, choosePickupTime, onRevoked }: OrderLinkActionsProps) {
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
