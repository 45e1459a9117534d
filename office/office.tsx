/** The frame of the office: who is signed in, the rooms they may enter, and the room itself. */
import { QueryClient } from '@tanstack/react-query';
import {
  createRootRoute,
  createRoute,
  createRouter,
  Navigate,
  Outlet,
  RouterProvider,
  useLocation,
  useRouter,
} from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { inLocale, localeCodes, locales } from '#contract/locales.ts';
import { roleText } from '#contract/staff/messages.ts';
import type { Me } from '#contract/staff/schemas.ts';
import { Button } from '#ui/button.tsx';
import { cx } from '#ui/cx.ts';
import { errorText } from '#ui/errors.ts';
import { useT } from '#ui/i18n.tsx';
import { Icon } from '#ui/icon.tsx';
import { Checkbox } from '#ui/inputs.tsx';
import { Notice } from '#ui/notice.tsx';
import { useCall } from './lib/api.ts';
import { CallProvider, SwitchButton } from './lib/confirm-dialog.tsx';
import { FeedProvider } from './lib/feed.tsx';
import { useLanguage, useStaffT } from './lib/i18n.tsx';
import { isAway, keptSteps, MeProvider, useEnter, useMe, useMeQuery } from './lib/me.tsx';
import { openDocument } from './lib/open.tsx';
import { roomView } from './lib/room-view.tsx';
import { PlainLink } from './lib/text-link.tsx';
import { isOf, type Room, rooms } from './rooms/index.ts';
import { Join, SignIn } from './rooms/sign-in/sign-in.tsx';

/** A room without needs is a person's. */
const mayEnter = ({ needs }: Room, { may, station }: Me) =>
  needs === null ? station === null : [needs].flat().some((each) => may.includes(each));

const keptStepsMs = 5000;

function Office() {
  return (
    // Password and code are only asked for again of somebody who is signed in; the frame inside knows whether there is a code.
    <CallProvider me={null}>
      <Entrance />
    </CallProvider>
  );
}

function Entrance() {
  const { data, error } = useMeQuery();
  const last = useRef<Me | null>(null);
  if (data) last.current = data;
  // A session that ended by itself leaves the page with what was typed: signing in is asked for over it.
  const me = data === null && isAway(last.current) ? last.current : data;
  const t = useT();
  const { pathname } = useLocation();
  if (pathname === '/office/join') return <Outlet />;
  if (error) return <Notice tone="bad" title={errorText(error, t)} className="m-6" />;
  if (me === undefined) return null;
  if (me === null) return <SignIn />;
  return (
    <CallProvider me={me}>
      <MeProvider me={me}>
        <FeedProvider>
          <Frame me={me} />
        </FeedProvider>
      </MeProvider>
    </CallProvider>
  );
}

function Frame({ me }: { me: Me }) {
  const t = useStaffT();
  const open = useMemo(() => rooms.filter((room) => mayEnter(room, me)), [me]);
  useKeptSteps();
  return (
    <div className="min-h-dvh form:grid form:grid-cols-[15rem_1fr] print:block">
      <header className="flex flex-col gap-1 border-line border-b bg-surface-inset px-4 py-3 form:border-r form:border-b-0 form:py-6 print:hidden">
        <p className="px-3 font-serif text-lg max-form:hidden">{t('office.title')}</p>
        <Shortcuts rooms={open} />
        <nav aria-label={t('office.rooms')} className="relative flex gap-1 overflow-x-auto form:mt-4 form:flex-col">
          {open.map((room) => (
            <RoomLink key={room.path} room={room} />
          ))}
        </nav>
        <Person me={me} />
      </header>
      <main className="min-w-0 px-4 py-6 form:px-10 form:py-8 print:p-0">
        <Allowed rooms={open} />
      </main>
    </div>
  );
}

/** What was done at the desk without a network is sent from whichever room is open when it is back. */
function useKeptSteps(): void {
  const call = useCall();
  useEffect(() => {
    const send = () => {
      if (Object.keys(localStorage).some((key) => key.startsWith(keptSteps)))
        import('./rooms/desk/desk-orders.tsx').then(({ sendKeptSteps }) => sendKeptSteps(call)).catch(() => undefined);
    };
    send();
    const timer = setInterval(send, keptStepsMs);
    return () => clearInterval(timer);
  }, [call]);
}

/** What the menu shows beside the names of rooms, by their paths. */
const badges = new Map(rooms.flatMap(({ path, badge }) => (badge ? [[path, lazy(badge.load)] as const] : [])));

function RoomLink({ room }: { room: Room }) {
  const t = useStaffT();
  const { pathname } = useLocation();
  const Badge = badges.get(room.path);
  const current = isOf(room, pathname.replace(/^\/office/, ''));
  const link = useRef<HTMLAnchorElement>(null);
  // On a phone the menu is wider than the screen.
  useEffect(() => {
    const { current: item } = link;
    const menu = item?.parentElement;
    if (current && item && menu) menu.scrollLeft = item.offsetLeft - (menu.clientWidth - item.offsetWidth) / 2;
  }, [current]);
  return (
    <PlainLink
      ref={link}
      href={`/office${room.path}`}
      aria-current={current ? 'page' : undefined}
      className={cx(
        'flex min-h-11 flex-none items-center gap-3 rounded-md px-3 text-base hover:bg-raised',
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

function Person({ me }: { me: Me }) {
  const t = useStaffT();
  const call = useCall();
  const enter = useEnter();
  const { locale, choose } = useLanguage();
  const counter = me.shop.stores.find(({ id }) => id === me.station);
  // A station stays where nobody enters a PIN.
  const signOut = () =>
    call('signOut').then(
      () => enter(null),
      () => (counter ? undefined : enter(null)),
    );
  return (
    <div className="flex items-center gap-2 form:mt-auto form:flex-col form:items-stretch">
      <p className="min-w-0 flex-1 truncate px-3 text-sm form:flex-none">
        <span className="font-semibold">{me.name || (counter && inLocale(counter.nameContent, locale))}</span>
        <span className="text-ink-soft"> · {roleText(t, me)}</span>
      </p>
      <div className="flex items-center gap-1">
        {localeCodes
          .filter((code) => code !== locale)
          .map((code) => (
            <Button key={code} variant="quiet" size="small" lang={locales[code].tag} onClick={() => choose(code)}>
              {locales[code].name}
            </Button>
          ))}
        {counter && <SwitchButton me={me} />}
        <Button variant="quiet" size="small" onClick={() => void signOut()}>
          {t(counter ? 'office.station.end' : 'office.signOut')}
        </Button>
      </div>
    </div>
  );
}

/** The room of the address, if this person may enter it. */
function Allowed({ rooms: open }: { rooms: readonly Room[] }) {
  const { pathname } = useLocation();
  const path = pathname.replace(/^\/office/, '');
  const room = rooms.find((each) => isOf(each, path));
  return room && !open.includes(room) ? <NoRoom /> : <Outlet />;
}

/** The first room that this person may enter. */
function Home() {
  const me = useMe();
  const open = rooms.filter((room) => mayEnter(room, me));
  // A shop without stores is new: what it lacks comes before its orders.
  const first = (me.shop.stores.length === 0 && open.find(({ path }) => path === '/setup')) || open[0];
  return first ? <Navigate to={`/office${first.path}` as '/office'} replace /> : null;
}

function NoRoom() {
  const t = useStaffT();
  return <Notice title={t('office.noRoom')} silent />;
}

const root = createRootRoute({ component: Office, notFoundComponent: NoRoom });
const home = createRoute({ getParentRoute: () => root, path: '/office', component: Home });
const join = createRoute({ getParentRoute: () => root, path: '/office/join', component: Join });
const ofRooms = rooms.flatMap(({ path, view, pages }) =>
  Object.entries({ '': view, ...pages }).map(([below, page]) =>
    createRoute({ getParentRoute: () => root, path: `/office${path}${below}`, ...roomView(page) }),
  ),
);

const router = createRouter({
  routeTree: root.addChildren([home, join, ...ofRooms]),
  // Plain texts: the router would read a number in an address as one.
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const text = new URLSearchParams(search as Record<string, string>).toString();
    return text && `?${text}`;
  },
});

const Palette = lazy(() => import('./lib/palette.tsx'));

/** Kept on the device: what a keyboard or speech types without meaning it depends on the device. */
const stored = 'office-shortcuts';
const areShortcutsOn = () => localStorage.getItem(stored) !== 'off';

/** How long the second key of two may take, ms. */
const secondKeyMs = 1500;
const modifierKey = () => (/Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl');

function Shortcuts({ rooms }: { rooms: readonly Room[] }) {
  const t = useStaffT();
  const [isOpen, setOpen] = useState(false);
  useKeys(rooms, () => setOpen(true));
  return (
    <>
      <Button variant="secondary" size="small" icon="search" className="min-h-11 form:mt-4" onClick={() => setOpen(true)}>
        {t('office.find')}
        <kbd className="pointer-coarse:hidden font-normal text-ink-soft text-sm max-form:hidden">{modifierKey()} K</kbd>
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <Palette rooms={rooms} onClose={() => setOpen(false)}>
            <ShortcutSwitch />
          </Palette>
        </Suspense>
      )}
    </>
  );
}

function ShortcutSwitch() {
  const t = useStaffT();
  const [isOn, setOn] = useState(areShortcutsOn);
  return (
    <Checkbox
      className="pointer-coarse:hidden"
      label={t('office.shortcuts')}
      hint={t('office.shortcutsHint')}
      checked={isOn}
      onChange={({ target }) => {
        localStorage.setItem(stored, target.checked ? 'on' : 'off');
        setOn(target.checked);
      }}
    />
  );
}

/** Ctrl-K or ⌘-K anywhere; `?` and two keys for a room, unless somebody types, a dialog is open, or they are switched off. */
function useKeys(rooms: readonly Room[], openPalette: () => void): void {
  const { history } = useRouter();
  const first = useRef(Number.NEGATIVE_INFINITY);
  // Heard from the first drawing on, and not only after it.
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, target } = event;
      if (key.toLowerCase() === 'k' && (ctrlKey || metaKey) && !altKey) {
        event.preventDefault();
        if (!document.querySelector('dialog[open]')) openPalette();
        return;
      }
      if (ctrlKey || metaKey || altKey || event.isComposing || isTyping(target) || !areShortcutsOn()) return;
      if (document.querySelector('dialog[open]')) return;
      const isSecond = event.timeStamp - first.current < secondKeyMs;
      first.current = key === 'g' ? event.timeStamp : Number.NEGATIVE_INFINITY;
      const room = isSecond ? rooms.find((each) => each.key === key) : undefined;
      if (room) history.push(`/office${room.path}`);
      else if (key === '?') openPalette();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [rooms, openPalette, history]);
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.closest('input, textarea, select') !== null);
}

const queries = new QueryClient({ defaultOptions: { queries: { retry: 1, refetchOnWindowFocus: true } } });
void openDocument(queries, <RouterProvider router={router} />, router.load());
