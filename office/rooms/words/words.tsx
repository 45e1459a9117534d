/** The texts of the emails that the shop sends to its customers. */
import { useQuery } from '@tanstack/react-query';
import { emailGroups } from '#contract/emails.ts';
import { locales, offeredLocales } from '#contract/locales.ts';
import { Icon } from '#ui/icon.tsx';
import { Link } from '#ui/link.tsx';
import { LoadingRows } from '../../lib/lists.tsx';
import { useOffice } from '../../lib/me.tsx';
import { Problem } from '../../lib/send-form.tsx';
import { emailsQuery } from '../../lib/whole-lists.ts';

export default function Words() {
  const { t, call } = useOffice();
  const { data, error } = useQuery(emailsQuery(call));
  const shown = offeredLocales();
  const stateOf = (changed: readonly (typeof shown)[number][]) => {
    const seen = changed.filter((code) => shown.includes(code));
    if (seen.length === 0) return t('office.words.delivered');
    if (shown.length === 1) return t('office.words.changed');
    return t('office.words.changedIn', {
      languages: seen.map((code) => locales[code].name).join(t('office.listSeparator')),
    });
  };
  return (
    <div className="flex max-w-room flex-col gap-6">
      <h1 className="text-2xl">{t('office.words')}</h1>
      <p className="text-ink-soft">{t('office.words.why')}</p>
      <Problem error={error} />
      <LoadingRows until={data !== undefined || error !== null} />
      {data &&
        emailGroups.map((group) => (
          <section key={group} className="flex flex-col gap-2">
            <h2 className="text-lg">{t(`office.words.group.${group}`)}</h2>
            <p className="text-ink-soft text-sm">{t(`office.words.to.${group}`)}</p>
            <ul className="divide-y divide-line border-line border-y">
              {data.emails
                .filter((email) => email.group === group)
                .map(({ id, changed }) => (
                  <li key={id}>
                    <Link
                      href={`/office/words/${id}`}
                      className="flex min-h-16 items-center gap-4 py-3 hover:bg-raised"
                    >
                      <span className="min-w-0 flex-1">
                        <span className="font-semibold">{t(`office.words.email.${id}`)}</span>
                        <span className="block text-ink-soft text-sm">{t(`office.words.when.${id}`)}</span>
                      </span>
                      <span className="max-w-28 text-right text-ink-soft text-sm">{stateOf(changed)}</span>
                      <Icon name="chevron-right" size={20} />
                    </Link>
                  </li>
                ))}
            </ul>
          </section>
        ))}
    </div>
  );
}
