/** What a sample order would be offered by the store as it is in the form, saved or not. */
import { useState } from 'react';
import { dateFormat } from '#contract/formatters.ts';
import { inLocale } from '#contract/locales.ts';
import type { Patch } from '#contract/staff/documents.ts';
import { formatMoney } from '#ui/format.ts';
import { TextField } from '#ui/inputs.tsx';
import { useCall } from '../../lib/api.tsx';
import { useLanguage } from '../../lib/i18n.tsx';
import { Trial, useTrial } from '../../lib/trial.tsx';

export function SampleOrder({ store, edits, timeZone }: { store: string; edits: Patch['edits']; timeZone: string }) {
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
