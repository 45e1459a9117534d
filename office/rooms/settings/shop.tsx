import { useState } from 'react';
import { inLocale, localeCodes, locales } from '#contract/locales.ts';
import { FormSection } from '#ui/form.tsx';
import { Select } from '#ui/inputs.tsx';
import { Link } from '#ui/link.tsx';
import { type Path, useDocument } from '../../lib/document.tsx';
import {
  CheckOf,
  ChecksOf,
  DocumentForm,
  ListOf,
  LocalTextOf,
  pair,
  SelectOf,
  TextOf,
  useEdited,
} from '../../lib/document-form.tsx';
import { useLanguage } from '../../lib/i18n.tsx';
import { useOffice } from '../../lib/me.tsx';
import { Problem } from '../../lib/send-form.tsx';

export default function Shop() {
  const { t, locale, call } = useOffice();
  const document = useDocument({
    name: ['settings', 'shop'],
    place: 'settings',
    load: () => call('shopSettings'),
    save: (body) => call('saveShopSettings', { body }),
  });
  const { content } = document;
  if (!content) return <Problem error={document.error} />;
  const currencyNames = new Intl.DisplayNames(locales[locale].tag, { type: 'currency' });
  const currencies = Intl.supportedValuesOf('currency').map((code) => ({
    value: code,
    label: `${code} – ${currencyNames.of(code)}`,
  }));
  return (
    <div className="flex max-w-room flex-col gap-6">
      <h1 className="text-2xl">{t('office.shop')}</h1>
      <DocumentForm document={document}>
        <FormSection title={t('office.shop.name')}>
          <LocalTextOf path={['shopName']} label={t('office.shop.shopName')} />
          <LocalTextOf path={['tagline']} label={t('office.shop.tagline')} />
        </FormSection>
        <Contact />
        <FormSection title={t('office.shop.languages')}>
          <Languages />
        </FormSection>
        <FormSection title={t('office.shop.orders')}>
          <div className={pair}>
            <SelectOf
              path={['currency']}
              label={t('office.shop.currency')}
              hint={t('office.shop.currencyHint')}
              options={currencies}
            />
            <TextOf
              path={['orderNumberPrefix']}
              label={t('office.shop.prefix')}
              hint={t('office.shop.prefixHint')}
            />
          </div>
        </FormSection>
        <FormSection title={t('office.shop.foot')}>
          <LocalTextOf path={['footer', 'notice']} label={t('office.shop.notice')} long />
          <LocalTextOf
            path={['footer', 'shortNotice']}
            label={t('office.shop.shortNotice')}
            hint={t('office.shop.shortNoticeHint')}
          />
          <LocalTextOf path={['footer', 'copyright']} label={t('office.shop.copyright')} />
        </FormSection>
      </DocumentForm>
    </div>
  );
}

function Contact() {
  const { t, locale, shop } = useOffice();
  return (
    <FormSection title={t('office.shop.contact')}>
      <div className={pair}>
        <TextOf
          path={['contactEmail']}
          label={t('office.shop.email')}
          hint={t('office.shop.emailHint')}
          type="email"
        />
        <TextOf
          path={['securityContact']}
          label={t('office.shop.security')}
          hint={t('office.shop.securityHint')}
        />
      </div>
      <p className="text-ink-soft">
        {t('office.shop.addresses')}{' '}
        <Link href="/office/stores" className="underline">
          {t('office.stores')}
        </Link>
      </p>
      <CheckOf path={['newOrderEmails', 'enabled']} label={t('office.shop.newOrders')} />
      {shop.stores.map(({ id, nameContent }) => (
        <NewOrdersAt
          key={id}
          path={['newOrderEmails', 'addresses', id]}
          store={inLocale(nameContent, locale)}
        />
      ))}
      <NewsBox />
    </FormSection>
  );
}

/** Whom a store's new orders are told to. Nothing is kept for a store that has its own email, and an empty list where nobody is told. */
function NewOrdersAt({ path, store }: { path: Path; store: string }) {
  const form = useEdited();
  const { t } = useLanguage();
  const kept = form.valueAt(path) as readonly string[] | undefined;
  // The field stays while its last address is taken out to type another.
  const [isWriting, setWriting] = useState((kept?.length ?? 0) > 0);
  const told = kept === undefined ? 'own' : kept.length > 0 || isWriting ? 'these' : 'nobody';
  const label = t('office.shop.newOrdersAt', { store });
  return (
    <div className={pair}>
      <Select
        label={label}
        name={path.join('.')}
        value={told}
        options={(['own', 'these', 'nobody'] as const).map((value) => ({
          value,
          label: t(`office.shop.newOrdersAt.${value}`),
        }))}
        onChange={({ target }) => {
          setWriting(target.value === 'these');
          form.change(path, target.value === 'own' ? undefined : []);
        }}
      />
      {told === 'these' && (
        <ListOf
          path={path}
          label={t('office.shop.newOrdersTo', { store })}
          hint={t('office.shop.newOrdersToHint')}
        />
      )}
    </div>
  );
}

const newsBoxes = { law: null, on: true, off: false } as const;

function NewsBox() {
  const form = useEdited();
  const { t } = useLanguage();
  const path = ['newsletterTicked'];
  const label = t('office.shop.newsletter');
  const textOf = (each: keyof typeof newsBoxes) => t(`office.shop.newsletter.${each}`);
  const names = Object.keys(newsBoxes) as (keyof typeof newsBoxes)[];
  const nameOf = (value: unknown) => names.find((each) => newsBoxes[each] === value) ?? 'law';
  return (
    <Select
      label={label}
      hint={t('office.shop.newsletterHint')}
      name={path.join('.')}
      options={names.map((value) => ({ value, label: textOf(value) }))}
      value={nameOf(form.valueAt(path))}
      error={form.errorAt(path, label, (value) => textOf(nameOf(value)))}
      onChange={({ target }) => form.change(path, newsBoxes[target.value as keyof typeof newsBoxes])}
    />
  );
}

function Languages() {
  const form = useEdited();
  const { t } = useLanguage();
  const offered = form.valueAt(['languages']) as readonly string[];
  const options = localeCodes.map((code) => ({ value: code, label: locales[code].name }));
  const staffLanguage = form.valueAt(['staffLanguage']);
  const ofStaff = options.filter(({ value }) => offered.includes(value) || value === staffLanguage);
  return (
    <>
      <ChecksOf path={['languages']} label={t('office.shop.offered')} options={options} />
      <div className={pair}>
        <Select
          label={t('office.shop.main')}
          hint={t('office.shop.mainHint')}
          value={offered[0] ?? ''}
          options={options.filter(({ value }) => offered.includes(value))}
          onChange={({ target }) =>
            form.change(['languages'], [target.value, ...offered.filter((code) => code !== target.value)])
          }
        />
        {ofStaff.length > 1 && (
          <SelectOf path={['staffLanguage']} label={t('office.shop.staffLanguage')} options={ofStaff} />
        )}
      </div>
    </>
  );
}
