/** Today: how busy a store is, what it has none of, and the days on which it is closed. */
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { dateFormat } from '#contract/formatters.ts';
import type { StoreDays } from '#contract/staff/stores.ts';
import { Button } from '#ui/button.tsx';
import { ApiError } from '#ui/errors.ts';
import { Select, TextField } from '#ui/inputs.tsx';
import { Notice } from '#ui/notice.tsx';
import { useFilters } from '../../lib/lists.tsx';
import { useOffice, useStores } from '../../lib/me.tsx';
import { Problem } from '../../lib/send-form.tsx';

export default function Opening() {
  const { t, may } = useOffice();
  const { own } = useStores();
  const [{ store: chosen }, change] = useFilters();
  const store = (own.find(({ value }) => value === chosen) ?? own[0])?.value;
  return (
    <div className="flex max-w-room flex-col gap-10">
      <header className="flex flex-wrap items-end justify-between gap-4">
        <h1 className="text-2xl">{t('office.opening')}</h1>
        {own.length > 1 && (
          <Select
            className="w-64"
            label={t('office.orders.store')}
            options={own}
            value={store}
            onChange={(event) => change({ store: event.target.value })}
          />
        )}
      </header>
      {store && may.includes('desk.pause') && <Pickup key={`pickup ${store}`} store={store} />}
      {store && <SoldOut key={`sold-out ${store}`} store={store} />}
      {store && may.includes('desk.pause') && <Days key={`days ${store}`} store={store} />}
    </div>
  );
}

const busyMinutes = [15, 30] as const;
const dayAndTime = { weekday: 'short', hour: 'numeric', minute: '2-digit' } as const;

/** How busy the store is, and saying so until the entered time. */
function usePickup(store: string) {
  const { call, queries } = useOffice();
  const [until, setUntil] = useState('');
  const key = ['store-pickup', store];
  const { data, error } = useQuery({
    queryKey: key,
    queryFn: () => call('storePickup', { params: { store } }),
    refetchInterval: 60_000,
  });
  const change = useMutation({
    mutationFn: (body: { busyMinutes?: number; paused?: boolean; until?: string }) =>
      call('changePickup', { params: { store }, body }),
    onSuccess: (answer) => {
      queries.setQueryData(key, answer);
      setUntil('');
    },
  });
  return { until, setUntil, data, problem: change.error ?? error, change };
}

function Pickup({ store }: { store: string }) {
  const { t, locale, shop } = useOffice();
  const { until, setUntil, data, problem, change } = usePickup(store);
  const fieldError = problem instanceof ApiError ? problem.body.errors?.until : undefined;
  const timeZone = data?.timeZone ?? shop.timeZone;
  const moment = dateFormat(locale, { ...dayAndTime, timeZone });
  const ends = until === '' ? {} : { until };
  return (
    <section className="flex flex-col gap-4">
      <h2 className="text-xl">{t('office.opening.pickup')}</h2>
      <Problem error={!fieldError && problem} />
      {data?.busy && (
        <Notice
          title={t('office.opening.busyUntil', {
            minutes: data.busy.minutes,
            time: moment.format(data.busy.until),
          })}
        >
          <Button
            variant="secondary"
            busy={change.isPending}
            onClick={() => change.mutate({ busyMinutes: 0 })}
          >
            {t('office.opening.asUsual')}
          </Button>
        </Notice>
      )}
      {data && data.pausedUntil !== null && (
        <Notice title={t('office.opening.paused', { time: moment.format(data.pausedUntil) })}>
          {data.waiting.length > 0 && <p>{t('office.opening.pausedWaiting')}</p>}
          <WaitingOrders days={data} />
          <Button
            variant="secondary"
            busy={change.isPending}
            onClick={() => change.mutate({ paused: false })}
          >
            {t('office.opening.resume')}
          </Button>
        </Notice>
      )}
      <TextField
        type="time"
        className="max-w-md [&_input]:w-40"
        label={t('office.opening.pickupUntil')}
        hint={t('office.opening.pickupUntilHint')}
        value={until}
        error={fieldError}
        onChange={(event) => {
          change.reset();
          setUntil(event.target.value);
        }}
      />
      <div className="flex flex-wrap gap-3">
        {busyMinutes.map((minutes) => (
          <Button
            key={minutes}
            variant="secondary"
            onClick={() => change.mutate({ busyMinutes: minutes, ...ends })}
          >
            {t('office.opening.busy', { minutes })}
          </Button>
        ))}
        <Button variant="secondary" onClick={() => change.mutate({ paused: true, ...ends })}>
          {until === '' ? t('office.opening.pause') : t('office.opening.pauseUntil', { time: until })}
        </Button>
      </div>
    </section>
  );
}

/** What is marked, what the text finds, and marking. */
function useSoldOut(store: string) {
  const { locale, call, queries } = useOffice();
  const [text, setText] = useState('');
  const key = ['sold-out', store, locale];
  const marked = useQuery({ queryKey: key, queryFn: () => call('soldOut', { params: { store } }) });
  const wanted = text.trim();
  const search = useQuery({
    queryKey: ['sold-out-search', store, locale, wanted],
    queryFn: () => call('soldOut', { params: { store }, query: { text: wanted } }),
    enabled: wanted !== '',
    placeholderData: keepPreviousData,
  });
  const mark = useMutation({
    mutationFn: (body: { item: string; soldOut: boolean }) =>
      call('markSoldOut', { params: { store }, body }),
    onSuccess: (answer, { soldOut }) => {
      queries.setQueryData(key, answer);
      if (soldOut) setText('');
    },
  });
  const error = mark.error ?? marked.error ?? search.error;
  const busyWith = mark.isPending ? mark.variables.item : null;
  const gone = new Set(marked.data?.items.map(({ item }) => item));
  const found = wanted === '' ? [] : (search.data?.found ?? []).filter(({ item }) => !gone.has(item));
  return { text, setText, wanted, marked, search, mark, error, busyWith, found };
}

function SoldOut({ store }: { store: string }) {
  const { t, locale, shop } = useOffice();
  const { text, setText, wanted, marked, search, mark, error, busyWith, found } = useSoldOut(store);
  const time = dateFormat(locale, { ...dayAndTime, timeZone: marked.data?.timeZone ?? shop.timeZone });
  return (
    <section className="flex flex-col gap-4">
      <h2 className="text-xl">{t('office.opening.soldOut')}</h2>
      <p className="text-ink-soft">{t('office.opening.soldOutHint')}</p>
      <Problem error={error} />
      <ul className="divide-y divide-line border-line border-y empty:hidden">
        {marked.data?.items.map((each) => (
          <Item
            key={each.item}
            name={each.name}
            words={[each.detail, t('office.opening.until', { time: time.format(each.until) })]}
          >
            <Button
              label={t('office.opening.back')}
              variant="secondary"
              busy={busyWith === each.item}
              aria-label={`${t('office.opening.back')}: ${each.name} ${each.detail}`}
              onClick={() => mark.mutate({ item: each.item, soldOut: false })}
            />
          </Item>
        ))}
      </ul>
      <TextField
        type="search"
        label={t('office.opening.find')}
        hint={t('office.opening.findHint')}
        autoComplete="off"
        maxLength={200}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <div aria-live="polite">
        {wanted !== '' && search.data && !search.isFetching && found.length === 0 && (
          <p>{t('office.opening.nothingFound')}</p>
        )}
        <ul className="divide-y divide-line border-line border-y empty:hidden">
          {found.map((each) => (
            <Item
              key={each.item}
              name={each.name}
              words={[each.detail, each.item.startsWith('product:') ? t('office.opening.whole') : '']}
            >
              <Button
                label={t('office.opening.mark')}
                busy={busyWith === each.item}
                aria-label={`${t('office.opening.mark')}: ${each.name} ${each.detail}`}
                onClick={() => mark.mutate({ item: each.item, soldOut: true })}
              />
            </Item>
          ))}
        </ul>
      </div>
    </section>
  );
}

function Item({ name, words, children }: { name: string; words: string[]; children: React.ReactNode }) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-3">
      <p className="min-w-0 flex-1 basis-48">
        <span className="font-semibold">{name}</span>
        <span className="block text-ink-soft text-sm">{words.filter(Boolean).join(' · ')}</span>
      </p>
      {children}
    </li>
  );
}

/** The days, what closing the chosen one would concern, and closing it. */
function useDays(store: string) {
  const { call, queries } = useOffice();
  const [date, setDate] = useState('');
  const key = ['store-days', store];
  const { data, error } = useQuery({
    queryKey: key,
    queryFn: () => call('storeDays', { params: { store } }),
  });
  const preview = useQuery({
    queryKey: ['store-days', store, date],
    queryFn: () => call('storeDays', { params: { store }, query: { date } }),
    enabled: date !== '',
    gcTime: 0,
    retry: false,
  });
  const close = useMutation({
    mutationFn: (body: { date: string; closed: boolean }) => call('closeDay', { params: { store }, body }),
    onSuccess: (answer) => {
      queries.setQueryData(key, answer);
      setDate('');
    },
  });
  return { date, setDate, data, error, preview, close };
}

function Days({ store }: { store: string }) {
  const { t, locale } = useOffice();
  const { date, setDate, data, error, preview, close } = useDays(store);
  const problem = close.error ?? preview.error ?? error;
  const fieldError = problem instanceof ApiError ? problem.body.errors?.date : undefined;
  const day = dateFormat(locale, { dateStyle: 'full', timeZone: 'UTC' });
  const told = date === '' ? close.data : undefined;
  return (
    <section id="days" className="flex flex-col gap-4">
      <h2 className="text-xl">{t('office.opening.days')}</h2>
      <Problem error={!fieldError && problem} />
      {told && told.waiting.length > 0 && <Waiting title={t('office.opening.told')} days={told} />}
      <ul className="divide-y divide-line border-line border-y empty:hidden">
        {data?.days.map((each) => (
          <Item
            key={each.date}
            name={day.format(Date.parse(each.date))}
            words={[each.hours ?? t('office.opening.closed')]}
          >
            {each.hours === null && (
              <Button
                label={t('office.opening.open')}
                variant="secondary"
                busy={close.isPending && close.variables.date === each.date}
                aria-label={`${t('office.opening.open')}: ${day.format(Date.parse(each.date))}`}
                onClick={() => close.mutate({ date: each.date, closed: false })}
              />
            )}
          </Item>
        ))}
      </ul>
      <TextField
        type="date"
        className="w-52"
        label={t('office.opening.closeOn')}
        min={data?.today}
        value={date}
        error={fieldError}
        onChange={(event) => {
          close.reset();
          setDate(event.target.value);
        }}
      />
      {date !== '' && preview.data && (
        <>
          {preview.data.waiting.length > 0 && (
            <Waiting title={t('office.opening.waiting')} days={preview.data} />
          )}
          <Button
            className="self-start"
            busy={close.isPending}
            onClick={() => close.mutate({ date, closed: true })}
          >
            {t(preview.data.waiting.length > 0 ? 'office.opening.closeAndTell' : 'office.opening.close')}
          </Button>
        </>
      )}
    </section>
  );
}

function Waiting({ title, days }: { title: string; days: StoreDays }) {
  return (
    <Notice title={title}>
      <WaitingOrders days={days} />
    </Notice>
  );
}

function WaitingOrders({ days: { waiting, timeZone } }: { days: Pick<StoreDays, 'waiting' | 'timeZone'> }) {
  const { t, locale } = useOffice();
  const time = dateFormat(locale, { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23', timeZone });
  return (
    <ul className="empty:hidden">
      {waiting.map(({ number, pickupAt, email }) => (
        <li key={number}>
          <a className="underline" href={`/office/orders/${encodeURIComponent(number)}`}>
            {number}
          </a>{' '}
          · {time.format(pickupAt)}
          {!email && ` · ${t('office.opening.noEmail')}`}
        </li>
      ))}
    </ul>
  );
}
