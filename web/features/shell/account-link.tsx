import { useT } from '#web/i18n/i18n.tsx';
import { Link } from '#web/lib/link.tsx';
import { urls } from '#web/lib/urls.ts';
import { Icon } from '#web/ui/icon.tsx';

export interface AccountLinkProps {
  /** Undefined while that is not known: the account leads guests to signing in anyway. */
  signedIn: boolean | undefined;
  /** As a line of the menu; otherwise an icon. */
  inWords?: boolean;
  className: string;
}

/** The way to one's account, or to signing in. */
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
