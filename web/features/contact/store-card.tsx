import { addressLines } from '#contract/addresses.ts';
import { inLocale } from '#contract/locales.ts';
import { hoursOn, hoursText } from '#contract/rules/opening-hours.ts';
import { type StoreStatus, statusText, storeStatus } from '#contract/rules/store-status.ts';
import type { PickupLocation } from '#contract/schemas/shop.ts';
import { Accordion } from '#ui/accordion.tsx';
import { IconButton } from '#ui/button.tsx';
import { cx } from '#ui/cx.ts';
import { useLocale, useT } from '#ui/i18n.tsx';
import { Icon, type IconName } from '#ui/icon.tsx';
import { mailIcon, phoneIcon, pinIcon } from '#ui/page-icons.ts';
import { useDirectionsUrl } from '#web/lib/address.ts';
import { Picture } from '#web/ui/picture.tsx';
import { HoursTable, storeClock } from './hours-table.tsx';

interface StoreCardProps {
  store: PickupLocation;
  /** Epoch ms; null before hydration. */
  now: number | null;
  onShow: () => void;
  first: boolean;
}

export function StoreCard({ store, now, onShow, first }: StoreCardProps) {
  const t = useT();
  const locale = useLocale();
  const name = inLocale(store.nameContent, locale);
  const headingId = `store-${store.localStoreName}`;
  const clock = now === null ? null : storeClock(now, store.timeZone);
  const today = clock && hoursOn(store, clock.date);
  return (
    <article
      aria-labelledby={headingId}
      className="grid gap-x-8 gap-y-4 product:grid-cols-[minmax(0,2fr)_minmax(0,3fr)] product:grid-rows-[auto_1fr]"
    >
      {store.image && (
        <Picture
          image={store.image}
          alt=""
          shape="wide"
          sizes="(min-width: 48rem) 24vw, 92vw"
          priority={first}
        />
      )}
      <div className="flex flex-col gap-2 product:col-start-2 product:row-span-2 product:row-start-1">
        <h2 id={headingId} className="text-xl">
          {name}
        </h2>
        <Status status={clock && storeStatus(store, clock)} />
        <address className="not-italic">
          {addressLines(store.address).map((line) => (
            <span key={line} className="block">
              {line}
            </span>
          ))}
          <span className="mt-2 block tabular-nums">{store.phone}</span>
        </address>
        <p className="max-w-prose text-ink-soft text-sm">{store.description}</p>
        <Actions store={store} name={name} onShow={onShow} />
      </div>
      <Accordion
        summary={t('contact.hours')}
        aside={clock && (today ? hoursText(today, t('ui.listSeparator')) : t('contact.closed'))}
        unfoldFrom="product"
        className="product:border-0"
      >
        <HoursTable label={`${t('contact.hours')}: ${name}`} store={store} today={clock?.date} />
      </Accordion>
    </article>
  );
}

/** Whether the store is open. Its line is there from the start, empty while `status` is null. */
function Status({ status }: { status: StoreStatus | null }) {
  const t = useT();
  const locale = useLocale();
  const isOpen = status?.kind === 'open';
  return (
    <p className={cx('flex min-h-[1lh] items-center gap-2 font-semibold', isOpen && 'text-action')}>
      {status && (
        <>
          <span
            aria-hidden
            className={cx('size-2 flex-none rounded-full', isOpen ? 'bg-action' : 'border-2 border-edge')}
          />
          {statusText(status, locale, t)}
        </>
      )}
    </p>
  );
}

function Actions({ store, name, onShow }: Pick<StoreCardProps, 'store' | 'onShow'> & { name: string }) {
  const t = useT();
  return (
    <ul className="mt-2 flex gap-3">
      <Action icon={phoneIcon} href={`tel:${store.phone.replace(/[^+\d]/g, '')}`} label={store.phone} />
      <Action
        icon={mailIcon}
        href={`mailto:${store.email.split('@').map(encodeURIComponent).join('@')}`}
        label={store.email}
      />
      <Action
        icon="external"
        href={useDirectionsUrl(store, name)}
        label={t('contact.directions.label', { store: name })}
        title={t('contact.directions')}
      />
      <li>
        <IconButton
          icon={pinIcon}
          label={t('contact.showOnMap.label', { store: name })}
          title={t('contact.showOnMap')}
          className={actionClass}
          onClick={onShow}
        />
      </li>
    </ul>
  );
}

const actionClass = 'border border-edge text-action';

function Action({
  icon,
  href,
  label,
  title = label,
}: {
  icon: IconName;
  href: string;
  label: string;
  title?: string;
}) {
  return (
    <li>
      <a href={href} rel="noopener" className={cx('icon-btn', actionClass)} aria-label={label} title={title}>
        <Icon name={icon} size={24} />
      </a>
    </li>
  );
}
