/** The devices that are signed in as counters of stores, and making this one another. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { dateFormat } from '#contract/formatters.ts';
import { inLocale } from '#contract/locales.ts';
import { Button } from '#ui/button.tsx';
import { errorText } from '#ui/errors.ts';
import { FormSection } from '#ui/form.tsx';
import { useT } from '#ui/i18n.tsx';
import { Select } from '#ui/inputs.tsx';
import { Notice } from '#ui/notice.tsx';
import { useCall } from '../../lib/api.tsx';
import { useLanguage } from '../../lib/i18n.tsx';
import { useEnter, useMe } from '../../lib/me.tsx';

export function Stations() {
  const { t, locale } = useLanguage();
  const shared = useT();
  const { shop, stores: own } = useMe();
  const call = useCall();
  const enter = useEnter();
  const queries = useQueryClient();
  const { data, error } = useQuery({ queryKey: ['stations'], queryFn: () => call('stations') });
  const options = shop.stores
    .filter(({ id }) => own === null || own.includes(id))
    .map(({ id, nameContent }) => ({ value: id, label: inLocale(nameContent, locale) }));
  const [store, setStore] = useState(options[0]?.value ?? '');
  const start = useMutation({ mutationFn: () => call('startStation', { body: { store } }), onSuccess: enter });
  const end = useMutation({
    mutationFn: (id: string) => call('endStation', { params: { id } }),
    onSuccess: (answer) => queries.setQueryData(['stations'], answer),
  });
  const problem = start.error ?? end.error ?? error;
  const time = dateFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: shop.timeZone });
  return (
    <FormSection title={t('office.stations')}>
      {problem && <Notice tone="bad" title={errorText(problem, shared)} />}
      {data?.stations.length === 0 && <p className="text-ink-soft">{t('office.station.none')}</p>}
      <ul className="divide-y divide-line border-line border-y empty:hidden">
        {data?.stations.map((each) => (
          <li key={each.id} className="flex min-h-14 items-center gap-4 py-2">
            <p className="min-w-0 flex-1">
              {options.find(({ value }) => value === each.store)?.label}
              <span className="block text-ink-soft text-sm">
                {each.device || t('office.unknownDevice')} · {t('office.lastSeen', { time: time.format(each.lastSeenAt) })}
              </span>
            </p>
            <Button variant="secondary" size="small" onClick={() => end.mutate(each.id)}>
              {t('office.station.end')}
            </Button>
          </li>
        ))}
      </ul>
      <div className="flex max-w-[40rem] flex-col items-start gap-4">
        <Select
          className="w-full max-w-xs"
          label={t('office.station.store')}
          options={options}
          value={store}
          onChange={(event) => setStore(event.target.value)}
        />
        <p className="text-ink-soft text-sm">{t('office.station.makeHint')}</p>
        <Button variant="secondary" busy={start.isPending} onClick={() => start.mutate()}>
          {t('office.station.make')}
        </Button>
      </div>
    </FormSection>
  );
}
