import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { inLocale } from '#contract/locales.ts';
import { Dialog } from '#ui/dialog.tsx';
import { useForm } from '#ui/form.tsx';
import { Icon } from '#ui/icon.tsx';
import { TextField } from '#ui/inputs.tsx';
import { Link } from '#ui/link.tsx';
import { AddButton, useAdding } from '../../lib/adding.tsx';
import { useOnce } from '../../lib/api.ts';
import { LoadingRows } from '../../lib/lists.tsx';
import { useOffice } from '../../lib/me.tsx';
import { NameFields, newName, noName } from '../../lib/new-name.tsx';
import { Problem, SendForm } from '../../lib/send-form.tsx';

export default function Stores() {
  const { t, locale, call } = useOffice();
  const adding = useAdding();
  const { data, error } = useQuery({ queryKey: ['stores', locale], queryFn: () => call('stores') });
  return (
    <div className="flex max-w-room flex-col gap-6">
      <header className="flex flex-wrap items-center justify-between gap-4">
        <h1 className="text-2xl">{t('office.stores')}</h1>
        <AddButton adding={adding} />
      </header>
      <Problem error={error} />
      <LoadingRows until={data !== undefined || error !== null} />
      <ul className="divide-y divide-line border-line border-y">
        {data?.stores.map((store) => (
          <li key={store.id}>
            <Link
              href={`/office/stores/${store.id}`}
              className="flex min-h-16 items-center gap-4 py-3 hover:bg-raised"
            >
              <span className="min-w-0 flex-1">
                <span className="font-semibold">{inLocale(store.nameContent, locale)}</span>
                {!store.display && (
                  <span className="text-ink-soft text-sm"> · {t('office.store.hidden')}</span>
                )}
                <span className="block text-ink-soft text-sm">{store.address}</span>
              </span>
              <span className="text-right text-ink-soft text-sm">{store.status}</span>
              <Icon name="chevron-right" size={20} />
            </Link>
          </li>
        ))}
      </ul>
      {adding.isOpen && <AddStore onClose={adding.close} />}
    </div>
  );
}

function AddStore({ onClose }: { onClose: () => void }) {
  const { t, locale, call, queries } = useOffice();
  const once = useOnce();
  const navigate = useNavigate();
  const form = useForm({
    initial: { ...noName, id: '', phone: '', email: '' },
    send: ({ name, 'name.own': own, ...given }) =>
      call('addStore', { body: { ...given, name: newName({ name, 'name.own': own }, locale) }, once }),
    onSent: async (_, { id }) => {
      await queries.invalidateQueries({ queryKey: ['stores'] });
      await navigate({ to: `/office/stores/${id}` as '/office' });
    },
  });
  return (
    <Dialog open onClose={onClose} title={t('office.store.add')}>
      <SendForm form={form} label={t('office.store.add')}>
        <p>{t('office.store.addWhy')}</p>
        <p className="text-ink-soft text-sm">{t('office.store.addTables')}</p>
        <NameFields form={form} label={t('office.store.name')} />
        <TextField
          {...form.field('id')}
          label={t('office.store.id')}
          hint={t('office.store.idHint')}
          autoComplete="off"
          required
        />
        <TextField
          {...form.field('phone')}
          label={t('office.store.phone')}
          type="tel"
          autoComplete="off"
          required
        />
        <TextField
          {...form.field('email')}
          label={t('office.email')}
          hint={t('office.store.emailHint')}
          type="email"
          autoComplete="off"
          required
        />
      </SendForm>
    </Dialog>
  );
}
