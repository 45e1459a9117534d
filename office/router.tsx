import { createRootRoute, createRoute, createRouter } from '@tanstack/react-router';
import { lazy } from 'react';
import { Home, NoRoom, Office } from './office.tsx';
import { rooms } from './rooms/index.ts';
import { Join } from './rooms/sign-in/sign-in.tsx';

const root = createRootRoute({ component: Office, notFoundComponent: NoRoom });
const home = createRoute({ getParentRoute: () => root, path: '/office', component: Home });
const join = createRoute({ getParentRoute: () => root, path: '/office/join', component: Join });
const ofRooms = rooms.flatMap(({ path, view, pages }) =>
  Object.entries({ '': view, ...pages }).map(([below, { load }]) =>
    createRoute({ getParentRoute: () => root, path: `/office${path}${below}`, component: lazy(load) }),
  ),
);

export const createOfficeRouter = () =>
  createRouter({
    routeTree: root.addChildren([home, join, ...ofRooms]),
    // Plain texts: the router would read a number in an address as one.
    parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
    stringifySearch: (search) => {
      const text = new URLSearchParams(search as Record<string, string>).toString();
      return text && `?${text}`;
    },
  });
