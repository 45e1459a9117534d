import { type ReactNode, useState } from 'react';
import { addressedName } from '#contract/names.ts';
import type { User } from '#contract/schemas/shop.ts';
import { Button } from '#ui/button.tsx';
import { errorText } from '#ui/errors.ts';
import { useT } from '#ui/i18n.tsx';
import { Icon } from '#ui/icon.tsx';
import { Link } from '#ui/link.tsx';
import { Notice } from '#ui/notice.tsx';
import { cardIcon, lockIcon } from '#ui/page-icons.ts';
import { addressLines } from '#web/lib/address.ts';
import { urls } from '#web/lib/urls.ts';

const places = [
  { icon: 'bag', href: urls.orders(), title: 'account.orders.title', text: 'account.menu.orders' },
  { icon: 'user', href: urls.profile(), title: 'account.profile.title', text: 'account.menu.profile' },
  { icon: 'truck', href: urls.addresses('shipping'), title: 'account.address.shipping', text: 'account.menu.shipping' },
  { icon: cardIcon, href: urls.addresses('billing'), title: 'account.address.billing', text: 'account.menu.billing' },
  { icon: lockIcon, href: urls.changePassword(), title: 'account.resetPassword.title', text: 'account.menu.password' },
] as const;

export function Greeting({ user }: { user: User }) {
  const t = useT();
  const name = addressedName(user, t);
  return t('account.menu.greeting', { name: name || user.email });
}

interface AccountMenuProps {
  user: User;
  orders: ReactNode;
  signOut: () => Promise<void>;
}

export function AccountMenu({ user, orders, signOut }: AccountMenuProps) {
  const t = useT();
  const address = user.shippingAddresses[0];
  const known: Partial<Record<string, string>> = {
    [urls.addresses('shipping')]: address && addressLines(address).join(', '),
  };
  return (
    <div className="grid items-start gap-x-16 gap-y-10 menu:grid-cols-[minmax(0,1fr)_24rem]">
      {orders}
      <div>
        <ul className="divide-y divide-line border-line border-y">
          {places.map(({ icon, href, title, text }) => (
            <li key={href}>
              <Link href={href} className="flex min-h-16 items-center gap-4 py-3 hover:text-action">
                <Icon name={icon} className="text-action" />
                <span className="min-w-0 flex-1">
                  <span className="block font-semibold">{t(title)}</span>
                  <span className="block text-ink-soft text-sm">{known[href] ?? t(text)}</span>
                </span>
                <Icon name="chevron-right" size={20} className="text-ink-soft" />
              </Link>
            </li>
          ))}
        </ul>
        <SignOut signOut={signOut} />
      </div>
    </div>
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
