/** A webhook: where events go and which, whether they arrive, its secret. */
import { useMutation } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { dateFormat } from '#contract/formatters.ts';
import type { StaffResponse } from '#contract/staff/endpoints.ts';
import { forms } from '#contract/staff/forms.ts';
import { webhookEventTypes } from '#contract/webhook-events.ts';
import { Button } from '#ui/button.tsx';
import { FormSection } from '#ui/form.tsx';
import { Notice } from '#ui/notice.tsx';
import { useOnce } from '../../lib/api.ts';
import { KindPage } from '../../lib/kind-page.tsx';
import { useOffice } from '../../lib/me.tsx';
import { SchemaForm } from '../../lib/schema-form.tsx';
import { Problem } from '../../lib/send-form.tsx';

export default function WebhookPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  const { t } = useOffice();
  return (
    <KindPage
      kind="webhook"
      id={id}
      name={['webhook', id]}
      title={id}
      list={{ path: 'webhooks', query: 'webhooks', title: t('office.webhooks') }}
      needs="connections.manage"
      removable
    >
      {(answer) => (
        <>
          <WebhookStatus status={answer} />
          <WebhookFields />
          <Secret id={id} />
        </>
      )}
    </KindPage>
  );
}

export function WebhookFields() {
  const { t } = useOffice();
  const events = webhookEventTypes.map((value) => ({ value, label: t(`office.webhook.event.${value}`) }));
  return <SchemaForm fields={forms.webhook} choices={{ events }} />;
}

type Status = Pick<StaffResponse<'webhook'>, 'isGone' | 'failingSince' | 'delivered' | 'waiting' | 'failed'>;

export function WebhookStatus({
  status: { isGone, failingSince, delivered, waiting, failed },
}: {
  status: Status;
}) {
  const { t, locale, shop } = useOffice();
  const time = dateFormat(locale, {
    dateStyle: 'medium',
    timeStyle: 'short',
    hourCycle: 'h23',
    timeZone: shop.timeZone,
  });
  return (
    <div className="text-ink-soft text-sm">
      {isGone && <p className="text-clay">{t('office.webhook.gone')}</p>}
      {failingSince !== null && (
        <p className="text-clay">{t('office.webhook.failing', { time: time.format(failingSince) })}</p>
      )}
      <p>{t('office.webhook.counts', { delivered, waiting, failed })}</p>
    </div>
  );
}

function Secret({ id }: { id: string }) {
  const { t, call } = useOffice();
  const once = useOnce();
  const test = useMutation({ mutationFn: () => call('testWebhook', { params: { id } }) });
  const rotate = useMutation({ mutationFn: () => call('rotateWebhook', { params: { id }, once }) });
  const { accepted, answer = '' } = test.data ?? {};
  return (
    <FormSection title={t('office.webhook.secret')}>
      <p className="text-ink-soft">{t('office.webhook.secretWhy')}</p>
      <div className="flex flex-wrap gap-3">
        <Button
          label={t('office.webhook.newSecret')}
          variant="secondary"
          size="small"
          busy={rotate.isPending}
          onClick={() => rotate.mutate()}
        />
        <Button
          label={t('office.webhook.test')}
          variant="secondary"
          size="small"
          busy={test.isPending}
          onClick={() => test.mutate()}
        />
      </div>
      <Problem error={rotate.error ?? test.error} />
      {rotate.data && (
        <Notice title={t('office.webhook.secretNow')}>
          <code className="break-all">{rotate.data.secret}</code>
        </Notice>
      )}
      {test.data && (
        <p aria-live="polite">
          {t(accepted ? 'office.webhook.accepted' : 'office.webhook.notAccepted', { answer })}
        </p>
      )}
    </FormSection>
  );
}
