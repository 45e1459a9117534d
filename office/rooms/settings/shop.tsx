import { localeCodes, locales } from '#contract/locales.ts';
import { errorText } from '#ui/errors.ts';
import { FormSection } from '#ui/form.tsx';
import { useT } from '#ui/i18n.tsx';
import { Select } from '#ui/inputs.tsx';
import { Link } from '#ui/link.tsx';
import { Notice } from '#ui/notice.tsx';
import { useCall } from '../../lib/api.ts';
import { type EditedDocument, useDocument } from '../../lib/document.tsx';
import { CheckOf, ChecksOf, DocumentForm, LocalTextOf, pair, SelectOf, TextOf } from '../../lib/document-form.tsx';
import { useLanguage } from '../../lib/i18n.tsx';

export default function Shop() {
  const { t, locale } = useLanguage();
  const shared = useT();
  const call = useCall();
  const document = useDocument({
    name: ['settings', 'shop'],
    place: 'settings',
    load: () => call('shopSettings'),
    save: (body) => call('saveShopSettings', { body }),
  });
  const { content, form } = document;
  if (!content) return document.error ? <Notice tone="bad" title={errorText(document.error, shared)} /> : null;
  const currencyNames = new Intl.DisplayNames(locales[locale].tag, { type: 'currency' });
  const currencies = Intl.supportedValuesOf('currency').map((code) => ({
    value: code,
    label: `${code} – ${currencyNames.of(code)}`,
  }));
  return (
    <div className="flex max-w-[60rem] flex-col gap-6">
      <h1 className="text-2xl">{t('office.shop')}</h1>
      <DocumentForm document={document}>
        <FormSection title={t('office.shop.name')}>
          <LocalTextOf form={form} path={['shopName']} label={t('office.shop.shopName')} />
          <LocalTextOf form={form} path={['tagline']} label={t('office.shop.tagline')} />
        </FormSection>
        <Contact form={form} />
        <FormSection title={t('office.shop.languages')}>
          <Languages form={form} />
        </FormSection>
        <FormSection title={t('office.shop.orders')}>
          <div className={pair}>
            <SelectOf
              form={form}
              path={['currency']}
              label={t('office.shop.currency')}
              hint={t('office.shop.currencyHint')}
              options={currencies}
            />
            <TextOf
              form={form}
              path={['orderNumberPrefix']}
              label={t('office.shop.prefix')}
              hint={t('office.shop.prefixHint')}
              hintBelow
            />
          </div>
        </FormSection>
        <FormSection title={t('office.shop.foot')}>
          <LocalTextOf form={form} path={['footer', 'notice']} label={t('office.shop.notice')} long />
          <LocalTextOf form={form} path={['footer', 'copyright']} label={t('office.shop.copyright')} />
        </FormSection>
      </DocumentForm>
    </div>
  );
}

function Contact({ form }: { form: EditedDocument }) {
  const { t } = useLanguage();
  return (
    <FormSection title={t('office.shop.contact')}>
      <div className={pair}>
        <TextOf
          form={form}
          path={['contactEmail']}
          label={t('office.shop.email')}
          hint={t('office.shop.emailHint')}
          hintBelow
          type="email"
        />
        <TextOf
          form={form}
          path={['securityContact']}
          label={t('office.shop.security')}
          hint={t('office.shop.securityHint')}
          hintBelow
        />
      </div>
      <p className="text-ink-soft">
        {t('office.shop.addresses')}{' '}
        <Link href="/office/stores" className="underline">
          {t('office.stores')}
        </Link>
      </p>
      <CheckOf form={form} path={['newOrderEmails', 'enabled']} label={t('office.shop.newOrders')} />
      <CheckOf
        form={form}
        path={['newsletterTicked']}
        label={t('office.shop.newsletter')}
        hint={t('office.shop.newsletterHint')}
      />
    </FormSection>
  );
}

function Languages({ form }: { form: EditedDocument }) {
  const { t } = useLanguage();
  const offered = form.valueAt(['languages']) as readonly string[];
  const options = localeCodes.map((code) => ({ value: code, label: locales[code].name }));
  return (
    <>
      <ChecksOf form={form} path={['languages']} label={t('office.shop.offered')} options={options} />
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
        <SelectOf form={form} path={['staffLanguage']} label={t('office.shop.staffLanguage')} options={options} />
      </div>
    </>
  );
}
