/** The emails about an order, sent once more, and the address that they go to. */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { isEmail } from '#contract/rules/contact.ts';
import type { OrderSheet } from '#contract/staff/orders.ts';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { useForm } from '#ui/form.tsx';
import { formatDate } from '#ui/format.ts';
import { TextField } from '#ui/inputs.tsx';
import { Notice } from '#ui/notice.tsx';
import { useOffice } from '../../lib/me.tsx';
import { Problem } from '../../lib/problem.tsx';
import { SendForm } from '../../lib/send-form.tsx';

export function Mails({ sheet: { order, mails } }: { sheet: OrderSheet }) {
  const { t, locale, may, call, queries } = useOffice();
  const number = order.orderNumber ?? '';
  const again = useMutation({
    mutationFn: (mail: string) => call('sendMailAgain', { params: { number, mail } }),
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
  const { t } = useOffice();
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
