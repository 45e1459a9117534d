/** One customer: how to reach them, what they ordered, what staff wrote about them, and the data that is theirs. */

import { useMutation, useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { addressLines } from '#contract/addresses.ts';
import type { CustomerSheet } from '#contract/staff/customers.ts';
import { exemptionKinds, exemptionRules } from '#contract/tax-exemptions.ts';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { fieldErrorsOf } from '#ui/errors.ts';
import { useForm } from '#ui/form.tsx';
import { formatDate } from '#ui/format.ts';
import { Select, TextField } from '#ui/inputs.tsx';
import { Notice } from '#ui/notice.tsx';
import { useOffice } from '../../lib/me.tsx';
import { saveFile } from '../../lib/save-file.ts';
import { Problem, SendForm } from '../../lib/send-form.tsx';
import { TextLink } from '../../lib/text-link.tsx';
import { Notes } from '../orders/history.tsx';
import { Blocks, Part, Reach } from '../orders/order-parts.tsx';
import { OrderList } from '../orders/orders.tsx';

export default function CustomerPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  const { t, call } = useOffice();
  const [erased, setErased] = useState(false);
  const { data, error } = useQuery({
    queryKey: ['customer', id],
    queryFn: () => call('customer', { params: { id } }),
    enabled: !erased,
  });
  return (
    <div className="flex flex-col gap-6">
      <TextLink href="/office/customers" className="text-sm">
        {t('office.customers')}
      </TextLink>
      {erased && <Notice tone="good" title={t('office.customers.erased')} />}
      <Problem error={!erased && error} />
      {!erased && data && <Sheet sheet={data} onErased={() => setErased(true)} />}
    </div>
  );
}

function Sheet({ sheet, onErased }: { sheet: CustomerSheet; onErased: () => void }) {
  const { t, may, call } = useOffice();
  const { customer, notes, blocked } = sheet;
  return (
    <>
      <header className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h1 className="wrap-anywhere text-2xl">{nameOf(customer)}</h1>
        {blocked && <span className="font-semibold text-clay">{t('office.customers.blocked')}</span>}
        <address className="flex w-full flex-wrap gap-x-6 not-italic">
          <Reach email={customer.email} phone={customer.mobilePhone} />
        </address>
        <Facts sheet={sheet} />
      </header>
      <div className="grid items-start gap-x-10 gap-y-8 wide:grid-cols-[minmax(0,1fr)_22rem]">
        {may.includes('orders.read') && (
          <Part title={t('office.orders')}>
            <OrderList filters={{ customer: customer.id }} />
          </Part>
        )}
        <div className="flex min-w-0 flex-col gap-8">
          <Addresses sheet={sheet} />
          <Part title={t('office.order.notes')}>
            <Notes
              notes={notes}
              mayWrite={may.includes('customers.note')}
              about={['customer', customer.id]}
              send={(body, once) => call('noteCustomer', { params: { id: customer.id }, body, once })}
            />
          </Part>
          {(may.includes('settings.money') || sheet.taxExemptions.length > 0) && <Exemptions sheet={sheet} />}
          <OwnData customer={customer} onErased={onErased} />
        </div>
      </div>
    </>
  );
}

const nameOf = ({ firstName, lastName, email }: CustomerSheet['customer']) =>
  `${firstName} ${lastName}`.trim() || email;

function Facts({ sheet: { customer, emailConfirmed, registeredAt, lastLoginAt } }: { sheet: CustomerSheet }) {
  const { t, locale, shop } = useOffice();
  const day = (at: number) => formatDate(at, locale, shop.timeZone, 'date');
  const facts = [
    t('office.customers.since', { date: day(registeredAt) }),
    lastLoginAt !== null && t('office.customers.lastSignIn', { date: day(lastLoginAt) }),
    !emailConfirmed && t('office.customers.unconfirmed'),
    customer.acceptNewsletter && t('office.customers.newsletter'),
  ].filter((fact) => fact !== false);
  return <p className="text-ink-soft text-sm">{facts.join(' · ')}</p>;
}

function Addresses({ sheet: { customer } }: { sheet: CustomerSheet }) {
  const { t } = useOffice();
  return (['shipping', 'billing'] as const).map((type) => {
    const addresses = customer[`${type}Addresses`];
    if (addresses.length === 0) return null;
    return (
      <Part key={type} title={t(`office.customers.${type}`)}>
        {addresses.map((address) => (
          <address key={addressLines(address).join()} className="not-italic">
            <Blocks texts={[...addressLines(address), address.contactPhone]} />
          </address>
        ))}
      </Part>
    );
  });
}

type Exemption = Omit<CustomerSheet['taxExemptions'][number], 'checkedBy' | 'checkedAt'>;

/** Which taxes they do not pay, by which evidence, and who of the staff has seen it. */
function Exemptions({ sheet: { customer, taxExemptions } }: { sheet: CustomerSheet }) {
  const { t, locale, shop, may, call, queries } = useOffice();
  const plain = taxExemptions.map(({ checkedBy: _, checkedAt: __, ...each }): Exemption => each);
  const [given, setGiven] = useState(plain);
  const save = useMutation({
    mutationFn: () => call('exemptCustomer', { params: { id: customer.id }, body: { exemptions: given } }),
    onSuccess: (sheet) => queries.setQueryData(['customer', customer.id], sheet),
  });
  const mayChange = may.includes('settings.money');
  const left = exemptionKinds.filter((kind) => !given.some((each) => each.kind === kind));
  const change = (kind: Exemption['kind'], to: Partial<Exemption> | null) =>
    setGiven(given.flatMap((each) => (each.kind !== kind ? each : to === null ? [] : { ...each, ...to })));
  const errors = fieldErrorsOf(save.error);
  return (
    <Part title={t('office.customers.exempt')}>
      {mayChange && <p className="text-ink-soft text-sm">{t('office.customers.exempt.hint')}</p>}
      {given.map(({ kind, number, expires, postCode }, index) => {
        const name = t(`office.customers.exempt.kind.${kind}`);
        const seen = taxExemptions.find((each) => each.kind === kind);
        const errorOf = (field: keyof Exemption) => {
          const error = errors[`exemptions.${index}.${field}`];
          return typeof error === 'string' ? error : undefined;
        };
        return (
          <fieldset
            key={kind}
            disabled={!mayChange}
            className="flex flex-col gap-3 rounded-md border border-line p-4"
          >
            <legend className="px-2 font-semibold">{name}</legend>
            <TextField
              label={t('office.customers.exempt.number')}
              aria-label={`${t('office.customers.exempt.number')}, ${name}`}
              autoComplete="off"
              value={number}
              error={errorOf('number')}
              onChange={({ target }) => change(kind, { number: target.value })}
            />
            {exemptionRules[kind].delivered && (
              <TextField
                label={t('office.customers.exempt.postCode')}
                hint={t('office.customers.exempt.reserveHint')}
                autoComplete="off"
                value={postCode}
                error={errorOf('postCode')}
                onChange={({ target }) => change(kind, { postCode: target.value })}
              />
            )}
            <TextField
              type="date"
              label={t('office.customers.exempt.expires')}
              aria-label={`${t('office.customers.exempt.expires')}, ${name}`}
              value={expires ?? ''}
              error={errorOf('expires')}
              onChange={({ target }) => change(kind, { expires: target.value === '' ? null : target.value })}
            />
            {seen && (
              <p className="text-ink-soft text-sm">
                {t('office.customers.exempt.checked', {
                  name: seen.checkedBy,
                  date: formatDate(seen.checkedAt, locale, shop.timeZone, 'date'),
                })}
              </p>
            )}
            {mayChange && (
              <Button
                label={t('office.remove')}
                aria-label={`${t('office.remove')}: ${name}`}
                variant="secondary"
                size="small"
                className="self-start"
                onClick={() => change(kind, null)}
              />
            )}
          </fieldset>
        );
      })}
      {mayChange && left.length > 0 && (
        <Select
          label={t('office.customers.exempt.add')}
          placeholder={t('office.choose')}
          value=""
          options={left.map((kind) => ({ value: kind, label: t(`office.customers.exempt.kind.${kind}`) }))}
          onChange={({ target }) => {
            const kind = left.find((each) => each === target.value);
            if (kind) setGiven([...given, { kind, number: '', expires: null, postCode: '' }]);
          }}
        />
      )}
      {mayChange && (
        <>
          <Problem error={Object.keys(errors).length === 0 && save.error} />
          <Button
            label={t('office.customers.exempt.save')}
            variant="secondary"
            className="self-start"
            busy={save.isPending}
            disabled={JSON.stringify(given) === JSON.stringify(plain)}
            onClick={() => save.mutate()}
          />
        </>
      )}
    </Part>
  );
}

function OwnData({ customer, onErased }: { customer: CustomerSheet['customer']; onErased: () => void }) {
  const { t, may, call } = useOffice();
  const [erasing, setErasing] = useState(false);
  const save = useMutation({
    mutationFn: () => call('exportCustomer', { params: { id: customer.id } }),
    onSuccess: ({ data }) =>
      saveFile(`customer-${customer.id}.json`, 'application/json', JSON.stringify(data, null, 2)),
  });
  const mayExport = may.includes('customers.export');
  const mayErase = may.includes('customers.erase');
  if (!mayExport && !mayErase) return null;
  return (
    <Part title={t('office.customers.data')}>
      <p className="text-ink-soft text-sm">{t('office.customers.dataHint')}</p>
      <Problem error={save.error} />
      <div className="flex flex-wrap gap-3">
        {mayExport && (
          <Button
            label={t('office.customers.export')}
            variant="secondary"
            busy={save.isPending}
            onClick={() => save.mutate()}
          />
        )}
        {mayErase && (
          <Button label={t('office.customers.erase')} variant="secondary" onClick={() => setErasing(true)} />
        )}
      </div>
      {erasing && <EraseDialog customer={customer} onErased={onErased} onClose={() => setErasing(false)} />}
    </Part>
  );
}

interface EraseDialogProps {
  customer: CustomerSheet['customer'];
  onErased: () => void;
  onClose: () => void;
}

function EraseDialog({ customer, onErased, onClose }: EraseDialogProps) {
  const { t, call, queries } = useOffice();
  const form = useForm({
    initial: { email: '' },
    send: (body) => call('eraseCustomer', { params: { id: customer.id }, body }),
    onSent: async () => {
      onErased();
      queries.removeQueries({ queryKey: ['customer', customer.id] });
      await queries.invalidateQueries({ queryKey: ['customers'] });
    },
  });
  return (
    <Dialog open onClose={onClose} title={t('office.customers.eraseTitle', { name: nameOf(customer) })}>
      <p>{t('office.customers.eraseText')}</p>
      <SendForm form={form} label={t('office.customers.erase')} disabled={form.values.email.trim() === ''}>
        <TextField
          {...form.field('email')}
          label={t('office.customers.typeEmail', { email: customer.email })}
          type="email"
          autoComplete="off"
        />
      </SendForm>
    </Dialog>
  );
}
