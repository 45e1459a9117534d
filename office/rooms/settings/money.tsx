/** Taxes, shipping and payment, and beside them what a sample order would cost. */
import { warehouse } from '#contract/limits.ts';
import { inLocale, type LocalText, localeCodes, mainLocale } from '#contract/locales.ts';
import type { StaffResponse } from '#contract/staff/endpoints.ts';
import { Button } from '#ui/button.tsx';
import { errorText } from '#ui/errors.ts';
import { FormSection } from '#ui/form.tsx';
import { useT } from '#ui/i18n.tsx';
import { Select } from '#ui/inputs.tsx';
import { Notice } from '#ui/notice.tsx';
import { useCall } from '../../lib/api.tsx';
import { type EditedDocument, useDocument } from '../../lib/document.tsx';
import { CheckOf, ChecksOf, DocumentForm, ListOf, LocalTextOf, NumberOf, pair, TextOf } from '../../lib/document-form.tsx';
import { useLanguage } from '../../lib/i18n.tsx';
import { SampleBill } from './sample-bill.tsx';
import { Shipping } from './shipping.tsx';

export type MoneyAnswer = StaffResponse<'moneySettings'>;

export default function Money() {
  const { t } = useLanguage();
  const shared = useT();
  const call = useCall();
  const document = useDocument({
    name: ['settings', 'money'],
    place: 'settings',
    load: () => call('moneySettings'),
    save: (body) => call('saveMoneySettings', { body }),
  });
  const { content, form, edits, loaded } = document;
  if (!content || !loaded) return document.error ? <Notice tone="bad" title={errorText(document.error, shared)} /> : null;
  const { provinces, stores } = loaded;
  return (
    <div className="flex max-w-[72rem] flex-col gap-6">
      <h1 className="text-2xl">{t('office.money')}</h1>
      <DocumentForm document={document} aside={<SampleBill edits={edits} answer={loaded} form={form} />}>
        <FormSection title={t('office.money.taxes')}>
          <Taxes form={form} provinces={provinces} stores={stores} />
        </FormSection>
        <FormSection title={t('office.money.shipping')}>
          <Shipping form={form} />
        </FormSection>
        <Payment form={form} />
        <FormSection title={t('office.money.checkout')}>
          {(['enabledGuestOrders', 'enablePickup', 'displayPickupTime', 'requireMobile', 'requireEmail'] as const).map(
            (field) => (
              <CheckOf key={field} form={form} path={['checkoutConfig', field]} label={t(`office.money.${field}`)} />
            ),
          )}
        </FormSection>
        <Tips form={form} stores={stores} />
      </DocumentForm>
    </div>
  );
}

interface TaxesProps extends Pick<MoneyAnswer, 'provinces' | 'stores'> {
  form: EditedDocument;
}

function Taxes({ form, provinces, stores }: TaxesProps) {
  const { t, locale } = useLanguage();
  const rates = form.valueAt(['taxRates']) as { provinceCode: string }[];
  const nameOf = (code: string) =>
    inLocale(provinces.find((each) => each.code === code)?.name ?? { [mainLocale()]: code }, locale);
  const left = provinces.filter(({ code }) => !rates.some(({ provinceCode }) => provinceCode === code));
  const places = [...stores, { name: warehouse, nameContent: inWords(t('office.papers.warehouse')) }];
  return (
    <>
      <p className="text-ink-soft">{t('office.money.taxesHint')}</p>
      {rates.map(({ provinceCode }) => (
        <TaxRate key={provinceCode} form={form} code={provinceCode} name={nameOf(provinceCode)} />
      ))}
      {left.length > 0 && (
        <Select
          label={t('office.money.addProvince')}
          placeholder={t('office.choose')}
          value=""
          options={left.map(({ code, name }) => ({ value: code, label: inLocale(name, locale) }))}
          onChange={({ target: { value: provinceCode } }) =>
            provinceCode &&
            form.change(['taxRates', provinceCode], {
              ...{ provinceCode, gstPercent: 5, pstPercent: 0, pstLabel: null, hstPercent: 0 },
            })
          }
        />
      )}
      <ChecksOf
        form={form}
        path={['eatingEstablishments']}
        label={t('office.money.eating')}
        hint={t('office.money.eatingHint')}
        options={places.map(({ name, nameContent }) => ({ value: name, label: inLocale(nameContent, locale) }))}
      />
    </>
  );
}

function TaxRate({ form, code, name }: { form: EditedDocument; code: string; name: string }) {
  const { t } = useLanguage();
  return (
    <fieldset className="flex flex-col gap-3 rounded-md border border-line p-4">
      <legend className="px-2 font-semibold">{name}</legend>
      <div className="grid grid-cols-2 items-end gap-4 product:grid-cols-4">
        {(['gstPercent', 'hstPercent', 'pstPercent'] as const).map((field) => (
          <NumberOf
            key={field}
            form={form}
            path={['taxRates', code, field]}
            label={t(`office.money.${field}`)}
            aria-label={`${t(`office.money.${field}`)}, ${name}`}
          />
        ))}
        <TextOf form={form} path={['taxRates', code, 'pstLabel']} label={t('office.money.pstLabel')} placeholder="PST" nullable />
      </div>
      <Button
        variant="secondary"
        size="small"
        className="self-start"
        aria-label={`${t('office.remove')}: ${name}`}
        onClick={() => form.change(['taxRates', code], undefined)}
      >
        {t('office.remove')}
      </Button>
    </fieldset>
  );
}

const inWords = (text: string): LocalText => Object.fromEntries(localeCodes.map((code) => [code, text]));

function Payment({ form }: { form: EditedDocument }) {
  const { t } = useLanguage();
  return (
    <FormSection title={t('office.money.payment')}>
      <CheckOf
        form={form}
        path={['paymentConfig', 'paymentOnline']}
        label={t('office.money.online')}
        hint={t('office.money.onlineHint')}
      />
      <CheckOf
        form={form}
        path={['paymentConfig', 'payAtStoreEnabled']}
        label={t('office.money.payInStore')}
        hint={t('office.money.payInStoreHint')}
      />
      {form.valueAt(['paymentConfig', 'payAtStoreEnabled']) === true && (
        <div className={pair}>
          <NumberOf
            form={form}
            path={['payAtStoreLimits', 'customers', 'totalCents']}
            label={t('office.money.mostCustomer')}
            unit={100}
            nullable
          />
          <NumberOf
            form={form}
            path={['payAtStoreLimits', 'guests', 'totalCents']}
            label={t('office.money.mostGuest')}
            unit={100}
            nullable
          />
          <NumberOf
            form={form}
            path={['reservationHours']}
            label={t('office.money.reservation')}
            hint={t('office.money.reservationHint')}
            hintBelow
          />
        </div>
      )}
    </FormSection>
  );
}

function Tips({ form, stores }: { form: EditedDocument } & Pick<MoneyAnswer, 'stores'>) {
  const { t } = useLanguage();
  return (
    <>
      <FormSection title={t('office.money.tips')}>
        <ListOf<number | string>
          form={form}
          path={['tipPercentages']}
          label={t('office.money.tipPercentages')}
          hint={t('office.money.tipPercentagesHint')}
          parse={(text) =>
            text
              .split(/[,，\s]+/)
              .filter(Boolean)
              .map((each) => (Number.isFinite(Number(each)) ? Number(each) : each))
          }
        />
        <Methods form={form} path={['tipMethods']} />
      </FormSection>
      <Charge form={form} stores={stores} />
    </>
  );
}

function Charge({ form, stores }: { form: EditedDocument } & Pick<MoneyAnswer, 'stores'>) {
  const { t, locale } = useLanguage();
  return (
    <FormSection title={t('office.money.charge')}>
      <div className={pair}>
        <NumberOf
          form={form}
          path={['serviceCharge', 'percent']}
          label={t('office.money.chargePercent')}
          hint={t('office.money.chargeHint')}
          hintBelow
        />
        <NumberOf
          form={form}
          path={['serviceCharge', 'fromPartySize']}
          label={t('office.money.chargeParty')}
          hint={t('office.money.chargePartyHint')}
          hintBelow
          nullable
        />
      </div>
      <LocalTextOf form={form} path={['serviceCharge', 'name']} label={t('office.money.chargeName')} />
      <Methods form={form} path={['serviceCharge', 'methods']} />
      <ChecksOf
        form={form}
        path={['serviceCharge', 'stores']}
        label={t('office.money.chargeStores')}
        options={stores.map(({ name, nameContent }) => ({ value: name, label: inLocale(nameContent, locale) }))}
      />
    </FormSection>
  );
}

function Methods({ form, path }: { form: EditedDocument; path: readonly string[] }) {
  const { t } = useLanguage();
  return (
    <div className="flex flex-wrap gap-x-6">
      {(['shipping', 'pickup', 'instore'] as const).map((method) => (
        <CheckOf key={method} form={form} path={[...path, method]} label={t(`office.money.on.${method}`)} />
      ))}
    </div>
  );
}
