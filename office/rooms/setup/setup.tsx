/** What the shop still lacks: the steps of its first evening, and what the shop finds wrong with itself, each with the screen for it. */
import { useQuery } from '@tanstack/react-query';
import type { ShopFindings, ShopLacks } from '#contract/staff/settings.ts';
import { Button } from '#ui/button.tsx';
import { cx } from '#ui/cx.ts';
import { formatDate } from '#ui/format.ts';
import { Icon } from '#ui/icon.tsx';
import { Link } from '#ui/link.tsx';
import { Notice } from '#ui/notice.tsx';
import { useLanguage } from '../../lib/i18n.tsx';
import { useMe, useOffice } from '../../lib/me.tsx';
import { Problem } from '../../lib/send-form.tsx';

type Step = ShopLacks['steps'][number]['step'] | 'code';

/** The screens of the steps, below `/office`; the last is the shop itself. */
const rooms: Readonly<Record<Step, string>> = {
  code: '/account',
  shop: '/shop',
  store: '/stores',
  mail: '/connections#mail',
  money: '/money',
  taxonomy: '/taxonomy',
  product: '/goods',
  stock: '/stock',
  order: '',
};

/** While it is looked for. */
const askAgainMs = 1000;

export default function Setup() {
  const { t, locale, call } = useOffice();
  const me = useMe();
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['setup', locale],
    queryFn: () => call('shopLacks'),
    refetchInterval: ({ state: { data: last, status } }) =>
      status === 'success' && last?.looking && askAgainMs,
  });
  const found = data?.found;
  // Taxes, stores and ways of paying can only be changed with a second factor.
  const own = { step: 'code' as const, done: me.secondFactor || me.passkeys > 0 };
  // Only owners enter a mail server.
  const mine =
    data?.steps.filter(({ step }) => step !== 'mail' || me.may.includes('connections.manage')) ?? [];
  const steps: { step: Step; done: boolean }[] = data ? [own, ...mine] : [];
  const next = steps.find(({ done }) => !done)?.step;
  return (
    <div className="flex max-w-room flex-col gap-8">
      <h1 className="text-2xl">{t('office.setup')}</h1>
      <Problem error={error} />
      {data && next === undefined && found?.findings.length === 0 && (
        <Notice tone="good" title={t('office.setup.nothing')} silent />
      )}
      {next !== undefined && (
        <ol className="divide-y divide-line border-line border-y">
          {steps.map((each) => (
            <StepRow key={each.step} {...each} isNext={each.step === next} />
          ))}
        </ol>
      )}
      {data && (
        <section className="flex flex-col gap-4">
          <header className="flex flex-wrap items-center justify-between gap-3">
            <h2 className="text-xl">{t('office.setup.found')}</h2>
            <Button
              label={t('office.setup.again')}
              variant="secondary"
              busy={isFetching || data.looking}
              onClick={() => void refetch()}
            />
          </header>
          {found ? (
            <>
              <p className="text-ink-soft text-sm">
                {t('office.setup.checked', {
                  count: found.checked,
                  time: formatDate(found.at, locale, me.shop.timeZone, 'dateTime'),
                })}
              </p>
              {found.findings.length === 0 ? (
                <p>{t('office.setup.fine')}</p>
              ) : (
                <Findings findings={found.findings} />
              )}
            </>
          ) : (
            <p role="status" className="text-ink-soft text-sm">
              {t('office.setup.looking')}
            </p>
          )}
        </section>
      )}
    </div>
  );
}

function StepRow({ step, done, isNext }: { step: Step; done: boolean; isNext: boolean }) {
  const { t } = useLanguage();
  const content = (
    <>
      <span
        className={cx(
          'grid size-7 flex-none place-items-center rounded-full border border-line',
          done && 'border-action bg-action text-on-action',
        )}
      >
        {done && <Icon name="check" size={18} label={t('office.setup.done')} />}
      </span>
      <span className="min-w-0 flex-1">
        <span className={cx('block', !done && 'font-semibold')}>{t(`office.setup.${step}`)}</span>
        {!done && <span className="block text-ink-soft text-sm">{t(`office.setup.${step}.why`)}</span>}
      </span>
      {isNext && <Icon name="chevron-right" size={20} />}
    </>
  );
  const look = cx('flex min-h-14 items-center gap-4 py-3 hover:bg-surface-inset', isNext && 'text-action');
  return (
    <li aria-current={isNext ? 'step' : undefined}>
      {step === 'order' ? (
        <a className={look} href="/" target="_blank" rel="noopener">
          {content}
        </a>
      ) : (
        <Link className={look} href={`/office${rooms[step]}`}>
          {content}
        </Link>
      )}
    </li>
  );
}

function Findings({ findings }: Pick<ShopFindings, 'findings'>) {
  const { t } = useLanguage();
  return (
    <ul className="divide-y divide-line border-line border-y">
      {findings.map(({ subject, level, text, room, places, more }) => (
        <li key={`${text} ${room}`} className="flex gap-4 py-4">
          <Icon
            name={level === 'fail' ? 'warning' : 'info'}
            size={22}
            label={t(`office.setup.${level}`)}
            className={level === 'fail' ? 'text-clay' : 'text-ink-soft'}
          />
          <div className="min-w-0 flex-1 break-words">
            <p className="text-ink-soft text-sm">{subject}</p>
            <p>{text}</p>
            {room && <Fix room={room}>{t('office.setup.fix')}</Fix>}
            <ul className="empty:hidden">
              {places.map((place) => (
                <li key={place.text}>
                  {place.room ? (
                    <Fix room={place.room}>{place.text}</Fix>
                  ) : (
                    <span className="text-sm">{place.text}</span>
                  )}
                </li>
              ))}
            </ul>
            {more > 0 && <p className="text-ink-soft text-sm">{t('office.setup.more', { count: more })}</p>}
          </div>
        </li>
      ))}
    </ul>
  );
}

function Fix({ room, children }: { room: string; children: string }) {
  return (
    <Link className="inline-flex min-h-11 items-center underline" href={`/office${room}`}>
      {children}
    </Link>
  );
}
