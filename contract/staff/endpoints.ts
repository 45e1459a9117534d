/** The calls of the office, below `staffBase`: those of each room lie in a file of its own. */
import type { Static, TSchema } from 'typebox';
import { accountEndpoints } from './accounts.ts';
import { agentEndpoints } from './agents.ts';
import { couponEndpoints } from './coupons.ts';
import { customerEndpoints } from './customers.ts';
import { deskEndpoints } from './desk.ts';
import type { StaffEndpoint } from './endpoint.ts';
import { goodsEndpoints } from './goods.ts';
import { exportEndpoints, importEndpoints } from './imports.ts';
import { mediaEndpoints } from './media.ts';
import { modifierEndpoints } from './modifiers.ts';
import { orderChangeEndpoints } from './order-changes.ts';
import { orderEndpoints } from './orders.ts';
import type { Permission } from './permissions.ts';
import { settingsEndpoints, setupEndpoints } from './settings.ts';
import { stockEndpoints } from './stock.ts';
import { openingEndpoints, storeEndpoints } from './stores.ts';
import { takingsEndpoints } from './takings.ts';
import { taxonomyEndpoints } from './taxonomy.ts';

export const staffEndpoints = {
  ...accountEndpoints,
  ...orderEndpoints,
  ...orderChangeEndpoints,
  ...openingEndpoints,
  ...setupEndpoints,
  ...stockEndpoints,
  ...customerEndpoints,
  ...takingsEndpoints,
  ...deskEndpoints,
  ...agentEndpoints,
  ...storeEndpoints,
  ...couponEndpoints,
  ...goodsEndpoints,
  ...settingsEndpoints,
  ...taxonomyEndpoints,
  ...modifierEndpoints,
  ...mediaEndpoints,
  ...importEndpoints,
  ...exportEndpoints,
} as const satisfies Record<string, StaffEndpoint>;

export type StaffEndpoints = typeof staffEndpoints;
export type StaffEndpointName = keyof StaffEndpoints;
type Part<E, K extends string> = E extends Record<K, infer S extends TSchema> ? Static<S> : undefined;
export type StaffParams<N extends StaffEndpointName> = Part<StaffEndpoints[N], 'params'>;
export type StaffQuery<N extends StaffEndpointName> = Part<StaffEndpoints[N], 'query'>;
export type StaffBody<N extends StaffEndpointName> = Part<StaffEndpoints[N], 'body'>;
export type StaffResponse<N extends StaffEndpointName> = Part<StaffEndpoints[N], 'response'>;
export type NeededBy<N extends StaffEndpointName> = Extract<StaffEndpoints[N]['needs'], Permission>;
