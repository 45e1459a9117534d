/** What staff may do. Each call of the office names one permission; a role is a set of them. */

export const permissions = ['orders.read', 'orders.move', 'journal.read', 'staff.manage'] as const;
export type Permission = (typeof permissions)[number];

/** The roles that a shop has. */
export const roles = {
  owner: permissions,
  manager: ['orders.read', 'orders.move', 'journal.read'],
  assistant: ['orders.read', 'orders.move'],
  packer: ['orders.read', 'orders.move'],
  writer: [],
  bookkeeper: ['orders.read', 'journal.read'],
} as const satisfies Record<string, readonly Permission[]>;
export type Role = keyof typeof roles;
export const roleNames = Object.keys(roles) as Role[];

/** Permissions that only count with a second factor. */
export const guardedPermissions: ReadonlySet<Permission> = new Set(['staff.manage']);

/** How long a password with its second factor counts for the calls that ask for it again, ms. */
export const freshMs = 15 * 60_000;
