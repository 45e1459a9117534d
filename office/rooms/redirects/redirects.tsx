/** Old addresses of the shop that lead to others. */
import { useQuery } from '@tanstack/react-query';
import { Dialog } from '#ui/dialog.tsx';
import { useForm } from '#ui/form.tsx';
import { Icon } from '#ui/icon.tsx';
import { TextField } from '#ui/inputs.tsx';
import { Link } from '#ui/link.tsx';
import { AddButton, useAdding } from '../../lib/adding.tsx';
import { useOnce } from '../../lib/api.ts';
import { LoadingRows } from '../../lib/lists.tsx';
import { useOffice } from '../../lib/me.tsx';
import { Problem, SendForm } from '../../lib/send-form.tsx';
import { redirectsQuery } from '../../lib/whole-lists.ts';

export default function Redirects() {
  const { t, call } = useOffice();
  const adding = useAdding();
  const { data, error } = useQuery(redirectsQuery(call));
  return (
    <div className="flex max-w-room flex-col gap-6">
      <header className="flex flex-wrap items-center justify-between gap-4">
        <h1 className="text-2xl">{t('office.redirects')}</h1>
        <AddButton adding={adding} />
      </header>
      <p className="text-ink-soft">{t('office.redirects.why')}</p>
      <Problem error={error} />
      <LoadingRows until={data !== undefined || error !== null} />
      {data?.redirects.length === 0 && <p className="text-ink-soft">{t('office.redirects.none')}</p>}
      <ul className="divide-y divide-line border-line border-y empty:hidden">
        {data?.redirects.map(({ id, to }) => (
          <li key={id}>
            <Link
              href={`/office/redirects/${encodeURIComponent(id)}`}
              className="flex min-h-13 items-center gap-4 py-3 hover:bg-raised"
            >
              <span className="min-w-0 flex-1">
                <span className="block break-all font-semibold">{id}</span>
                <span className="block break-all text-ink-soft text-sm">
                  {t('office.redirect.leads', { to })}
                </span>
              </span>
              <Icon name="chevron-right" size={20} />
            </Link>
          </li>
        ))}
      </ul>
      {adding.isOpen && <AddRedirect onClose={adding.close} />}
    </div>
  );
}

function AddRedirect({ onClose }: { onClose: () => void }) {
  const { t, call, queries } = useOffice();
  const once = useOnce();
  const form = useForm({
    initial: { from: '', to: '' },
    send: (body) => call('addRedirect', { body, once }),
    onSent: async () => {
      await queries.invalidateQueries({ queryKey: ['redirects'] });
      onClose();
    },
  });
  return (
    <Dialog open onClose={onClose} title={t('office.redirect.add')}>
      <SendForm form={form} label={t('office.redirect.add')}>
        <TextField
          {...form.field('from')}
          label={t('office.redirect.from')}
          hint={t('office.redirect.fromHint')}
          autoComplete="off"
          required
        />
        <TextField
          {...form.field('to')}
          label={t('office.redirect.to')}
          hint={t('office.redirect.toHint')}
          autoComplete="off"
          required
        />
      </SendForm>
    </Dialog>
  );
}
