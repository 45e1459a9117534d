import { useRouter, useRouterState } from '@tanstack/react-router';
import {
  type FocusEvent,
  type KeyboardEvent,
  type PointerEvent,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { locales, localizePath, offeredLocales } from '#contract/locales.ts';
import type { ImageInfo } from '#contract/schemas/common.ts';
import type { AppContent } from '#contract/schemas/shop.ts';
import { useLocale, useT } from '#ui/i18n.tsx';
import { Icon } from '#ui/icon.tsx';
import { Link } from '#ui/link.tsx';
import { lazyWithPreload } from '#web/lib/lazy-view.tsx';
import { clearTab, readTab, writeTab } from '#web/lib/tab-storage.ts';
import { urls } from '#web/lib/urls.ts';

const MenuPicks = lazyWithPreload(async () => (await import('./menu-picks.tsx')).MenuPicks);

interface MenuEntry {
  /** Of one header, no other entry has it. */
  key: string;
  label: string;
  href: string;
  /** Whose products stand beside the names. */
  category?: string;
  /** Beside its links. */
  picture?: ImageInfo | undefined;
  children: readonly { label: string; href: string }[];
}

/** The categories, and then the merchant's own links. */
export function menuEntries({ menu, header }: Pick<AppContent, 'menu' | 'header'>): MenuEntry[] {
  const categories = header.parts.includes('categories') ? menu : [];
  return [
    ...categories.map(({ name, label, children }) => ({
      key: name,
      label,
      href: urls.category(name),
      category: name,
      children: children.map((child) => ({ label: child.label, href: urls.category(child.name) })),
    })),
    ...header.links.map(({ label, link, picture, children }, index) => ({
      key: `#${index}`,
      label,
      href: link,
      picture,
      children: children.map((child) => ({ label: child.label, href: child.link })),
    })),
  ];
}

/** Milliseconds for the pointer to cross a gap on its way to the panel. */
const leaveDelayMs = 180;
const enterDelayMs = 90;

/** More categories than fit are reached by scrolling. */
const menuClass = 'h-18 overflow-x-auto font-medium text-sm [scrollbar-width:none] max-menu:hidden';

/** The expanded menu from 960 px: each category is a link, with a button that opens a panel of its subcategories and products. */
export function MenuBar({ content }: { content: AppContent }) {
  const t = useT();
  const [open, setOpen] = useState<string | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const set: MenuItemProps['set'] = (name, delayMs = 0) => {
    // The pointer may have entered an entry just before its click.
    clearTimeout(timer.current);
    if (delayMs) timer.current = setTimeout(() => setOpen(name), delayMs);
    else setOpen(name);
  };
  useBeforeNavigate(() => set(null));
  useEffect(() => () => clearTimeout(timer.current), []);

  return (
    <nav aria-label={t('shell.menu')} className={menuClass}>
      <ul className="flex h-full gap-1 wide:gap-2 min-[88rem]:gap-4">
        {menuEntries(content).map((entry) => (
          <MenuItem key={entry.key} entry={entry} open={open === entry.key} set={set} />
        ))}
        {shopLinks(content.header).map(({ key, href }) => (
          <li key={key} className="flex items-center">
            <Link href={href} className="menu-link" anySearch>
              {t(key)}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

interface MenuItemProps {
  entry: MenuEntry;
  open: boolean;
  /** Opens the panel of an entry, or closes all; at once, or after `delayMs` unless it is called again. */
  set: (name: string | null, delayMs?: number) => void;
}

function MenuItem({
  entry: { key: name, label, href, category, picture, children },
  open,
  set,
}: MenuItemProps) {
  const t = useT();
  const panel = useId();
  const button = useRef<HTMLButtonElement>(null);
  const link = (
    <Link href={href} className="menu-link" anySearch>
      {label}
    </Link>
  );
  if (children.length === 0) return <li className="flex items-center">{link}</li>;
  const mouse = (delay: number, target: string | null) => (event: PointerEvent) => {
    if (event.pointerType === 'mouse') set(target, delay);
  };
  const leave = (event: FocusEvent<HTMLLIElement>) => {
    if (open && !event.currentTarget.contains(event.relatedTarget)) set(null);
  };
  const closeByKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !open) return;
    set(null);
    button.current?.focus();
  };
  return (
    <li
      className="flex items-center"
      onPointerEnter={mouse(enterDelayMs, name)}
      onPointerLeave={mouse(leaveDelayMs, null)}
      onBlur={leave}
      onKeyDown={closeByKey}
    >
      {link}
      <button
        ref={button}
        type="button"
        className="menu-toggle"
        aria-expanded={open}
        aria-controls={panel}
        aria-label={t('shell.menu.below', { name: label })}
        onClick={() => set(open ? null : name)}
      >
        <Icon name="chevron" size={16} />
      </button>
      <ul id={panel} hidden={!open} className="menu-panel">
        <li>
          <Link href={href} anySearch>
            {category ? t('shell.menu.all', { name: label }) : label}
          </Link>
        </li>
        {children.map((child) => (
          <li key={`${child.href} ${child.label}`}>
            <Link href={child.href} anySearch>
              {child.label}
            </Link>
          </li>
        ))}
        {open && (category ?? picture) && <MenuPicks category={category} picture={picture} />}
      </ul>
    </li>
  );
}

/** What the header or the footer has besides categories, without what the merchant's own links there lead to already. */
export function shopLinks({ links, parts }: AppContent['header']) {
  const all = [
    { part: 'brands', key: 'shell.menu.brands', href: urls.brands() },
    { part: 'clearance', key: 'shell.menu.clearance', href: urls.clearance() },
    { part: 'blog', key: 'shell.menu.blog', href: urls.blog() },
  ] as const;
  const own = links.flatMap(({ link, children }) => [link, ...children.map((child) => child.link)]);
  return all.filter(({ part, href }) => parts.includes(part) && !own.includes(href));
}

/** Calls `leave` before each navigation to another page. */
export function useBeforeNavigate(leave: () => void): void {
  const router = useRouter();
  useEffect(() => router.subscribe('onBeforeNavigate', leave), [router, leave]);
}

interface AccountLinkProps {
  /** Undefined while unknown: the account page sends guests to sign in anyway. */
  signedIn: boolean | undefined;
  /** Shown as a menu entry; otherwise as an icon. */
  inWords?: boolean;
  className: string;
}

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

const scrollKey = 'language-switch-scroll';

/** The links load a new document, so that everything is in one language; the scroll position is carried over. */
export function LanguageSwitch({ className }: { className?: string }) {
  const current = useLocale();
  const location = useRouterState({ select: (state) => state.resolvedLocation ?? state.location });
  const others = offeredLocales().filter((code) => code !== current);
  return others.map((code) => (
    <a
      key={code}
      href={localizePath(location.pathname, code) + location.searchStr}
      hrefLang={code}
      lang={locales[code].tag}
      className={className}
      onClick={() => writeTab(scrollKey, scrollY)}
    >
      {locales[code].name}
    </a>
  ));
}

export function useScrollAfterSwitch(): void {
  useEffect(() => {
    const top = readTab(scrollKey);
    clearTab(scrollKey);
    if (typeof top === 'number') scrollTo({ top, behavior: 'instant' });
  }, []);
}
