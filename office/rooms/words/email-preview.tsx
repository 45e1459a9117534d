/** The email beside its texts, as the shop would send it with what is in the form, and the test of it. */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type Locale, locales, offeredLocales } from '#contract/locales.ts';
import type { Patch } from '#contract/staff/endpoint.ts';
import { Button } from '#ui/button.tsx';
import { Select } from '#ui/inputs.tsx';
import { useOnce } from '../../lib/api.ts';
import { useTrial } from '../../lib/document.tsx';
import { useOffice } from '../../lib/me.tsx';
import { Still, withoutStyle } from '../../lib/preview.tsx';
import { Problem } from '../../lib/send-form.tsx';

/** Of the window in which mail programs show it, px. */
const widths = { phone: 390, desktop: 680 } as const;
type Screen = keyof typeof widths;

export function EmailPreview({ id, edits }: { id: string; edits: Patch['edits'] }) {
  const { t, locale, call } = useOffice();
  const languages = offeredLocales();
  const [chosen, setLanguage] = useState<Locale>(locale);
  const language = languages.includes(chosen) ? chosen : (languages[0] ?? locale);
  const [screen, setScreen] = useState<Screen>('phone');
  const [isNight, setIsNight] = useState(false);
  const { data, error } = useTrial(['try-email', id, language, { edits }], () =>
    call('tryEmail', { params: { id }, body: { edits, language } }),
  );
  return (
    <section className="flex flex-col gap-4" data-preview>
      <h2 className="text-lg">{t('office.words.preview')}</h2>
      <p className="text-ink-soft text-sm">{t('office.words.previewHint')}</p>
      <div className="grid grid-cols-2 gap-4">
        {languages.length > 1 && (
          <Select
            label={t('office.page.previewLanguage')}
            options={languages.map((code) => ({ value: code, label: locales[code].name }))}
            value={language}
            onChange={({ target }) => setLanguage(target.value as Locale)}
          />
        )}
        <Select
          label={t('office.page.previewWidth')}
          options={[
            { value: 'phone', label: t('office.page.previewPhone') },
            { value: 'desktop', label: t('office.page.previewDesktop') },
          ]}
          value={screen}
          onChange={({ target }) => setScreen(target.value as Screen)}
        />
        <Select
          label={t('office.look.previewTime')}
          options={[
            { value: 'day', label: t('office.look.previewDay') },
            { value: 'night', label: t('office.look.previewNight') },
          ]}
          value={isNight ? 'night' : 'day'}
          onChange={({ target }) => setIsNight(target.value === 'night')}
        />
      </div>
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
            width={widths[screen]}
            title={t('office.words.preview')}
            isEnd={false}
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
