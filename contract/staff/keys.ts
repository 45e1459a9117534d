/** The calls about keys: by one, a program makes calls of the office in place of a person. */
import Type, { type Static } from 'typebox';
import { described, EpochMs, Id, Nullable, Strict } from '../schemas/common.ts';
import type { StaffEndpoint } from './endpoint.ts';
import { keyPermissions } from './permissions.ts';
import { Stores } from './schemas.ts';

/** How a key begins, so that programs that look for secrets in files know one. */
export const keyPrefix = 'swk_';
/** The longest that a key may live, days. */
export const longestKeyDays = 366;

const Given = (least: number) =>
  Type.Array(Type.Enum(keyPermissions), {
    minItems: least,
    maxItems: keyPermissions.length,
    uniqueItems: true,
  });

const Key = Type.Object({
  id: Id,
  name: Type.String(),
  person: described('Whose rights bound it.', Type.Object({ id: Id, name: Type.String() })),
  permissions: described('For which it was made.', Given(0)),
  may: described('Those that it has now: its person may have lost some. Empty: it opens nothing.', Given(0)),
  stores: Stores,
  createdAt: EpochMs,
  expiresAt: EpochMs,
  lastUsedAt: described('To ten minutes; null before its first call.', Nullable(EpochMs)),
});
export type Key = Static<typeof Key>;
const keys = Type.Array(Key);

const manages = { needs: 'keys.manage', also: ['staff.manage'] } as const;

export const keyEndpoints = {
  keys: {
    route: 'GET keys',
    summary: 'The own keys, and those of others for whoever manages staff.',
    ...manages,
    response: Type.Object({ keys }),
  },
  addKey: {
    route: 'POST keys',
    repeat: 'key',
    summary: 'Makes a key for a program, which has at most the rights of the caller, and dies with them.',
    ...manages,
    fresh: true,
    body: Strict({
      name: described('Of the program, as the journal will say it.', Type.String({ maxLength: 60 })),
      permissions: Given(1),
      stores: Stores,
      days: described('After how many days it ends.', Type.Integer({ minimum: 1, maximum: longestKeyDays })),
    }),
    response: Type.Object({
      key: described(
        'For the header `Authorization: Bearer …`. It is shown only now; null for a request that arrived again.',
        Nullable(Type.String()),
      ),
      keys,
    }),
  },
  endKey: {
    route: 'POST keys/:id/end',
    repeat: 'used',
    summary: 'Ends a key: it opens nothing any more.',
    ...manages,
    params: Strict({ id: Id }),
    response: Type.Object({ keys }),
  },
} as const satisfies Record<string, StaffEndpoint>;
