/** The rooms of the office, in the order of the menu. To add one, add a folder here and a line below. */
import type { StaffMessageKey } from '#contract/staff/messages.ts';
import type { Permission } from '#contract/staff/permissions.ts';
import type { IconName } from '#ui/icon.tsx';

/** The parts of the menu, in its order; what is a person's stands under their name. */
export const roomGroups = ['work', 'catalogue', 'money', 'shop'] as const;

export interface Room {
  /** Below `/office`. */
  path: string;
  group: (typeof roomGroups)[number] | 'person';
  name: StaffMessageKey;
  icon: IconName;
  /** Pressed after `g`, it leads there. */
  key: string;
  /** Who may enter: whoever has one of these; null: each person who is signed in. */
  needs: Permission | readonly Permission[] | null;
  /** Only in a shop of several languages. */
  inLanguages?: true;
  view: View;
  adds?: Adds;
  /** What the menu shows beside its name. */
  badge?: View;
  /** Its pages with addresses of their own, by their path below the room's: `/$number`. */
  pages?: Readonly<Record<string, View>>;
}

/** What a room adds: the words of its button, and who may. */
export interface Adds {
  name: StaffMessageKey;
  needs: Permission;
  /** Not for whoever works in some stores only. */
  inAllStores?: true;
}

/** Loaded when it is first shown, or before. React makes components of them later: the first script of the office reads this list. */
export interface View {
  load: () => Promise<{ default: () => React.ReactNode }>;
}
const lazy = (load: View['load']): View => ({ load });

/** Whether an address, without `/office`, is that of a room or of a page of it. */
export const isOf = ({ path }: Room, address: string) => address === path || address.startsWith(`${path}/`);

export const rooms: readonly Room[] = [
  {
    path: '/desk',
    group: 'work',
    name: 'office.desk',
    icon: 'store',
    key: 'd',
    needs: 'orders.read',
    view: lazy(() => import('./desk/desk.tsx')),
  },
  {
    path: '/kitchen',
    group: 'work',
    name: 'office.kitchen',
    icon: 'cup',
    key: 'k',
    needs: 'orders.move',
    view: lazy(() => import('./kitchen/kitchen.tsx')),
  },
  {
    path: '/orders',
    group: 'work',
    name: 'office.orders',
    icon: 'bag',
    key: 'o',
    needs: 'orders.read',
    view: lazy(() => import('./orders/orders.tsx')),
    pages: {
      '/$number': lazy(() => import('./orders/order.tsx')),
      '/print': lazy(() => import('./orders/print.tsx')),
    },
  },
  {
    path: '/customers',
    group: 'work',
    name: 'office.customers',
    icon: 'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20c0-4 3-6 6.5-6s6.5 2 6.5 6M16 4.2a3.5 3.5 0 0 1 0 6.6M18 14.4c2.3.8 3.5 2.7 3.5 5.6',
    key: 'c',
    needs: 'customers.read',
    view: lazy(() => import('./customers/customers.tsx')),
    pages: { '/$id': lazy(() => import('./customers/customer.tsx')) },
  },
  {
    path: '/messages',
    group: 'work',
    name: 'office.messages',
    icon: 'M3.5 5.5h17v13h-17zM3.5 6.5L12 13l8.5-6.5',
    key: 'm',
    needs: 'messages.read',
    view: lazy(() => import('./messages/messages.tsx')),
  },
  {
    path: '/opening',
    group: 'work',
    name: 'office.opening',
    icon: 'M4 6h16v14H4zM4 10h16M8.5 3.5v4M15.5 3.5v4',
    key: 't',
    needs: 'stock.soldOut',
    view: lazy(() => import('./opening/opening.tsx')),
  },
  {
    path: '/goods',
    group: 'catalogue',
    name: 'office.goods',
    icon: 'M4 8l8-4 8 4v8l-8 4-8-4zM4 8l8 4 8-4M12 12v8',
    key: 'p',
    needs: 'goods.read',
    adds: { name: 'office.goods.add', needs: 'goods.write' },
    view: lazy(() => import('./goods/goods.tsx')),
    pages: { '/$product': lazy(() => import('./goods/product.tsx')) },
  },
  {
    path: '/taxonomy',
    group: 'catalogue',
    name: 'office.taxonomy',
    icon: 'M4 5h6v6H4zM4 15h6v5H4zM14 7h6M14 9.5h4M14 16h6M14 18.5h4',
    key: 'y',
    needs: 'goods.read',
    adds: { name: 'office.taxon.add.category', needs: 'goods.write' },
    view: lazy(() => import('./taxonomy/taxonomy.tsx')),
    pages: { '/$kind/$id': lazy(() => import('./taxonomy/taxon.tsx')) },
  },
  {
    path: '/menus',
    group: 'catalogue',
    name: 'office.menus',
    icon: 'M4 4.5h9v15H4zM6.5 8h4M6.5 11h4M6.5 14h4M16 4.5v15M16 4.5c2.5 0 4 2 4 5s-1.5 4-4 4',
    key: 'u',
    needs: 'goods.read',
    adds: { name: 'office.group.add', needs: 'goods.write' },
    view: lazy(() => import('./menus/menus.tsx')),
    pages: { '/$group': lazy(() => import('./menus/group.tsx')) },
  },
  {
    path: '/stock',
    group: 'catalogue',
    name: 'office.stock',
    icon: 'M4 4.5h7v7H4zM13 4.5h7v7h-7zM4 13.5h7v6H4zM13 13.5h7v6h-7z',
    key: 'i',
    needs: 'stock.count',
    view: lazy(() => import('./stock/stock.tsx')),
    pages: { '/$sku': lazy(() => import('./stock/ledger.tsx')) },
    badge: lazy(() => import('./stock/places.tsx')),
  },
  {
    path: '/coupons',
    group: 'catalogue',
    key: 'r',
    name: 'office.coupons',
    icon: 'M4 7.5h16v3a1.5 1.5 0 0 0 0 3v3H4v-3a1.5 1.5 0 0 0 0-3zM14 7.5v9',
    needs: 'coupons.write',
    adds: { name: 'office.coupon.add', needs: 'coupons.write' },
    view: lazy(() => import('./coupons/coupons.tsx')),
    pages: { '/$id': lazy(() => import('./coupons/coupon.tsx')) },
  },
  {
    path: '/media',
    group: 'catalogue',
    name: 'office.media',
    icon: 'M3.5 5h17v14h-17zM3.5 16l5-5 4 4 3-3 5 5M15.5 9h.01',
    key: 'e',
    needs: 'media.write',
    view: lazy(() => import('./media/media.tsx')),
  },
  {
    path: '/imports',
    group: 'catalogue',
    name: 'office.imports',
    icon: 'M12 3.5v10M8.5 10l3.5 3.5 3.5-3.5M4.5 15v5h15v-5',
    key: 'v',
    needs: ['goods.import', 'goods.read', 'customers.export', 'shop.export'],
    view: lazy(() => import('./imports/imports.tsx')),
    pages: { '/$import': lazy(() => import('./imports/import.tsx')) },
  },
  {
    path: '/takings',
    group: 'money',
    name: 'office.takings',
    icon: 'M4 20h16M6.5 16.5v-5M12 16.5v-10M17.5 16.5v-7',
    key: 'n',
    needs: 'reports.read',
    view: lazy(() => import('./takings/takings.tsx')),
  },
  {
    path: '/payouts',
    group: 'money',
    name: 'office.payouts',
    icon: 'M4 9.5L12 5l8 4.5zM5.5 10v7M10 10v7M14 10v7M18.5 10v7M4 19.5h16',
    key: 'q',
    needs: 'books.payouts',
    view: lazy(() => import('./payouts/payouts.tsx')),
  },
  {
    path: '/books',
    group: 'money',
    name: 'office.books',
    icon: 'M12 6.5c-2-1.5-5-1.5-8-1v13c3-.5 6-.5 8 1c2-1.5 5-1.5 8-1v-13c-3-.5-6-.5-8 1zM12 6.5v13',
    key: 'f',
    needs: 'books.read',
    view: lazy(() => import('./books/books.tsx')),
    pages: {
      '/returns': lazy(() => import('./books/returns.tsx')),
      '/owed': lazy(() => import('./books/owed.tsx')),
      '/stock': lazy(() => import('./books/stock-value.tsx')),
      '/cash': lazy(() => import('./books/cash.tsx')),
      '/close': lazy(() => import('./books/close.tsx')),
      '/files': lazy(() => import('./books/files.tsx')),
      '/orders/$number': lazy(() => import('./books/order.tsx')),
    },
  },
  {
    path: '/money',
    group: 'money',
    key: 'x',
    name: 'office.money',
    icon: 'M4 6.5h16v11H4zM12 9.5a2.5 2.5 0 1 0 0 5a2.5 2.5 0 1 0 0-5M7 12h.01M17 12h.01',
    needs: 'settings.money',
    view: lazy(() => import('./settings/money.tsx')),
  },
  {
    path: '/pages',
    group: 'shop',
    name: 'office.pages',
    icon: 'M6 3.5h9l3.5 3.5v13.5H6zM14.5 3.5V7.5h4M9 11h6.5M9 14h6.5M9 17h4',
    key: 'g',
    needs: 'content.write',
    adds: { name: 'office.page.add', needs: 'content.write' },
    view: lazy(() => import('./pages/pages.tsx')),
    pages: { '/$page': lazy(() => import('./pages/page.tsx')) },
  },
  {
    path: '/blog',
    group: 'shop',
    name: 'office.blog',
    icon: 'M4.5 19.5l1-4.5L16 4.5l3.5 3.5L9 18.5zM13.5 7l3.5 3.5M13 19.5h6.5',
    key: '3',
    needs: 'content.write',
    adds: { name: 'office.blog.add', needs: 'content.write' },
    view: lazy(() => import('./blog/blog.tsx')),
    pages: {
      '/$post': lazy(() => import('./blog/post.tsx')),
      '/settings/$blog': lazy(() => import('./blog/settings.tsx')),
    },
  },
  {
    path: '/navigation',
    group: 'shop',
    name: 'office.navigation',
    icon: 'M3.5 5h17v4.5h-17zM6 13h5M6 16.5h5M6 20h5M14 13h4.5M14 16.5h4.5',
    // Each letter leads to another room.
    key: '1',
    needs: 'content.write',
    view: lazy(() => import('./navigation/navigation.tsx')),
    pages: { '/$place': lazy(() => import('./navigation/place.tsx')) },
  },
  {
    path: '/look',
    group: 'shop',
    name: 'office.look',
    icon: 'M12 3.5a8.5 8.5 0 1 0 0 17c1.4 0 2-.9 2-1.8 0-1.4-1.2-1.6-1.2-2.8 0-.9.7-1.4 1.7-1.4h2.6c2 0 3.4-1.4 3.4-3.4 0-4.2-3.8-7.6-8.5-7.6zM7.5 12.5v.01M9.5 8.5v.01M14.5 8.5v.01',
    key: '2',
    needs: 'settings.shop',
    view: lazy(() => import('./look/look.tsx')),
  },
  {
    path: '/words',
    group: 'shop',
    name: 'office.words',
    icon: 'M3.5 18.5L8.5 6l5 12.5M5.3 14h6.4M20.5 11.5v7M20.5 15a3 3 0 1 0-6 0a3 3 0 1 0 6 0',
    key: '7',
    needs: 'settings.shop',
    view: lazy(() => import('./words/words.tsx')),
    pages: { '/$email': lazy(() => import('./words/email.tsx')) },
  },
  {
    path: '/languages',
    group: 'shop',
    name: 'office.languages',
    icon: 'M3.5 6h9.5M8.2 3.5V6M11 6c-.6 3.9-3.2 7-7 8.6M5.6 8.6c1 2.3 2.9 4.2 5.4 5.4M12 20.5l4.2-10.5 4.3 10.5M13.6 16.8h5.3',
    key: '8',
    needs: 'content.write',
    inLanguages: true,
    view: lazy(() => import('./languages/languages.tsx')),
  },
  {
    path: '/redirects',
    group: 'shop',
    name: 'office.redirects',
    icon: 'M4 7h9a4 4 0 0 1 0 8H6M9 11.5L5.5 15L9 18.5',
    key: '5',
    needs: 'content.write',
    adds: { name: 'office.redirect.add', needs: 'content.publish' },
    view: lazy(() => import('./redirects/redirects.tsx')),
    pages: { '/$redirect': lazy(() => import('./redirects/redirect.tsx')) },
  },
  {
    path: '/stores',
    group: 'shop',
    key: 'l',
    name: 'office.stores',
    icon: 'M12 3a6.5 6.5 0 0 0-6.5 6.5c0 4.5 6.5 11 6.5 11s6.5-6.5 6.5-11A6.5 6.5 0 0 0 12 3M12 7.5a2.25 2.25 0 1 0 0 4.5a2.25 2.25 0 1 0 0-4.5',
    needs: 'settings.stores',
    adds: { name: 'office.store.add', needs: 'settings.stores', inAllStores: true },
    view: lazy(() => import('./stores/stores.tsx')),
    pages: {
      '/$store': lazy(() => import('./stores/store.tsx')),
      '/$store/cards': lazy(() => import('./stores/table-cards.tsx')),
    },
  },
  {
    path: '/shop',
    group: 'shop',
    key: 'h',
    name: 'office.shop',
    icon: 'globe',
    needs: 'settings.shop',
    view: lazy(() => import('./settings/shop.tsx')),
  },
  {
    path: '/settings',
    group: 'shop',
    key: '4',
    name: 'office.settings',
    icon: 'M4 7h9M17 7h3M4 17h3M11 17h9M13 4.5v5M7 14.5v5',
    needs: 'settings.shop',
    view: lazy(() => import('./settings/more.tsx')),
  },
  {
    path: '/connections',
    group: 'shop',
    key: 'z',
    name: 'office.connections',
    icon: 'M8 4v5M16 4v5M5.5 9h13v3a6.5 6.5 0 0 1-13 0zM12 18.5V21',
    needs: 'connections.manage',
    view: lazy(() => import('./connections/connections.tsx')),
  },
  {
    path: '/webhooks',
    group: 'shop',
    key: '6',
    name: 'office.webhooks',
    icon: 'M9 8.5a3.5 3.5 0 1 1 5.5 2.9L17 16M9 14.5a3.5 3.5 0 1 0 1.5 4.5H16M12 9L8.5 15.5',
    needs: 'connections.manage',
    adds: { name: 'office.webhook.add', needs: 'connections.manage' },
    view: lazy(() => import('./webhooks/webhooks.tsx')),
    pages: { '/$id': lazy(() => import('./webhooks/webhook.tsx')) },
  },
  {
    path: '/agents',
    group: 'shop',
    name: 'office.agents',
    icon: 'M5 8.5h14v10H5zM12 8.5V5M9 13h.01M15 13h.01M9.5 16h5',
    key: 'b',
    needs: 'agents.manage',
    view: lazy(() => import('./agents/agents.tsx')),
  },
  {
    path: '/journal',
    group: 'shop',
    name: 'office.journal',
    icon: 'M6 4h9l3 3v13H6zM9 10h6M9 13.5h6M9 17h4',
    key: 'j',
    needs: 'journal.read',
    view: lazy(() => import('./journal/journal.tsx')),
  },
  {
    path: '/setup',
    group: 'shop',
    key: 'w',
    name: 'office.setup',
    icon: 'M5 6.5l1.5 1.5L9.5 5M5 12.5l1.5 1.5 3-3M5 18.5l1.5 1.5 3-3M12.5 7H20M12.5 13H20M12.5 19H20',
    needs: 'goods.write',
    view: lazy(() => import('./setup/setup.tsx')),
  },
  {
    path: '/staff',
    group: 'person',
    name: 'office.staff',
    icon: 'user',
    key: 's',
    needs: ['staff.manage', 'stations.manage'],
    view: lazy(() => import('./staff/staff.tsx')),
  },
  {
    path: '/keys',
    group: 'person',
    name: 'office.keys',
    icon: 'M8 8a4 4 0 1 0 0 8a4 4 0 1 0 0-8M12 12h8.5v3.5M16.5 12v3',
    key: '9',
    needs: 'keys.manage',
    view: lazy(() => import('./keys/keys.tsx')),
  },
  {
    path: '/account',
    group: 'person',
    name: 'office.account',
    icon: 'M7 11V8a5 5 0 0 1 10 0v3M5.5 11h13v9h-13zM12 14.5v2.5',
    key: 'a',
    needs: null,
    view: lazy(() => import('./account/account.tsx')),
  },
];

/** Loads what an address below `/office` shows, while the office still finds out who is there. */
export function loadViewOf(address: string): void {
  const room = rooms.find((each) => isOf(each, address));
  for (const view of room?.path === address ? [room.view] : Object.values(room?.pages ?? {}))
    view.load().catch(() => undefined);
}
