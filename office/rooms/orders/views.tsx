/** Saved views of the list, above it: own ones, and those that are shared with everybody. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { OrderFilters, OrderView } from '#contract/staff/orders.ts';
import { Button } from '#ui/button.tsx';
import { cx } from '#ui/cx.ts';
import { Dialog } from '#ui/dialog.tsx';
import { useForm } from '#ui/form.tsx';
import { TextField } from '#ui/inputs.tsx';
import { Link } from '#ui/link.tsx';
import { useFilters } from '../../lib/filters.ts';
import { useOffice } from '../../lib/me.tsx';
import { Problem } from '../../lib/problem.tsx';
import { SendForm } from '../../lib/send-form.tsx';

const addressOf = (filters: OrderFilters) => new URLSearchParams(Object.entries(filters).sort()).toString();

export function Views() {
  const { t, call } = useOffice();
  const { data } = useQuery({ queryKey: ['order-views'], queryFn: () => call('orderViews') });
  const [{ text: _, ...filters }] = useFilters();
  const [saving, setSaving] = useState(false);
  const views = data?.views ?? [];
  const address = addressOf(filters);
  const current = views.find((view) => addressOf(view.filters) === address);
  if (views.length === 0 && address === '') return null;
  return (
    <div className="-mt-2 flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <nav aria-label={t('office.views')} className="contents">
          <Tab address="" name={t('office.views.all')} isCurrent={address === ''} />
          {views.map(({ id, name, filters: of, shared }) => (
            <Tab
              key={id}
              address={addressOf(of)}
              name={shared ? `${name} · ${t('office.views.shared')}` : name}
              isCurrent={current?.id === id}
            />
          ))}
        </nav>
        {data && !current && address !== '' && (
          <Button variant="quiet" icon="plus" onClick={() => setSaving(true)}>
            {t('office.views.save')}
          </Button>
        )}
        {current && <ViewButtons key={current.id} view={current} />}
      </div>
      {saving && <SaveDialog filters={filters} onClose={() => setSaving(false)} />}
    </div>
  );
}

function Tab({ address, name, isCurrent }: { address: string; name: string; isCurrent: boolean }) {
  return (
    <Link
      href={`/office/orders${address && `?${address}`}`}
      aria-current={isCurrent ? 'page' : undefined}
      className={cx(
        'inline-flex min-h-11 items-center rounded-full border px-4 text-sm',
        isCurrent ? 'border-action bg-action-tint font-semibold text-action' : 'border-line hover:bg-surface-inset',
      )}
    >
      {name}
    </Link>
  );
}

/** For the view that is open. */
function ViewButtons({ view: { id, shared } }: { view: OrderView }) {
  const { t, call, may, queries } = useOffice();
  const change = useMutation({
    mutationFn: (what: 'share' | 'unshare' | 'remove') =>
      what === 'remove'
        ? call('removeOrderView', { params: { id } })
        : call('shareOrderView', { params: { id }, body: { shared: what === 'share' } }),
    onSuccess: (answer) => queries.setQueryData(['order-views'], answer),
  });
  return (
    <>
      {may.includes('orders.share') && (
        <Button variant="quiet" busy={change.isPending} onClick={() => change.mutate(shared ? 'unshare' : 'share')}>
          {t(shared ? 'office.views.unshare' : 'office.views.share')}
        </Button>
      )}
      {!shared && (
        <Button variant="quiet" busy={change.isPending} onClick={() => change.mutate('remove')}>
          {t('office.views.remove')}
        </Button>
      )}
      <Problem error={change.error} onClose={change.reset} />
    </>
  );
}

function SaveDialog({ filters, onClose }: { filters: OrderFilters; onClose: () => void }) {
  const { t, call, queries } = useOffice();
  const form = useForm({
    initial: { name: '' },
    send: ({ name }) => call('saveOrderView', { body: { name, filters } }),
    onSent: (answer) => {
      queries.setQueryData(['order-views'], answer);
      onClose();
    },
  });
  return (
    <Dialog open onClose={onClose} title={t('office.views.save')}>
      <SendForm form={form} label={t('office.views.save')} disabled={form.values.name.trim() === ''}>
        <TextField
          {...form.field('name')}
          label={t('office.views.name')}
          hint={t('office.views.hint')}
          maxLength={60}
          autoComplete="off"
        />
      </SendForm>
    </Dialog>
  );
}
