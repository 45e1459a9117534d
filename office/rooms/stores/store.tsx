/** A store: what shoppers see of it, its hours, pickup and delivery, and beside it what a sample order would be offered. */
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { dateFormat } from '#contract/formatters.ts';
import { weekdays } from '#contract/limits.ts';
import { inLocale, mainLocale } from '#contract/locales.ts';
import { ofUnits } from '#contract/money.ts';
import type { DayHours } from '#contract/rules/opening-hours.ts';
import type { DeliveryZone, Point, Store } from '#contract/schemas/store.ts';
import type { Patch } from '#contract/staff/endpoint.ts';
import { forms } from '#contract/staff/forms.ts';
import { Button, IconButton } from '#ui/button.tsx';
import { formatMoney } from '#ui/format.ts';
import { Checkbox, TextField } from '#ui/inputs.tsx';
import { Link } from '#ui/link.tsx';
import { type EditedDocument, type Path, Trial, useTrial } from '../../lib/document.tsx';
import { ClockField, ClockOf, ListOf, useEdited } from '../../lib/document-form.tsx';
import { useLanguage } from '../../lib/i18n.tsx';
import { KindPage } from '../../lib/kind-page.tsx';
import { useOffice } from '../../lib/me.tsx';
import { useMoney } from '../../lib/money.tsx';
import { SchemaForm } from '../../lib/schema-form.tsx';

/** Degrees from the store to the corners of a new zone: about a kilometre. */
const nearby = 0.01;

export default function StorePage() {
  const { store: id = '' } = useParams({ strict: false }) as { store?: string };
  const { t, stores } = useOffice();
  return (
    <KindPage
      kind="store"
      id={id}
      name={['store', id]}
      list={{ path: 'stores', query: 'stores', title: t('office.stores') }}
      needs="settings.stores"
      removable={stores === null}
      aside={({ content: { timeZone } }, edits) => (
        <SampleOrder store={id} edits={edits} timeZone={timeZone} />
      )}
    >
      {() => <StoreFields store={id} />}
    </KindPage>
  );
}

export function StoreFields({ store = '' }: { store?: string }) {
  return (
    <SchemaForm
      fields={forms.store}
      own={{
        openingHours: () => <Hours key="hours" />,
        specialHours: () => <SpecialDays key="special" />,
        'deliveryZones.polygon': (path) => <Corners key="corners" path={path} />,
      }}
      after={{ 'office.store.place': <MapLink />, 'office.store.pickup': <Tables store={store} /> }}
      entry={{ deliveryZones: newZone }}
    />
  );
}

function MapLink() {
  const form = useEdited();
  const { t } = useLanguage();
  const [lat, lng] = [form.valueAt(['lat']), form.valueAt(['lng'])];
  return (
    <a
      className="flex min-h-11 items-center self-start underline"
      href={`https://www.openstreetmap.org/?mlat=${lat}&mlon=${lng}#map=17/${lat}/${lng}`}
      target="_blank"
      rel="noreferrer"
    >
      {t('office.store.map')}
    </a>
  );
}

/** The cards of a store's tables, and what the law asks of it. */
function Tables({ store }: { store: string }) {
  const form = useEdited();
  const { t } = useLanguage();
  if (!(Number(form.valueAt(['tables'])) > 0)) return null;
  return (
    <p>
      {store && (
        <Link className="mb-2 block underline" href={`/office/stores/${store}/cards`}>
          {t('office.tableCards.print')}
        </Link>
      )}
      <Link className="underline" href="/office/money">
        {t('office.store.tablesLaw')}
      </Link>{' '}
      {form.valueAt(['address', 'provinceCode']) === 'QC' && t('office.store.tablesQuebec')}
    </p>
  );
}

/** What a sample order would be offered by the store as it is in the form, saved or not. */
function SampleOrder({ store, edits, timeZone }: { store: string; edits: Patch['edits']; timeZone: string }) {
  const { t, locale, call } = useOffice();
  const [postCode, setPostCode] = useState('');
  const { text, parse, currency } = useMoney();
  const [amount, setAmount] = useState(() => text(ofUnits(30, currency)));
  const itemsCents = parse(amount) ?? 0;
  const trial = useTrial(['try-store', store, locale, { edits, postCode, itemsCents }], () =>
    call('tryStore', { params: { id: store }, body: { edits, postCode, itemsCents } }),
  );
  const { data } = trial;
  const time = dateFormat(locale, {
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone,
  });
  const money = (cents: number) => formatMoney(cents, locale, currency);
  return (
    <Trial trial={trial}>
      {data && (
        <>
          <p>{data.status}</p>
          <div>
            <h3 className="font-sans font-semibold">{t('office.store.nextTimes')}</h3>
            {data.pickupTimes.length === 0 ? (
              <p>{t('office.store.noTimes')}</p>
            ) : (
              <ul data-times className="grid grid-cols-2 gap-x-4">
                {data.pickupTimes.map((at) => (
                  <li key={at}>{time.format(at)}</li>
                ))}
              </ul>
            )}
          </div>
        </>
      )}
      <TextField
        label={t('office.store.sampleCode')}
        autoComplete="off"
        value={postCode}
        maxLength={20}
        onChange={({ target }) => setPostCode(target.value)}
      />
      <TextField
        label={t('office.sample.items')}
        inputMode="decimal"
        autoComplete="off"
        value={amount}
        onChange={({ target }) => setAmount(target.value)}
      />
      {data && postCode.trim() !== '' && (
        <p role="status">
          {!data.delivery && t('office.store.noZone')}
          {data.delivery &&
            (data.delivery.missingCents > 0
              ? t('office.store.deliveryMissing', {
                  name: inLocale(data.delivery.name, locale),
                  missing: money(data.delivery.missingCents),
                })
              : t('office.store.deliverySample', {
                  name: inLocale(data.delivery.name, locale),
                  fee: money(data.delivery.feeCents),
                  time: time.format(data.delivery.at),
                }))}
        </p>
      )}
    </Trial>
  );
}

/** Around the store. */
function newZone(unique: string, form: EditedDocument): DeliveryZone {
  const [lat, lng] = [Number(form.valueAt(['lat'])), Number(form.valueAt(['lng']))];
  const corners = [
    [1, -1],
    [1, 1],
    [-1, 1],
    [-1, -1],
  ] as const;
  return {
    id: `zone-${unique}`,
    name: { [mainLocale()]: '' },
    polygon: corners.map(([up, right]) => ({ lat: lat + up * nearby, lng: lng + right * nearby })),
    postalCodes: [],
    feeCents: 500,
    minimumCents: 2000,
    freeFromCents: null,
    minutes: 45,
  };
}

/** The corners of a zone as text: a line for each. */
function Corners({ path }: { path: Path }) {
  const { t } = useLanguage();
  return (
    <ListOf<Point>
      path={path}
      label={t('office.store.polygon')}
      hint={t('office.store.polygonHint')}
      separator={'\n'}
      print={({ lat, lng }) => `${lat}, ${lng}`}
      parse={(text) =>
        text
          .split('\n')
          .filter((line) => line.trim() !== '')
          .map((line) => {
            const [lat = '', lng = ''] = line.split(',');
            return { lat: Number(lat.trim() || Number.NaN), lng: Number(lng.trim() || Number.NaN) };
          })
      }
    />
  );
}

const usual = { open: '09:00', close: '17:00' };
/** A Monday. */
const firstDay = Date.UTC(2024, 0, 1);
const dayMs = 86_400_000;

function Hours() {
  const form = useEdited();
  const { t, locale } = useLanguage();
  const name = dateFormat(locale, { weekday: 'long', timeZone: 'UTC' });
  const monday = form.valueAt(['openingHours', 'monday']);
  return (
    <>
      <ul className="divide-y divide-line border-line border-y">
        {weekdays.map((day, index) => (
          <li key={day} className="py-3">
            <Day path={['openingHours', day]} name={name.format(firstDay + index * dayMs)} />
          </li>
        ))}
      </ul>
      <Button
        label={t('office.store.likeMonday')}
        variant="secondary"
        className="self-start"
        onClick={() =>
          form.change(['openingHours'], Object.fromEntries(weekdays.map((day) => [day, monday])))
        }
      />
    </>
  );
}

/** `09:00–14:00, 17:00–21:00`, with a break in between. */
function hoursText({ open, close, breaks = [] }: NonNullable<DayHours>): string {
  const ends = [open, ...breaks.flatMap(({ from, until }) => [from, until]), close];
  return ends.flatMap((end, index) => (index % 2 === 0 ? [`${end}–${ends[index + 1]}`] : [])).join(', ');
}

function Day({ path, name }: { path: Path; name: string }) {
  const form = useEdited();
  const { t } = useLanguage();
  const hours = form.valueAt(path) as DayHours;
  const breaks = hours?.breaks ?? [];
  const print = (each: unknown) =>
    each === null ? t('office.opening.closed') : hoursText(each as NonNullable<DayHours>);
  const error = form.errorAt(path, name, print) ?? form.errorAt([...path, 'breaks'], name);
  const setBreaks = (next: NonNullable<DayHours>['breaks']) =>
    form.change(path, next?.length ? { ...hours, breaks: next } : { open: hours?.open, close: hours?.close });
  return (
    <div className="grid items-start gap-x-4 gap-y-2 product:grid-cols-[11rem_1fr]">
      <Checkbox
        className="min-h-11 justify-center"
        label={name}
        checked={hours !== null}
        error={error}
        onChange={({ target }) => form.change(path, target.checked ? usual : null)}
      />
      {hours === null ? (
        <p className="flex min-h-11 items-center text-ink-soft">{t('office.opening.closed')}</p>
      ) : (
        <div className="flex flex-col gap-3">
          <div className="flex flex-wrap items-end gap-3">
            <ClockOf className="w-28" path={[...path, 'open']} label={t('office.store.opens')} />
            <ClockOf className="w-28" path={[...path, 'close']} label={t('office.store.closes')} />
            <Button variant="quiet" onClick={() => setBreaks([...breaks, { from: '14:00', until: '17:00' }])}>
              {t('office.store.addBreak')}
            </Button>
          </div>
          {breaks.map((each, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: breaks have nothing else that names them
            <div key={index} className="flex flex-wrap items-end gap-3">
              {(['from', 'until'] as const).map((end) => (
                <ClockField
                  key={end}
                  className="w-28"
                  label={t(end === 'from' ? 'office.store.breakFrom' : 'office.store.breakUntil')}
                  value={each[end]}
                  onChange={(clock) => setBreaks(breaks.with(index, { ...each, [end]: clock }))}
                />
              ))}
              <IconButton
                icon="close"
                label={t('office.store.removeBreak')}
                onClick={() => setBreaks(breaks.toSpliced(index, 1))}
              />
            </div>
          ))}
        </div>
      )}
    </div>
  );
}

function SpecialDays() {
  const form = useEdited();
  const { t, locale } = useLanguage();
  const [date, setDate] = useState('');
  const days = form.valueAt(['specialHours']) as Store['specialHours'];
  const day = dateFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
  return (
    <section className="flex flex-col gap-3">
      <h3 className="font-sans font-semibold">{t('office.store.special')}</h3>
      <ul className="divide-y divide-line border-line border-y empty:hidden">
        {days.map(({ date }) => (
          <li key={date} className="flex items-start gap-3 py-3">
            <div className="min-w-0 flex-1">
              <Day path={['specialHours', date, 'hours']} name={day.format(Date.parse(date))} />
            </div>
            <IconButton
              icon="close"
              label={`${t('office.store.removeDay')}: ${day.format(Date.parse(date))}`}
              onClick={() => form.change(['specialHours', date], undefined)}
            />
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap items-end gap-3">
        <TextField
          className="w-64"
          type="date"
          label={t('office.store.newDay')}
          hint={t('office.store.addDayHint')}
          value={date}
          error={form.errorAt(['specialHours'], t('office.store.special'))}
          onChange={({ target }) => setDate(target.value)}
        />
        <Button
          label={t('office.store.addDay')}
          variant="secondary"
          onClick={() => {
            if (date !== '') form.change(['specialHours', date], { date, hours: null });
            setDate('');
          }}
        />
      </div>
    </section>
  );
}
