/** The devices that are signed in as counters of stores, and making this one another. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { dateFormat } from '#contract/formatters.ts';
import { inLocale } from '#contract/locales.ts';
import { Button } from '#ui/button.tsx';
import { FormSection } from '#ui/form.tsx';
import { Select } from '#ui/inputs.tsx';
import { useEnter, useOffice } from '../../lib/me.tsx';
import { Problem } from '../../lib/problem.tsx';

export function Stations() {
  const { t, locale, shop, stores: own, call, queries } = useOffice();
  const enter = useEnter();
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
      <Problem error={problem} />
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
