/** A store: what shoppers see of it, its hours, pickup and delivery, and beside it what a sample order would be offered. */
import { useParams } from '@tanstack/react-router';
import { inLocale } from '#contract/locales.ts';
import { errorText } from '#ui/errors.ts';
import { FormSection } from '#ui/form.tsx';
import { useT } from '#ui/i18n.tsx';
import { Notice } from '#ui/notice.tsx';
import { useCall } from '../../lib/api.tsx';
import type { Path } from '../../lib/document.tsx';
import { type EditedDocument, useDocument } from '../../lib/document.tsx';
import { CheckOf, DocumentForm, LocalTextOf, NumberOf, pair, TextOf } from '../../lib/document-form.tsx';
import { useLanguage } from '../../lib/i18n.tsx';
import { Hours } from './hours.tsx';
import { SampleOrder } from './sample-order.tsx';
import { Zones } from './zones.tsx';

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
