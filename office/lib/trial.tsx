/** What a sample order would be offered after the edits of a form, asked for a moment after the last of them. */
import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { ApiError, errorText } from '#ui/errors.ts';
import { useT } from '#ui/i18n.tsx';
import { useLanguage } from './i18n.tsx';

const pauseMs = 300;

export function useTrial<R>(key: readonly unknown[], ask: () => Promise<R>): UseQueryResult<R> {
  const text = JSON.stringify(key);
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  return useQuery({
    queryKey: ['trial', settled],
    queryFn: ask,
    enabled: settled === text,
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 0,
  });
}

export function Trial({ trial: { error }, title, children }: { trial: UseQueryResult; title?: string; children: ReactNode }) {
  const { t } = useLanguage();
  const shared = useT();
  const isRefused = error instanceof ApiError && error.body.errors;
  return (
    <div className="flex flex-col gap-5">
      <h2 className="text-lg">{title ?? t('office.sample')}</h2>
      <p className="text-ink-soft text-sm">{t('office.sample.hint')}</p>
      {error && (
        <p className="font-medium text-clay text-sm">{isRefused ? t('office.sample.refused') : errorText(error, shared)}</p>
      )}
      {children}
    </div>
  );
}
