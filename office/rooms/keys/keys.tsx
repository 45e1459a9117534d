/** Keys, by which programs make calls of the office: what each may do, when it was used last, and a button that ends it. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { dateFormat } from '#contract/formatters.ts';
import { staffBase } from '#contract/limits.ts';
import type { Key } from '#contract/staff/keys.ts';
import { keyPermissions, type Permission } from '#contract/staff/permissions.ts';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { FormProblem, useForm } from '#ui/form.tsx';
import { Checkbox, Select, TextField } from '#ui/inputs.tsx';
import { Notice } from '#ui/notice.tsx';
import { useOnce } from '../../lib/api.ts';
import { useOffice, useStores } from '../../lib/me.tsx';
import { Problem } from '../../lib/send-form.tsx';

const dayChoices = [7, 30, 90, 366] as const;

export default function Keys() {
  const { t, call } = useOffice();
  const { data, error } = useQuery({ queryKey: ['keys'], queryFn: () => call('keys') });
  const [isAdding, setIsAdding] = useState(false);
  const url = `${location.origin}${staffBase}`;
  return (
    <div className="flex max-w-room flex-col gap-6">
      <header className="flex flex-wrap items-center justify-between gap-4">
        <h1 className="text-2xl">{t('office.keys')}</h1>
        <Button label={t('office.keys.new')} icon="plus" size="small" onClick={() => setIsAdding(true)} />
      </header>
      <p className="max-w-[46rem] text-ink-soft">{t('office.keys.why')}</p>
      <p className="max-w-[46rem] break-words text-ink-soft text-sm">
        {t('office.keys.address', { url, mcp: `${url}mcp` })}
      </p>
      <Problem error={error} />
      {data?.keys.length === 0 && <p className="py-6 text-ink-soft">{t('office.keys.none')}</p>}
      <ul className="divide-y divide-line border-line border-y empty:hidden">
        {data?.keys.map((each) => (
          <Row key={each.id} made={each} />
        ))}
      </ul>
      {isAdding && <NewKey onClose={() => setIsAdding(false)} />}
    </div>
  );
}

function Row({ made }: { made: Key }) {
  const { t, locale, shop, call, queries } = useOffice();
  const once = useOnce();
  const { nameOf } = useStores();
  const end = useMutation({
    mutationFn: () => call('endKey', { params: { id: made.id }, once }),
    onSuccess: (answer) => queries.setQueryData(['keys'], answer),
  });
  const time = dateFormat(locale, {
    dateStyle: 'medium',
    timeStyle: 'short',
    hourCycle: 'h23',
    timeZone: shop.timeZone,
  });
  const list = (permissions: readonly Permission[]) =>
    permissions.map((each) => t(`office.permission.${each}`)).join(' · ');
  const places =
    made.stores === null
      ? t('staff.allStores')
      : made.stores.map((id) => nameOf(id) ?? id).join(t('office.listSeparator'));
  return (
    <li className="grid gap-x-6 gap-y-3 py-4 max-form:[&>div+div]:justify-self-start form:grid-cols-[1fr_auto]">
      <div className="min-w-0">
        <h2 className="break-words font-semibold text-base">{made.name}</h2>
        <p className="text-ink-soft text-sm">
          {t('office.keys.of', { name: made.person.name })} · {places}
        </p>
        <p className="text-ink-soft text-sm">
          {t('office.keys.ends', { time: time.format(made.expiresAt) })} ·{' '}
          {made.lastUsedAt === null
            ? t('office.keys.unused')
            : t('office.keys.used', { time: time.format(made.lastUsedAt) })}
        </p>
        <p className="mt-1 text-sm">{list(made.permissions)}</p>
        {made.may.length < made.permissions.length && (
          <p className="mt-1 font-medium text-clay text-sm">
            {made.may.length === 0 ? t('office.keys.dead') : t('office.keys.less', { list: list(made.may) })}
          </p>
        )}
      </div>
      <div className="flex flex-col gap-2">
        <Button
          label={t('office.keys.end')}
          aria-label={`${t('office.keys.end')}: ${made.name}`}
          variant="secondary"
          size="small"
          busy={end.isPending}
          onClick={() => end.mutate()}
        />
        <Problem error={end.error} />
      </div>
    </li>
  );
}

function NewKey({ onClose }: { onClose: () => void }) {
  const { t, call, may, stores: own, queries } = useOffice();
  const { own: choices } = useStores();
  const once = useOnce();
  const [made, setMade] = useState<{ key: string | null }>();
  const form = useForm({
    initial: { name: '', permissions: [] as Permission[], stores: own && [...own], days: 90 },
    send: (body) => call('addKey', { body, once }),
    onSent: ({ key, keys }) => {
      queries.setQueryData(['keys'], { keys });
      setMade({ key });
    },
  });
  const { permissions, stores, days } = form.values;
  const toggled = <T,>(list: readonly T[], each: T, on: boolean) =>
    on ? [...list, each] : list.filter((other) => other !== each);
  return (
    <Dialog open onClose={onClose} title={t('office.keys.new')}>
      {made ? (
        <Made text={made.key} />
      ) : (
        <form {...form.formProps} className="flex flex-col gap-5">
          <FormProblem>{form.problem}</FormProblem>
          <TextField
            {...form.field('name')}
            label={t('office.keys.name')}
            hint={t('office.keys.nameHint')}
            autoComplete="off"
          />
          <Select
            label={t('office.keys.days')}
            options={dayChoices.map((count) => ({
              value: String(count),
              label: t('office.keys.dayCount', { count }),
            }))}
            value={String(days)}
            onChange={({ target }) => form.change({ days: Number(target.value) })}
          />
          <fieldset className="flex flex-col">
            <legend className="mb-1 font-semibold">{t('office.stores')}</legend>
            {own === null && (
              <Checkbox
                label={t('staff.allStores')}
                checked={stores === null}
                onChange={({ target }) => form.change({ stores: target.checked ? null : [] })}
              />
            )}
            {stores !== null &&
              choices.map(({ value, label }) => (
                <Checkbox
                  key={value}
                  className={own === null ? 'pl-8' : ''}
                  label={label}
                  checked={stores.includes(value)}
                  onChange={({ target }) => form.change({ stores: toggled(stores, value, target.checked) })}
                />
              ))}
            <Wrong text={form.errors.stores} />
          </fieldset>
          <fieldset className="flex flex-col">
            <legend className="mb-1 font-semibold">{t('office.keys.may')}</legend>
            {keyPermissions
              .filter((each) => may.includes(each))
              .map((each) => (
                <Checkbox
                  key={each}
                  className="min-h-11 justify-center"
                  label={t(`office.permission.${each}`)}
                  checked={permissions.includes(each)}
                  onChange={({ target }) =>
                    form.change({ permissions: toggled(permissions, each, target.checked) })
                  }
                />
              ))}
            <Wrong text={form.errors.permissions} />
          </fieldset>
          <Button label={t('office.keys.make')} type="submit" busy={form.busy} />
        </form>
      )}
    </Dialog>
  );
}

function Wrong({ text }: { text: string | undefined }) {
  if (!text) return null;
  return (
    <p className="font-medium text-clay text-sm" tabIndex={-1} data-invalid>
      {text}
    </p>
  );
}

function Made({ text }: { text: string | null }) {
  const { t } = useOffice();
  const [copied, setCopied] = useState(false);
  if (text === null) return <Notice title={t('office.keys.lost')} />;
  const copy = () => void navigator.clipboard.writeText(text).then(() => setCopied(true));
  return (
    <>
      <p>{t('office.keys.keyText')}</p>
      <TextField
        label={t('office.keys.key')}
        value={text}
        readOnly
        onFocus={(event) => event.target.select()}
      />
      <Button label={t('office.keys.copy')} done={copied} onClick={copy} />
    </>
  );
}
