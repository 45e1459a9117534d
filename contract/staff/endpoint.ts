/** The form of a call of the office. */
import Type, { type TSchema } from 'typebox';
import type { Endpoint } from '../endpoint.ts';
import { LangQuery, Strict } from '../schemas/common.ts';
import type { Permission } from './permissions.ts';

/**
 * `needs` is the permission that a caller must have; 'nobody': the call is for whoever is not signed in; 'anybody': for everybody who
 * is, at a station only with `station`. With `fresh`, the caller must have shown password and second factor within `freshMs`. What
 * changes something needs a person at a station, unless the call is for stations only. A POST changes something unless it only `reads`.
 * Without `query`, a call takes the language alone.
 */
export interface StaffEndpoint extends Omit<Endpoint, 'audience' | 'changes' | 'query'> {
  needs: Permission | 'nobody' | 'anybody';
  fresh?: boolean;
  reads?: true;
  query?: TSchema;
  station?: 'only' | 'too';
}

export const lang = Strict(LangQuery);
export const Done = Type.Object({ done: Type.Literal(true) });
export const changesOf = ({ route, reads }: StaffEndpoint) => route.startsWith('POST ') && reads === undefined;
