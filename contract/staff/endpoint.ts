/** The form of a call of the office, and how documents that several people edit are saved. */
import Type, { type Static, type TSchema } from 'typebox';
import type { EndpointForm, Repeat } from '../endpoint.ts';
import { Count, described, LangQuery, Strict } from '../schemas/common.ts';
import type { Permission } from './permissions.ts';

/**
 * `needs` is the permission that a caller must have; 'nobody': the call is for whoever is not signed in; 'anybody': for everybody who
 * is, at a station only with `station`. With `fresh`, the caller must have shown password and second factor within `freshMs`. What
 * changes something needs a person at a station, unless the call is for stations only. A POST changes something unless it only `reads`.
 * A key of a program makes each call for whose permission it was made, unless `keys` is 'never', and of those for everybody the ones
 * with 'too'; it was made with password and second factor, and needs neither for a call with `fresh`.
 * Without `query`, a call takes the language alone.
 */
export type StaffEndpoint = Omit<EndpointForm, 'query'> & {
  needs: Permission | 'nobody' | 'anybody';
  /** Permissions that the call asks for as well, by what it is about. */
  also?: readonly Permission[];
  fresh?: boolean;
  query?: TSchema;
  station?: 'only' | 'too';
  keys?: 'too' | 'never';
  /** No tool of agents: it takes or gives a file, or reaches other systems before anything is written. */
  tool?: false;
} & (
    | { route: `GET ${string}`; reads?: undefined; repeat?: undefined }
    | { route: `POST ${string}`; reads: true; repeat?: undefined }
    | { route: `POST ${string}`; reads?: undefined; repeat: Repeat }
  );

export const lang = Strict(LangQuery);
export const Done = Type.Object({ done: Type.Literal(true) });
export const changesOf = ({ route, reads }: StaffEndpoint) =>
  route.startsWith('POST ') && reads === undefined;

const Edit = Strict({
  path: described(
    'Fields from the outside in; entries of a list by their id, or what names them: `["openingHours", "monday"]`.',
    Type.Array(Type.String({ maxLength: 200 }), { minItems: 1, maxItems: 10 }),
  ),
  to: Type.Optional(described('The new value; left out to remove the field or entry.', Type.Unknown())),
});

export const Patch = Strict({
  revision: described('The revision of the document that was edited.', Count),
  edits: described('In their order.', Type.Array(Edit, { maxItems: 5000 })),
});
export type Patch = Static<typeof Patch>;

export const documentOf = <T extends TSchema>(content: T) =>
  Type.Object({ revision: described('Grows with each change.', Count), content });
