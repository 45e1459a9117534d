/** A store: what shoppers see of it, its hours, pickup and delivery, and beside it what a sample order would be offered. */
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { dateFormat } from '#contract/formatters.ts';
import { inLocale } from '#contract/locales.ts';
import type { DeliveryZone, Point } from '#contract/schemas/store.ts';
import type { Patch } from '#contract/staff/endpoint.ts';
import { Button } from '#ui/button.tsx';
import { errorText } from '#ui/errors.ts';
import { FormSection } from '#ui/form.tsx';
import { formatMoney } from '#ui/format.ts';
import { useT } from '#ui/i18n.tsx';
import { TextField } from '#ui/inputs.tsx';
import { Notice } from '#ui/notice.tsx';
import { useCall } from '../../lib/api.ts';
import { type EditedDocument, type Path, Trial, useDocument, useTrial } from '../../lib/document.tsx';
import { CheckOf, DocumentForm, EntrySteps, ListOf, LocalTextOf, NumberOf, pair, TextOf } from '../../lib/document-form.tsx';
import { useLanguage } from '../../lib/i18n.tsx';
import { Hours } from './hours.tsx';

/** Degrees from the store to the corners of a new zone: about a kilometre. */
const nearby = 0.01;

export default function StorePage() {
  const { store = '' } = useParams({ strict: false }) as { store?: string };
  // Another store is another form.
  return <StoreForm key={store} id={store} />;
}

function StoreForm({ id }: { id: string }) {
  const { t, locale } = useLanguage();
  const shared = useT();
  const call = useCall();
  const document = useDocument({
    name: ['store', id],
    place: `stores.${id}`,
    load: () => call('store', { params: { store: id } }),
    save: (body) => call('saveStore', { params: { store: id }, body }),
  });
  const { content, form, edits } = document;
  if (!content) return document.error ? <Notice tone="bad" title={errorText(document.error, shared)} /> : null;
  return (
    <div className="flex max-w-[72rem] flex-col gap-6">
      <h1 className="text-2xl">{inLocale(content.name, locale)}</h1>
      <DocumentForm document={document} aside={<SampleOrder store={id} edits={edits} timeZone={content.timeZone} />}>
        <FormSection title={t('office.store.seen')}>
          <LocalTextOf form={form} path={['name']} label={t('office.store.name')} />
          <LocalTextOf form={form} path={['description']} label={t('office.store.description')} long />
          <CheckOf form={form} path={['display']} label={t('office.store.display')} />
          <CheckOf form={form} path={['mainStore']} label={t('office.store.main')} hint={t('office.store.mainHint')} />
        </FormSection>
        <Place form={form} />
        <FormSection title={t('office.store.hours')}>
          <Hours form={form} />
        </FormSection>
        <Pickup form={form} />
        <FormSection title={t('office.store.delivery')}>
          <Zones form={form} lat={content.lat} lng={content.lng} />
        </FormSection>
      </DocumentForm>
    </div>
  );
}

function Place({ form }: { form: EditedDocument }) {
  const { t } = useLanguage();
  const [lat, lng] = [form.valueAt(['lat']), form.valueAt(['lng'])];
  const text = (path: Path, label: string) => <TextOf form={form} path={path} label={label} />;
  return (
    <FormSection title={t('office.store.place')}>
      {text(['address', 'street'], t('office.store.street'))}
      <div className={pair}>
        {text(['address', 'city'], t('office.store.city'))}
        {text(['address', 'postCode'], t('office.store.postCode'))}
        {text(['address', 'province'], t('office.store.province'))}
        <TextOf
          form={form}
          path={['address', 'provinceCode']}
          label={t('office.store.provinceCode')}
          hint={t('office.store.provinceHint')}
          hintBelow
        />
        {text(['address', 'country'], t('office.store.country'))}
        {text(['address', 'countryISOCode'], t('office.store.countryCode'))}
        <TextOf
          form={form}
          path={['timeZone']}
          label={t('office.store.timeZone')}
          hint={t('office.store.timeZoneHint')}
          hintBelow
        />
        {text(['phone'], t('office.store.phone'))}
        {text(['email'], t('office.email'))}
        <NumberOf form={form} path={['lat']} label={t('office.store.lat')} />
        <NumberOf form={form} path={['lng']} label={t('office.store.lng')} />
      </div>
      <a
        className="flex min-h-11 items-center self-start underline"
        href={`https://www.openstreetmap.org/?mlat=${lat}&mlon=${lng}#map=17/${lat}/${lng}`}
        target="_blank"
        rel="noreferrer"
      >
        {t('office.store.map')}
      </a>
    </FormSection>
  );
}

function Pickup({ form }: { form: EditedDocument }) {
  const { t } = useLanguage();
  return (
    <FormSection title={t('office.store.pickup')}>
      <CheckOf form={form} path={['allowPickup']} label={t('office.store.allowPickup')} />
      <div className={pair}>
        <NumberOf
          form={form}
          path={['pickupLeadMinutes']}
          label={t('office.store.lead')}
          hint={t('office.store.leadHint')}
          hintBelow
        />
        <NumberOf
          form={form}
          path={['pickupSlotCapacity']}
          label={t('office.store.capacity')}
          hint={t('office.store.capacityHint')}
          hintBelow
        />
        <NumberOf form={form} path={['tables']} label={t('office.store.tables')} hint={t('office.store.tablesHint')} hintBelow />
      </div>
    </FormSection>
  );
}

/** What a sample order would be offered by the store as it is in the form, saved or not. */
function SampleOrder({ store, edits, timeZone }: { store: string; edits: Patch['edits']; timeZone: string }) {
  const { t, locale } = useLanguage();
  const call = useCall();
  const [postCode, setPostCode] = useState('');
  const [amount, setAmount] = useState('30.00');
  const itemsCents = Math.round((Number(amount.replace(',', '.')) || 0) * 100);
  const trial = useTrial(['try-store', store, locale, { edits, postCode, itemsCents }], () =>
    call('tryStore', { params: { store }, body: { edits, postCode, itemsCents: Math.max(0, itemsCents) } }),
  );
  const { data } = trial;
  const time = dateFormat(locale, { weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone });
  const money = (cents: number) => formatMoney(cents, locale, data?.currency ?? 'CAD');
  return (
    <Trial trial={trial}>
      {data && (
        <>
          <p>{data.status}</p>
          <div>
            <h3 className="font-semibold">{t('office.store.nextTimes')}</h3>
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
            t(data.delivery.missingCents > 0 ? 'office.store.deliveryMissing' : 'office.store.deliverySample', {
              name: inLocale(data.delivery.name, locale),
              fee: money(data.delivery.feeCents),
              missing: money(data.delivery.missingCents),
              time: time.format(data.delivery.at),
            })}
        </p>
      )}
    </Trial>
  );
}

/** The zones to which a store delivers itself. */
function Zones({ form, lat, lng }: { form: EditedDocument; lat: number; lng: number }) {
  const { t } = useLanguage();
  const zones = form.valueAt(['deliveryZones']) as DeliveryZone[];
  const ids = zones.map(({ id }) => id);
  const add = () => {
    const id = crypto.randomUUID().slice(0, 8);
    const corners = [
      [1, -1],
      [1, 1],
      [-1, 1],
      [-1, -1],
    ] as const;
    const zone = {
      id: `zone-${id}`,
      name: { en: '' },
      polygon: corners.map(([up, right]) => ({ lat: lat + up * nearby, lng: lng + right * nearby })),
      postalCodes: [],
      ...{ feeCents: 500, minimumCents: 2000, freeFromCents: null, minutes: 45 },
    } satisfies DeliveryZone;
    form.change(['deliveryZones', zone.id], zone);
  };
  return (
    <>
      <p className="text-ink-soft">{t('office.store.zonesHint')}</p>
      {zones.map(({ id }, index) => (
        <fieldset key={id} className="flex flex-col gap-5 rounded-md border border-line p-5">
          <legend className="px-2 font-semibold">{t('office.store.zone', { number: index + 1 })}</legend>
          <Zone form={form} id={id} />
          <EntrySteps
            form={form}
            list="deliveryZones"
            ids={ids}
            index={index}
            name={t('office.store.zone', { number: index + 1 })}
          />
        </fieldset>
      ))}
      <Button variant="secondary" icon="plus" className="self-start" onClick={add}>
        {t('office.store.addZone')}
      </Button>
    </>
  );
}

function Zone({ form, id }: { form: EditedDocument; id: string }) {
  const { t } = useLanguage();
  const at = (field: string) => ['deliveryZones', id, field];
  return (
    <>
      <LocalTextOf form={form} path={at('name')} label={t('office.store.zoneName')} />
      <div className="grid gap-5 product:grid-cols-2">
        <NumberOf form={form} path={at('feeCents')} label={t('office.store.fee')} unit={100} />
        <NumberOf form={form} path={at('minimumCents')} label={t('office.store.minimum')} unit={100} />
        <NumberOf form={form} path={at('freeFromCents')} label={t('office.store.freeFrom')} unit={100} nullable />
        <NumberOf form={form} path={at('minutes')} label={t('office.store.minutes')} />
      </div>
      <ListOf
        form={form}
        path={at('postalCodes')}
        label={t('office.store.postalCodes')}
        hint={t('office.store.postalCodesHint')}
      />
      <ListOf<Point>
        form={form}
        path={at('polygon')}
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
    </>
  );
}
