/** The shop's own roles: sets of permissions beside those that every shop has. */
import Type, { type Static } from 'typebox';
import { described } from '../schemas/annotate.ts';
import { Id, Strict } from '../schemas/common.ts';
import type { StaffEndpoint } from './endpoint.ts';
import { permissions } from './permissions.ts';

const Permissions = Type.Array(Type.Enum(permissions), { maxItems: permissions.length, uniqueItems: true });

const OwnRole = Type.Object({
  id: Id,
  name: Type.String(),
  permissions: Permissions,
  people: described('How many have it, or are invited to it.', Type.Integer({ minimum: 0 })),
});
export type OwnRole = Static<typeof OwnRole>;
const OwnRoles = Type.Object({ roles: Type.Array(OwnRole) });

export const RoleInput = Strict({ name: Type.String({ maxLength: 60 }), permissions: Permissions });

export const roleEndpoints = {
  roles: { route: 'GET roles', summary: "The shop's own roles.", needs: 'staff.manage', response: OwnRoles },
  addRole: {
    route: 'POST roles',
    summary: 'Adds a role, with permissions that the caller has.',
    needs: 'staff.manage',
    fresh: true,
    body: RoleInput,
    response: OwnRoles,
  },
  changeRole: {
    route: 'POST roles/:id',
    summary: 'Changes a role for everybody who has it.',
    needs: 'staff.manage',
    fresh: true,
    params: Strict({ id: Id }),
    body: RoleInput,
    response: OwnRoles,
  },
  removeRole: {
    route: 'POST roles/:id/remove',
    summary: 'Removes a role that nobody has.',
    needs: 'staff.manage',
    fresh: true,
    params: Strict({ id: Id }),
    response: OwnRoles,
  },
} as const satisfies Record<string, StaffEndpoint>;
