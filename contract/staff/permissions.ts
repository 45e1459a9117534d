/** What staff may do: one table, from which all else about permissions follows. Each call of the office names one permission. */

/** That every shop has; a shop may have own ones. */
export type Role = 'owner' | 'manager' | 'assistant' | 'packer' | 'writer' | 'bookkeeper';

interface PermissionFacts {
  /**
   * What is of a store is limited to the stores that somebody works in. What is of the whole shop, such as the journal, whose entries
   * name no store, nobody has who is limited to some.
   */
  of: 'store' | 'shop';
  /** Besides owners, who have all. */
  roles: readonly Exclude<Role, 'owner'>[];
  /** Only counts with one. */
  secondFactor?: true;
  /** What it lets somebody change has texts in several languages. */
  texts?: true;
  /** Of a device that is signed in as the counter of a store, too. */
  station?: true;
  /** Only a person has it, never a key: by it somebody lets others in, erases people, or reads and sets secrets. */
  person?: true;
}

const table = {
  'orders.read': { of: 'store', roles: ['manager', 'assistant', 'packer'], station: true },
  'orders.move': { of: 'store', roles: ['manager', 'assistant', 'packer'], station: true },
  'orders.note': { of: 'store', roles: ['manager', 'assistant', 'packer'], station: true },
  'orders.refund': { of: 'store', roles: ['manager'], secondFactor: true },
  'orders.share': { of: 'store', roles: ['manager'] },
  'desk.pause': { of: 'store', roles: ['manager', 'assistant'], station: true },
  'stock.soldOut': { of: 'store', roles: ['manager', 'assistant'], station: true },
  'stock.count': { of: 'store', roles: ['manager', 'assistant'], station: true },
  'stock.adjust': { of: 'store', roles: ['manager'] },
  'customers.read': { of: 'store', roles: ['manager'] },
  'customers.note': { of: 'store', roles: ['manager'] },
  'customers.export': { of: 'shop', roles: ['manager'], secondFactor: true },
  'customers.import': { of: 'shop', roles: ['manager'], secondFactor: true },
  'customers.erase': { of: 'shop', roles: [], secondFactor: true, person: true },
  'messages.read': { of: 'shop', roles: ['manager'] },
  'messages.answer': { of: 'shop', roles: ['manager'] },
  'reports.read': { of: 'store', roles: ['manager', 'bookkeeper'] },
  'books.read': { of: 'store', roles: ['manager', 'bookkeeper'] },
  'books.payouts': { of: 'shop', roles: ['manager', 'bookkeeper'] },
  'books.export': { of: 'store', roles: ['manager', 'bookkeeper'], secondFactor: true },
  'books.cash': { of: 'store', roles: ['manager', 'bookkeeper'] },
  'books.close': { of: 'shop', roles: ['bookkeeper'], secondFactor: true },
  'books.reopen': { of: 'shop', roles: [], secondFactor: true },
  'journal.read': { of: 'shop', roles: ['manager', 'bookkeeper'] },
  'agents.manage': { of: 'shop', roles: ['manager'], secondFactor: true },
  'goods.read': { of: 'shop', roles: ['manager', 'writer'] },
  'goods.write': { of: 'shop', roles: ['manager'], texts: true },
  'content.write': { of: 'shop', roles: ['manager', 'writer'], texts: true },
  'content.publish': { of: 'shop', roles: ['manager'] },
  'media.write': { of: 'shop', roles: ['manager', 'writer'] },
  'media.delete': { of: 'shop', roles: ['manager'] },
  'goods.import': { of: 'shop', roles: ['manager'] },
  'coupons.write': { of: 'shop', roles: ['manager'], secondFactor: true, texts: true },
  'settings.stores': { of: 'store', roles: ['manager'], secondFactor: true, texts: true },
  'settings.shop': { of: 'shop', roles: ['manager'], secondFactor: true, texts: true },
  'settings.money': { of: 'shop', roles: ['manager'], secondFactor: true, texts: true },
  'connections.manage': { of: 'shop', roles: [], secondFactor: true, person: true },
  'shop.export': { of: 'shop', roles: [], secondFactor: true },
  'stations.manage': { of: 'store', roles: ['manager'], secondFactor: true, person: true },
  'keys.manage': { of: 'store', roles: ['manager'], secondFactor: true, person: true },
  'staff.manage': { of: 'store', roles: [], secondFactor: true, person: true },
} as const satisfies Record<string, PermissionFacts>;

export type Permission = keyof typeof table;
export const permissionFacts: Readonly<Record<Permission, PermissionFacts>> = table;
export const permissions = Object.keys(table) as [Permission, ...Permission[]];

const having = (test: (facts: PermissionFacts) => boolean) =>
  permissions.filter((each) => test(permissionFacts[each]));
const ofRole = (role: Role) => having(({ roles }) => role === 'owner' || roles.includes(role));

export const roles: Readonly<Record<Role, readonly Permission[]>> = {
  owner: ofRole('owner'),
  manager: ofRole('manager'),
  assistant: ofRole('assistant'),
  packer: ofRole('packer'),
  writer: ofRole('writer'),
  bookkeeper: ofRole('bookkeeper'),
};
export const roleNames = Object.keys(roles) as Role[];
export const stationPermissions: readonly Permission[] = having(({ station }) => station === true);
/** Permissions that only count with a second factor. */
export const guardedPermissions: ReadonlySet<Permission> = new Set(
  having(({ secondFactor }) => secondFactor === true),
);
/** Permissions that a key may have. */
export const keyPermissions: readonly Permission[] = having(({ person }) => person !== true);
/** Permissions to change what is translated in the room Languages. */
export const textPermissions: readonly Permission[] = having(({ texts }) => texts === true);
/** Permissions that nobody has who is limited to some stores. */
export const shopPermissions: ReadonlySet<Permission> = new Set(having(({ of }) => of === 'shop'));

/** How long a password with its second factor counts for the calls that ask for it again, ms. */
export const freshMs = 15 * 60_000;
