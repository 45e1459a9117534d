/** The header and the footer of every page of the shop. */
import { useQuery } from '@tanstack/react-query';
import { Icon } from '#ui/icon.tsx';
import { Link } from '#ui/link.tsx';
import { useOffice } from '../../lib/me.tsx';
import { Problem } from '../../lib/send-form.tsx';

export default function Navigation() {
  const { t, call } = useOffice();
  const { data, error } = useQuery({ queryKey: ['navigations'], queryFn: () => call('navigations') });
  return (
    <div className="flex max-w-room flex-col gap-6">
      <h1 className="text-2xl">{t('office.navigation')}</h1>
      <p className="text-ink-soft">{t('office.navigation.why')}</p>
      <Problem error={error} />
      <ul className="divide-y divide-line border-line border-y empty:hidden">
        {data?.places.map(({ id, links }) => (
          <li key={id}>
            <Link
              href={`/office/navigation/${id}`}
              className="flex min-h-16 items-center gap-4 py-3 hover:bg-raised"
            >
              <span className="min-w-0 flex-1">
                <span className="font-semibold">{t(`office.navigation.${id}`)}</span>
                <span className="block text-ink-soft text-sm">{t(`office.navigation.${id}Why`)}</span>
              </span>
              <span className="text-right text-ink-soft text-sm">
                {t('office.navigation.count', { count: links })}
              </span>
              <Icon name="chevron-right" size={20} />
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
