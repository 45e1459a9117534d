/** The frame of the office: the rooms that one may enter, who is signed in, and the room itself. */
import { useLocation } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { inLocale, localeCodes, locales, offeredLocales } from '#contract/locales.ts';
import { roleText } from '#contract/staff/messages.ts';
import type { Me } from '#contract/staff/schemas.ts';
import { Button, IconButton } from '#ui/button.tsx';
import { cx } from '#ui/cx.ts';
import { Drawer } from '#ui/dialog.tsx';
import { Icon } from '#ui/icon.tsx';
import { SkipLink } from '#ui/layout.tsx';
import { useCall } from './lib/api.ts';
import { SwitchButton } from './lib/confirm-dialog.tsx';
import { useLanguage, useStaffT } from './lib/i18n.tsx';
import { useEnter } from './lib/me.tsx';
import { usePage } from './lib/page.ts';
import { modifierKey, useShortcuts } from './lib/shortcuts.tsx';
import { PlainLink } from './lib/text-link.tsx';
import { isOf, type Room, roomGroups, rooms } from './rooms/index.ts';

/** A room without needs is a person's. */
export const mayEnter = ({ needs, inLanguages }: Room, { may, station, shop }: Me): boolean =>
  (!inLanguages || (shop.languages ?? localeCodes).length > 1) &&
  (needs === null ? station === null : [needs].flat().some((each) => may.includes(each)));

interface FrameProps {
  me: Me;
  children: (open: readonly Room[]) => ReactNode;
}

export function Frame({ me, children }: FrameProps) {
  const t = useStaffT();
  const open = useMemo(() => rooms.filter((room) => mayEnter(room, me)), [me]);
  const { pathname, hash } = useLocation();
  const room = open.find((each) => isOf(each, pathname.replace(/^\/office/, '')));
  const main = useRef<HTMLElement>(null);
  usePage(main, { address: pathname, hash }, [...(room ? [t(room.name)] : []), t('office.title')]);
  const { find, shown } = useShortcuts(open);
  return (
    <div className="min-h-dvh form:grid form:grid-cols-[15rem_1fr] print:block">
      <SkipLink>{t('office.skip')}</SkipLink>
      <Bar me={me} rooms={open} name={room ? t(room.name) : t('office.title')} find={find} />
      <header className="sticky top-0 flex h-dvh flex-col gap-4 overflow-y-auto overscroll-contain border-line border-r bg-surface-inset px-4 py-6 max-form:hidden print:hidden">
        <p className="px-3 font-serif text-lg">{t('office.title')}</p>
        <Button variant="secondary" size="small" icon="search" className="min-h-11 flex-none" onClick={find}>
          {t('office.find')}
          <kbd className="pointer-coarse:hidden font-normal text-ink-soft text-sm">{modifierKey()} K</kbd>
        </Button>
        <Menu me={me} rooms={open} />
        <Leaving me={me} />
      </header>
      <main ref={main} id="main" className="min-w-0 px-4 py-6 form:px-8 form:py-8 print:p-0">
        {children(open)}
      </main>
      {shown}
    </div>
  );
}

interface BarProps {
  me: Me;
  rooms: readonly Room[];
  /** Of the room that is open. */
  name: string;
  find: () => void;
}

/** In place of the menu on phones and small tablets: one row, from which it opens. */
function Bar({ me, rooms: open, name, find }: BarProps) {
  const t = useStaffT();
  const { pathname } = useLocation();
  const [openedAt, setOpenedAt] = useState<string | null>(null);
  return (
    <header className="sticky top-0 z-30 flex h-(--bar-height) items-center gap-2 border-line border-b bg-surface-inset px-2 form:hidden print:hidden">
      <nav aria-label={t('office.rooms')}>
        <IconButton
          icon="menu"
          label={t('office.rooms')}
          aria-haspopup="dialog"
          onClick={() => setOpenedAt(pathname)}
        />
      </nav>
      <p className="min-w-0 flex-1 truncate font-semibold" aria-hidden="true">
        {name}
      </p>
      <IconButton icon="search" label={t('office.find')} onClick={find} />
      {/* Another room is another address. */}
      <Drawer
        open={openedAt === pathname}
        onClose={() => setOpenedAt(null)}
        title={t('office.title')}
        side="start"
      >
        {openedAt === pathname && (
          <div className="flex flex-1 flex-col gap-4 pt-2">
            <Menu me={me} rooms={open} />
            <Leaving me={me} />
          </div>
        )}
      </Drawer>
    </header>
  );
}

/** The rooms by their groups; those of a person under their name, at the foot. */
function Menu({ me, rooms: open }: { me: Me; rooms: readonly Room[] }) {
  const t = useStaffT();
  const { locale } = useLanguage();
  const counter = counterOf(me);
  return (
    <nav aria-label={t('office.rooms')} className="flex flex-1 flex-col gap-4">
      {roomGroups.map((group) => {
        const own = open.filter((room) => room.group === group);
        if (own.length === 0) return null;
        return (
          <div key={group}>
            <p id={`rooms-${group}`} className="px-3 pb-1 font-semibold text-ink-soft text-sm">
              {t(`office.rooms.${group}`)}
            </p>
            <RoomLinks rooms={own} labelledBy={`rooms-${group}`} />
          </div>
        );
      })}
      <div className="mt-auto border-line border-t pt-3">
        <p id="rooms-person" className="truncate px-3 pb-1 text-sm">
          <span className="font-semibold">
            {me.name || (counter && inLocale(counter.nameContent, locale))}
          </span>
          <span className="text-ink-soft"> · {roleText(t, me)}</span>
        </p>
        <RoomLinks rooms={open.filter(({ group }) => group === 'person')} labelledBy="rooms-person" />
      </div>
    </nav>
  );
}

function RoomLinks({ rooms: own, labelledBy }: { rooms: readonly Room[]; labelledBy: string }) {
  return (
    <ul aria-labelledby={labelledBy}>
      {own.map((room) => (
        <li key={room.path}>
          <RoomLink room={room} />
        </li>
      ))}
    </ul>
  );
}

/** What the menu shows beside the names of rooms, by their paths. */
const badges = new Map(
  rooms.flatMap(({ path, badge }) => (badge ? [[path, lazy(badge.load)] as const] : [])),
);

function RoomLink({ room }: { room: Room }) {
  const t = useStaffT();
  const { pathname } = useLocation();
  const Badge = badges.get(room.path);
  const current = isOf(room, pathname.replace(/^\/office/, ''));
  const link = useRef<HTMLAnchorElement>(null);
  // The menu may be higher than the screen.
  useEffect(() => {
    if (current) link.current?.scrollIntoView({ block: 'nearest' });
  }, [current]);
  return (
    <PlainLink
      ref={link}
      href={`/office${room.path}`}
      aria-current={current ? 'page' : undefined}
      className={cx(
        'pointer-fine:min-h-9 flex min-h-11 items-center gap-3 rounded-md px-3 hover:bg-raised',
        current && 'bg-raised font-semibold text-action',
      )}
    >
      <Icon name={room.icon} size={20} />
      {t(room.name)}
      {Badge && (
        <Suspense fallback={null}>
          <Badge />
        </Suspense>
      )}
    </PlainLink>
  );
}

/** The store whose station this is. */
const counterOf = ({ shop, station }: Me) => shop.stores.find(({ id }) => id === station);

/** Another language, and leaving. */
function Leaving({ me }: { me: Me }) {
  const t = useStaffT();
  const call = useCall();
  const enter = useEnter();
  const { locale, choose } = useLanguage();
  const counter = counterOf(me);
  // A station stays where nobody enters a PIN.
  const signOut = () =>
    call('signOut').then(
      () => enter(null),
      () => (counter ? undefined : enter(null)),
    );
  return (
    <div className="flex flex-wrap items-center gap-1">
      {offeredLocales()
        .filter((code) => code !== locale)
        .map((code) => (
          <Button
            key={code}
            variant="quiet"
            size="small"
            lang={locales[code].tag}
            onClick={() => choose(code)}
          >
            {locales[code].name}
          </Button>
        ))}
      {counter && <SwitchButton me={me} />}
      <Button variant="quiet" size="small" onClick={() => void signOut()}>
        {t(counter ? 'office.station.end' : 'office.signOut')}
      </Button>
    </div>
  );
}
