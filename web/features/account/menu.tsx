import { useState } from 'react';
import { addressedName } from '#contract/names.ts';
import type { User } from '#contract/schemas/shop.ts';
import { useT } from '#web/i18n/i18n.tsx';
import { errorText } from '#web/lib/api-errors.ts';
import { Link } from '#web/lib/link.tsx';
import { urls } from '#web/lib/urls.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { cardIcon, lockIcon } from '#web/ui/page-icons.ts';

const places = [
  { icon: 'bag', href: urls.orders(), title: 'account.orders.title', text: 'account.menu.orders' },
  { icon: 'user', href: urls.profile(), title: 'account.profile.title', text: 'account.menu.profile' },
  { icon: 'truck', href: urls.addresses('shipping'), title: 'account.address.shipping', text: 'account.menu.shipping' },
  { icon: cardIcon, href: urls.addresses('billing'), title: 'account.address.billing', text: 'account.menu.billing' },
  { icon: lockIcon, href: urls.changePassword(), title: 'account.resetPassword.title', text: 'account.menu.password' },
] as const;

/** The menu's greeting. */
export function Greeting({ user }: { user: User }) {
  const t = useT();
  const name = addressedName(user, t);
  return t('account.menu.greeting', { name: name || user.email });
}

export function AccountMenu({ signOut }: { signOut: () => Promise<void> }) {
  const t = useT();
  return (
    <>
      <ul className="grid gap-4 product:grid-cols-2 menu:grid-cols-3">
        {places.map(({ icon, href, title, text }) => (
          <li key={href}>
            <Link
              href={href}
              className="flex h-full items-start gap-4 rounded-lg bg-surface-inset p-6 transition-[background-color] hover:bg-action-tint"
            >
              <Icon name={icon} size={26} className="text-action" />
              <span>
                <span className="block font-semibold">{t(title)}</span>
                <span className="block text-ink-soft text-sm">{t(text)}</span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
      <SignOut signOut={signOut} />
    </>
  );
}

/** Reports a failed sign-out: on a shared computer the customer must know. */
function SignOut({ signOut }: { signOut: () => Promise<void> }) {
  const t = useT();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const leave = async () => {
    setBusy(true);
    setProblem(undefined);
    try {
      await signOut();
    } catch (error) {
      setProblem(t('account.logout.failed', { reason: errorText(error, t) }));
      setBusy(false);
    }
  };
  return (
    <div className="mt-10 flex max-w-form flex-col items-start gap-4">
      {problem && <Notice tone="bad" title={problem} className="w-full" />}
      <Button variant="secondary" busy={busy} onClick={() => void leave()}>
        {t('account.logout')}
      </Button>
    </div>
  );
}
