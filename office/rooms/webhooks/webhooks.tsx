/** Which other systems are told what happens in the shop. */
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { webhookEventTypes } from '#contract/webhook-events.ts';
import { Dialog } from '#ui/dialog.tsx';
import { useForm } from '#ui/form.tsx';
import { TextField } from '#ui/inputs.tsx';
import { Link } from '#ui/link.tsx';
import { AddButton, useAdding } from '../../lib/adding.tsx';
import { useOnce } from '../../lib/api.ts';
import { LoadingRows } from '../../lib/lists.tsx';
import { useOffice } from '../../lib/me.tsx';
import { Problem, SendForm } from '../../lib/send-form.tsx';
import { WebhookStatus } from './webhook.tsx';

export default function Webhooks() {
  const { t, call } = useOffice();
  const adding = useAdding();
  const { data, error } = useQuery({ queryKey: ['webhooks'], queryFn: () => call('webhooks') });
  return (
    <div className="flex max-w-room flex-col gap-6">
      <header className="flex flex-wrap items-center justify-between gap-4">
        <h1 className="text-2xl">{t('office.webhooks')}</h1>
        <AddButton adding={adding} />
      </header>
      <p className="text-ink-soft">{t('office.webhooks.why')}</p>
      <Problem error={error} />
      <LoadingRows until={data !== undefined || error !== null} />
      {data?.webhooks.length === 0 && <p className="text-ink-soft">{t('office.webhooks.none')}</p>}
      <ul className="divide-y divide-line border-line border-y empty:hidden">
        {data?.webhooks.map((webhook) => (
          <li key={webhook.id} className="flex flex-col gap-1 py-3">
            <Link
              href={`/office/webhooks/${encodeURIComponent(webhook.id)}`}
              className="inline-flex min-h-11 items-center break-all font-semibold underline"
            >
              {webhook.url}
            </Link>
            <p className="text-sm">
              {t(webhook.paused ? 'office.webhook.paused' : 'office.webhook.active')} ·{' '}
              {webhook.events
                .map((event) => t(`office.webhook.event.${event}`))
                .join(t('office.listSeparator'))}
            </p>
            <WebhookStatus status={webhook} />
          </li>
        ))}
      </ul>
      {adding.isOpen && <AddWebhook onClose={adding.close} />}
    </div>
  );
}

function AddWebhook({ onClose }: { onClose: () => void }) {
  const { t, call, queries } = useOffice();
  const once = useOnce();
  const navigate = useNavigate();
  const form = useForm({
    initial: { url: '' },
    // All events; its page leaves out what it should not receive.
    send: ({ url }) => call('addWebhook', { body: { url, events: [...webhookEventTypes] }, once }),
    onSent: ({ content }) => {
      void queries.invalidateQueries({ queryKey: ['webhooks'] });
      void navigate({ to: `/office/webhooks/${content.id}` as '/office' });
    },
  });
  return (
    <Dialog open onClose={onClose} title={t('office.webhook.add')}>
      <SendForm form={form} label={t('office.webhook.add')}>
        <TextField
          {...form.field('url')}
          label={t('office.webhook.url')}
          type="url"
          autoComplete="off"
          required
        />
      </SendForm>
    </Dialog>
  );
}
