import type { PickupLocation } from '#contract/schemas/shop.ts';
import { useT } from '#ui/i18n.tsx';
import { Icon, type IconName } from '#ui/icon.tsx';
import { mailIcon, phoneIcon } from '#ui/page-icons.ts';

/** The shop's contact: the order's store, else the main one. */
export function Reach({ store, email }: { store: PickupLocation | undefined; email: string | undefined }) {
  const t = useT();
  return (
    <section className="flex flex-col gap-2">
      <h2 className="text-lg">{t('confirm.reach')}</h2>
      <p>{t('confirm.reach.text')}</p>
      <ContactLinks store={store} email={email} />
    </section>
  );
}

export function ContactLinks({
  store,
  email,
  className,
}: {
  store: PickupLocation | undefined;
  email: string | undefined;
  className?: string;
}) {
  return (
    <ul className={className ?? 'flex flex-wrap gap-x-6 gap-y-1'}>
      {store && (
        <ContactLink icon={phoneIcon} href={`tel:${store.phone.replace(/[^+\d]/g, '')}`}>
          {store.phone}
        </ContactLink>
      )}
      {email && (
        <ContactLink icon={mailIcon} href={`mailto:${email}`}>
          {email}
        </ContactLink>
      )}
    </ul>
  );
}

function ContactLink({ icon, href, children }: { icon: IconName; href: string; children: string }) {
  return (
    <li>
      <a href={href} className="link inline-flex min-h-11 items-center gap-2">
        <Icon name={icon} size={20} />
        {children}
      </a>
    </li>
  );
}
