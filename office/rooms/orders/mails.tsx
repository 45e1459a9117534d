/** The emails about an order, sent once more, and the address that they go to. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { isEmail } from '#contract/rules/contact.ts';
import type { OrderSheet } from '#contract/staff/orders.ts';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { errorText } from '#ui/errors.ts';
import { FormProblem, useForm } from '#ui/form.tsx';
import { formatDate } from '#ui/format.ts';
import { useT } from '#ui/i18n.tsx';
import { TextField } from '#ui/inputs.tsx';
import { Notice } from '#ui/notice.tsx';
import { useCall } from '../../lib/api.tsx';
import { useLanguage } from '../../lib/i18n.tsx';
import { useMe } from '../../lib/me.tsx';

export function Mails({ sheet: { order, mails } }: { sheet: OrderSheet }) {
  const { t, locale } = useLanguage();
  const shared = useT();
  const { may } = useMe();
  const call = useCall();
  const queries = useQueryClient();
  const number = order.orderNumber ?? '';
  const again = useMutation({
    mutationFn: (mail: string) => call('sendMailAgain', { params: { number, mail } }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['order', number] }),
  });
  if (mails.length === 0) return <p className="text-ink-soft">{t('office.mail.none')}</p>;
  return (
    <>
      {again.error && <Notice tone="bad" title={errorText(again.error, shared)} />}
      {again.isSuccess && <Notice tone="good" title={t('office.mail.queued')} />}
      <ul className="divide-y divide-line border-line border-y">
        {mails.map(({ id, kind, to, state, problem, at }) => (
          <li key={id} className="flex items-center justify-between gap-3 py-2">
            <div className="min-w-0">
              <p>{t(`office.mail.${kind}`)}</p>
              <p className="break-words text-ink-soft text-sm">
                <span className={state === 'failed' ? 'text-clay' : undefined}>{t(`office.mail.state.${state}`)}</span>
                {` · ${formatDate(at, locale, order.timeZone, 'dateTime')} · ${to}`}
                {problem && ` · ${problem}`}
              </p>
            </div>
            {may.includes('orders.move') && (
              <Button
                variant="quiet"
                className="flex-none"
                aria-label={t('office.mail.againOf', { mail: t(`office.mail.${kind}`) })}
                busy={again.isPending && again.variables === id}
                onClick={() => again.mutate(id)}
              >
                {t('office.mail.again')}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

export function ChangeEmail({ number, email }: { number: string; email: string }) {
  const { t } = useLanguage();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="quiet" className="self-start" onClick={() => setOpen(true)}>
        {t('office.email.change')}
      </Button>
      {open && <EmailDialog number={number} email={email} onClose={() => setOpen(false)} />}
    </>
  );
}

function EmailDialog({ number, email, onClose }: { number: string; email: string; onClose: () => void }) {
  const { t } = useLanguage();
  const call = useCall();
  const queries = useQueryClient();
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
      <form {...form.formProps} className="flex flex-col gap-5">
        <FormProblem>{form.problem}</FormProblem>
        <TextField
          {...form.field('email')}
          label={t('office.email.label')}
          hint={t('office.email.hint')}
          type="email"
          maxLength={254}
          autoComplete="off"
        />
        <Button type="submit" busy={form.busy}>
          {t('office.email.save')}
        </Button>
      </form>
    </Dialog>
  );
}
