/** The email beside its texts, as the shop would send it with what is in the form, and the test of it. */
import { useMutation } from '@tanstack/react-query';
import { type Locale, locales, offeredLocales } from '#contract/locales.ts';
import type { Patch } from '#contract/staff/endpoint.ts';
import { Button } from '#ui/button.tsx';
import { useOnce } from '../../lib/api.ts';
import { useTrial } from '../../lib/document.tsx';
import { useOffice } from '../../lib/me.tsx';
import { PreviewChoices, Still, usePreviewed, withoutStyle } from '../../lib/preview.tsx';
import { Problem } from '../../lib/send-form.tsx';

/** Of the window in which mail programs show it, px. */
const widths = { phone: 390, desktop: 680 };

export function EmailPreview({ id, edits }: { id: string; edits: Patch['edits'] }) {
  const { t, call } = useOffice();
  const shown = usePreviewed(offeredLocales(), widths, 'phone');
  const { language, width, isNight } = shown;
  const { data, error } = useTrial(['try-email', id, language, { edits }], () =>
    call('tryEmail', { params: { id }, body: { edits, language } }),
  );
  return (
    <section className="flex flex-col gap-4" data-preview>
      <h2 className="text-lg">{t('office.words.preview')}</h2>
      <p className="text-ink-soft text-sm">{t('office.words.previewHint')}</p>
      <PreviewChoices of={shown} />
      <Problem error={error} />
      {data && (
        <>
          <dl className="text-sm" lang={locales[language].tag}>
            <dt className="sr-only">{t('office.words.from')}</dt>
            <dd className="break-words text-ink-soft">{data.from}</dd>
            <dt className="sr-only">{t('office.words.subject')}</dt>
            <dd className="break-words font-semibold" data-subject>
              {data.subject}
            </dd>
          </dl>
          <Still
            html={withoutStyle(data.html)}
            width={width}
            title={t('office.words.preview')}
            night={isNight}
          />
        </>
      )}
      <SendTest id={id} edits={edits} language={language} />
    </section>
  );
}

function SendTest({ id, edits, language }: { id: string; edits: Patch['edits']; language: Locale }) {
  const { t, call } = useOffice();
  const once = useOnce();
  const sending = useMutation({
    mutationFn: () => call('sendTestEmail', { params: { id }, body: { edits, language }, once }),
  });
  return (
    <div className="flex flex-col gap-2">
      <Button
        label={t('office.words.sendTest')}
        variant="secondary"
        size="small"
        className="self-start"
        busy={sending.isPending}
        onClick={() => sending.mutate()}
      />
      <p className="text-ink-soft text-sm">{t('office.words.sendTestWhy')}</p>
      <Problem error={sending.error} />
      <p role="status" className="text-sm">
        {sending.data &&
          (sending.data.sends
            ? t('office.words.sent', { to: sending.data.to })
            : t('office.words.written', { to: sending.data.to }))}
      </p>
    </div>
  );
}
