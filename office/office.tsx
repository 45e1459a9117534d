/** The office: who is signed in, and the routes of its rooms. */
import { QueryClient } from '@tanstack/react-query';
import {
  createRootRoute,
  createRoute,
  createRouter,
  Navigate,
  Outlet,
  RouterProvider,
  useLocation,
} from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { Me } from '#contract/staff/schemas.ts';
import { errorText } from '#ui/errors.ts';
import { useT } from '#ui/i18n.tsx';
import { Notice } from '#ui/notice.tsx';
import { Frame, mayEnter } from './frame.tsx';
import { retriesOnce, useCall } from './lib/api.ts';
import { CallProvider } from './lib/confirm-dialog.tsx';
import { FeedProvider } from './lib/feed.tsx';
import { useStaffT } from './lib/i18n.tsx';
import { isAway, keptSteps, MeProvider, useMe, useMeQuery } from './lib/me.tsx';
import { openDocument } from './lib/open.tsx';
import { roomView } from './lib/room-view.tsx';
import { TextLink } from './lib/text-link.tsx';
import { isOf, type Room, rooms } from './rooms/index.ts';
import { Join, SignIn } from './rooms/sign-in/sign-in.tsx';

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
          <KeptSteps />
          <Frame me={me}>{(open) => <Allowed rooms={open} />}</Frame>
        </FeedProvider>
      </MeProvider>
    </CallProvider>
  );
}

/** What was done at the desk without a network is sent from whichever room is open when it is back. */
function KeptSteps() {
  const call = useCall();
  useEffect(() => {
    const send = () => {
      if (Object.keys(localStorage).some((key) => key.startsWith(keptSteps)))
        import('./rooms/desk/desk-orders.tsx')
          .then(({ sendKeptSteps }) => sendKeptSteps(call))
          .catch(() => undefined);
    };
    send();
    const timer = setInterval(send, keptStepsMs);
    return () => clearInterval(timer);
  }, [call]);
  return null;
}

/** The room of the address, if this person may enter it. */
function Allowed({ rooms: open }: { rooms: readonly Room[] }) {
  const { pathname } = useLocation();
  const path = pathname.replace(/^\/office/, '');
  const room = rooms.find((each) => isOf(each, path));
  const me = useMe();
  if (!room || open.includes(room)) return <Outlet />;
  return mayEnter(room, { ...me, may: me.waiting }) ? <NoFactor /> : <NoRoom />;
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

/** The account may enter, and has to be secured first. */
function NoFactor() {
  const t = useStaffT();
  return (
    <Notice title={t('staff.factorNeeded')} silent>
      <TextLink href="/office/account">{t('office.secondFactorSetUp')}</TextLink>
    </Notice>
  );
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

const queries = new QueryClient({
  defaultOptions: { queries: { retry: retriesOnce, refetchOnWindowFocus: true } },
});
void openDocument(queries, <RouterProvider router={router} />, router.load());
