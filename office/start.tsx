import { QueryClient } from '@tanstack/react-query';
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, RouterProvider } from '@tanstack/react-router';
import { openDocument } from './lib/open.tsx';
import { Home, NoRoom, Office } from './office.tsx';
import { rooms } from './rooms/index.ts';
import { Join } from './rooms/sign-in/sign-in.tsx';

const root = createRootRoute({ component: Office, notFoundComponent: NoRoom });
const home = createRoute({ getParentRoute: () => root, path: '/office', component: Home });
const join = createRoute({ getParentRoute: () => root, path: '/office/join', component: Join });
const ofRooms = rooms.flatMap(({ path, view, pages }) =>
  Object.entries({ '': view, ...pages }).map(([below, { load }]) =>
    createRoute({ getParentRoute: () => root, path: `/office${path}${below}`, component: lazyRouteComponent(load) }),
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

const queries = new QueryClient({ defaultOptions: { queries: { retry: 1, refetchOnWindowFocus: true } } });
void openDocument(queries, <RouterProvider router={router} />, router.load());
