/** What staff may do. Each call of the office names one permission; a role is a set of them. */

export const permissions = [
  'orders.read',
  'orders.move',
  'orders.note',
  'orders.refund',
  'orders.share',
  'desk.pause',
  'stock.soldOut',
  'stock.count',
  'stock.adjust',
  'customers.read',
  'customers.note',
  'customers.export',
  'customers.erase',
  'messages.read',
  'messages.answer',
  'reports.read',
  'journal.read',
  'agents.manage',
  'goods.read',
  'goods.write',
  'media.write',
  'media.delete',
  'goods.import',
  'coupons.write',
  'settings.stores',
  'settings.shop',
  'settings.money',
  'shop.export',
  'stations.manage',
  'staff.manage',
] as const;
export type Permission = (typeof permissions)[number];

const ofTheDesk = [
  'orders.read',
  'orders.move',
  'orders.note',
  'desk.pause',
  'stock.soldOut',
  'stock.count',
] as const satisfies readonly Permission[];

/** What managers may not. */
const ofOwners: ReadonlySet<Permission> = new Set(['staff.manage', 'customers.erase', 'shop.export']);

export const roles = {
  owner: permissions,
  manager: permissions.filter((permission) => !ofOwners.has(permission)),
  assistant: ofTheDesk,
  packer: ['orders.read', 'orders.move', 'orders.note'],
  writer: ['goods.read', 'media.write'],
  bookkeeper: ['orders.read', 'reports.read', 'journal.read'],
} as const satisfies Record<string, readonly Permission[]>;
export type Role = keyof typeof roles;
export const roleNames = Object.keys(roles) as Role[];

/** Of a device that is signed in as the counter of a store. */
export const stationPermissions: readonly Permission[] = ofTheDesk;

/** Permissions that only count with a second factor. */
export const guardedPermissions: ReadonlySet<Permission> = new Set([
  'orders.refund',
  'customers.export',
  'customers.erase',
  'coupons.write',
  'settings.stores',
  'agents.manage',
  'settings.shop',
  'settings.money',
  'shop.export',
  'stations.manage',
  'staff.manage',
]);

/** How long a password with its second factor counts for the calls that ask for it again, ms. */
export const freshMs = 15 * 60_000;
