import { useT } from '#ui/i18n.tsx';
import { Icon } from '#ui/icon.tsx';
import { Link } from '#ui/link.tsx';
import { urls } from '#web/lib/urls.ts';

export interface AccountLinkProps {
  /** Undefined while unknown: the account page sends guests to sign in anyway. */
  signedIn: boolean | undefined;
  /** Shown as a menu entry; otherwise as an icon. */
  inWords?: boolean;
  className: string;
}

/** The link to the account, or to signing in. */
export function AccountLink({ signedIn, inWords = false, className }: AccountLinkProps) {
  const label = useT()(signedIn === false ? 'shell.signIn' : 'shell.account');
  return (
    <Link
      href={signedIn === false ? urls.login() : urls.account()}
      className={className}
      {...(inWords ? {} : { 'aria-label': label, title: label })}
    >
      {inWords ? label : <Icon name="user" />}
    </Link>
  );
}
