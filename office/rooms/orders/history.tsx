/** What happened to an order, what staff write of it or of a customer, and the emails that it sent. */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { isEmail } from '#contract/rules/email-and-phone.ts';
import { didText, doerText, reasonText, saidText } from '#contract/staff/messages.ts';
import type { OrderSheet } from '#contract/staff/orders.ts';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { FormProblem, useForm } from '#ui/form.tsx';
import { formatDate, formatMoney } from '#ui/format.ts';
import { TextArea, TextField } from '#ui/inputs.tsx';
import { Notice } from '#ui/notice.tsx';
import { type Once, useOnce } from '../../lib/api.ts';
import { useOffice } from '../../lib/me.tsx';
import { Problem, SendForm } from '../../lib/send-form.tsx';

export function Timeline({ sheet: { events, order } }: { sheet: OrderSheet }) {
  const { locale } = useOffice();
  return (
    <ol className="flex flex-col gap-3 border-line border-l-2 pl-5">
      {events.map((event) => (
        <li key={event.id}>
          <EventText event={event} currency={order.bill.currency} />
          <time className="block text-ink-soft text-sm" dateTime={new Date(event.at).toISOString()}>
            {formatDate(event.at, locale, order.timeZone, 'dateTime')}
          </time>
        </li>
      ))}
    </ol>
  );
}

function EventText({ event: { what }, currency }: { event: OrderSheet['events'][number]; currency: string }) {
  const { t, locale } = useOffice();
  if (what.kind === 'state')
    return (
      <p>
        <span className="inline-block font-semibold first-letter:uppercase">
          {t(`orders.state.${what.state}`)}
        </span>
        {what.reason && <span className="text-ink-soft"> · {reasonText(t, what.reason)}</span>}
      </p>
    );
  // The entries about states say them already, and a note says nothing of itself.
  const said = (what.fields ?? []).filter(({ field, to }) => field !== 'state' && to !== undefined);
  const money = (cents: number) => formatMoney(cents, locale, currency);
  return (
    <p>
      <span className="font-semibold">{didText(t, what.action)}</span>
      {said.map((change) => ` · ${saidText(t, change, money)}`)}
      <span className="text-ink-soft"> · {doerText(t, what)}</span>
    </p>
  );
}

interface NotesProps {
  notes: OrderSheet['notes'];
  mayWrite: boolean;
  /** The key of the query that has the notes. */
  about: readonly string[];
  send: (note: { text: string }, once: Once) => Promise<unknown>;
}

export function Notes({ notes, mayWrite, about, send }: NotesProps) {
  const { t, locale, shop, queries } = useOffice();
  const once = useOnce();
  const form = useForm({
    initial: { text: '' },
    send: (note) => send(note, once),
    onSent: async () => {
      form.change({ text: '' });
      await queries.invalidateQueries({ queryKey: about });
    },
  });
  return (
    <>
      {notes.length > 0 && (
        <ul className="flex flex-col gap-3">
          {notes.map(({ id, text, by, at }) => (
            <li key={id} className="whitespace-pre-line rounded-md bg-surface-inset p-3">
              {text}
              <span className="block text-ink-soft text-sm">
                {by || t('office.formerStaff')} · {formatDate(at, locale, shop.timeZone, 'dateTime')}
              </span>
            </li>
          ))}
        </ul>
      )}
      {mayWrite && (
        <form {...form.formProps} className="flex flex-col gap-3">
          <FormProblem>{form.problem}</FormProblem>
          <TextArea
            label={t('office.notes.label')}
            hint={t('office.notes.hint')}
            rows={2}
            maxLength={2000}
            {...form.field('text')}
          />
          <Button
            label={t('office.notes.send')}
            type="submit"
            variant="secondary"
            className="self-start"
            busy={form.busy}
            disabled={form.values.text.trim() === ''}
          />
        </form>
      )}
    </>
  );
}

export function Mails({ sheet: { order, mails } }: { sheet: OrderSheet }) {
  const { t, locale, may, call, queries } = useOffice();
  const number = order.orderNumber ?? '';
  const once = useOnce();
  const again = useMutation({
    mutationFn: (mail: string) => call('sendMailAgain', { params: { number, mail }, once }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['order', number] }),
  });
  if (mails.length === 0) return <p className="text-ink-soft">{t('office.mail.none')}</p>;
  return (
    <>
      <Problem error={again.error} />
      {again.isSuccess && <Notice tone="good" title={t('office.mail.queued')} />}
      <ul className="divide-y divide-line border-line border-y">
        {mails.map(({ id, kind, to, state, problem, at }) => (
          <li key={id} className="flex items-center justify-between gap-3 py-2">
            <div className="min-w-0">
              <p>{t(`office.mail.${kind}`)}</p>
              <p className="break-words text-ink-soft text-sm">
                <span className={state === 'failed' || state === 'file' ? 'text-clay' : undefined}>
                  {t(`office.mail.state.${state}`)}
                </span>
                {` · ${formatDate(at, locale, order.timeZone, 'dateTime')} · ${to}`}
              </p>
              {problem && (
                <p className="text-sm">
                  {t(`office.mail.problem.${problem.kind}`, { answer: problem.answer })}
                </p>
              )}
            </div>
            {may.includes('orders.move') && (
              <Button
                label={t('office.mail.again')}
                variant="quiet"
                className="flex-none"
                aria-label={t('office.mail.againOf', { mail: t(`office.mail.${kind}`) })}
                busy={again.isPending && again.variables === id}
                onClick={() => again.mutate(id)}
              />
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

export function ChangeEmail({ number, email }: { number: string; email: string }) {
  const { t } = useOffice();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button
        label={t('office.email.change')}
        variant="quiet"
        className="self-start"
        onClick={() => setOpen(true)}
      />
      {open && <EmailDialog number={number} email={email} onClose={() => setOpen(false)} />}
    </>
  );
}

function EmailDialog({ number, email, onClose }: { number: string; email: string; onClose: () => void }) {
  const { t, call, queries } = useOffice();
  const form = useForm({
    initial: { email },
    validate: (values) => (isEmail(values.email) ? {} : { email: 'rule.emailInvalid' as const }),
    send: (body) => call('correctEmail', { params: { number }, body }),
    onSent: async () => {
      await queries.invalidateQueries({ queryKey: ['order', number] });
      onClose();
    },
  });
  return (
    <Dialog open onClose={onClose} title={t('office.email.change')}>
      <SendForm form={form} label={t('office.email.save')}>
        <TextField
          {...form.field('email')}
          label={t('office.email.label')}
          hint={t('office.email.hint')}
          type="email"
          maxLength={254}
          autoComplete="off"
        />
      </SendForm>
    </Dialog>
  );
}
