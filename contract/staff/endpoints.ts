/** The calls of the office, below `staffBase`: those of each room lie in a file of its own. */
import type { Carried } from '../endpoint.ts';
import { accountEndpoints } from './accounts.ts';
import { agentEndpoints } from './agents.ts';
import { bookOrderEndpoints } from './book-order.ts';
import { booksEndpoints } from './books.ts';
import { cashEndpoints } from './cash.ts';
import { closingEndpoints } from './closing.ts';
import { connectionEndpoints } from './connections.ts';
import { couponEndpoints } from './coupons.ts';
import { customerEndpoints } from './customers.ts';
import { deskEndpoints } from './desk.ts';
import { emailEndpoints } from './emails.ts';
import type { StaffEndpoint } from './endpoint.ts';
import { goodsEndpoints } from './goods.ts';
import { handoverEndpoints } from './handover.ts';
import { exportEndpoints, importEndpoints } from './imports.ts';
import { keyEndpoints } from './keys.ts';
import { languageEndpoints } from './languages.ts';
import { lookEndpoints } from './look.ts';
import { mediaEndpoints } from './media.ts';
import { modifierEndpoints } from './modifiers.ts';
import { moreSettingsEndpoints } from './more-settings.ts';
import { navigationEndpoints } from './navigation.ts';
import { orderChangeEndpoints } from './order-changes.ts';
import { orderEndpoints } from './orders.ts';
import { pageEndpoints } from './pages.ts';
import type { Permission } from './permissions.ts';
import { postEndpoints } from './posts.ts';
import { redirectEndpoints } from './redirects.ts';
import { settingsEndpoints, setupEndpoints } from './settings.ts';
import { settlementEndpoints } from './settlements.ts';
import { stockEndpoints } from './stock.ts';
import { stockValueEndpoints } from './stock-value.ts';
import { openingEndpoints, storeEndpoints } from './stores.ts';
import { takingsEndpoints } from './takings.ts';
import { taxonomyEndpoints } from './taxonomy.ts';
import { webhookEndpoints } from './webhooks.ts';

export const staffEndpoints = {
  ...accountEndpoints,
  ...keyEndpoints,
  ...orderEndpoints,
  ...orderChangeEndpoints,
  ...openingEndpoints,
  ...setupEndpoints,
  ...stockEndpoints,
  ...stockValueEndpoints,
  ...customerEndpoints,
  ...takingsEndpoints,
  ...settlementEndpoints,
  ...booksEndpoints,
  ...bookOrderEndpoints,
  ...closingEndpoints,
  ...cashEndpoints,
  ...handoverEndpoints,
  ...deskEndpoints,
  ...agentEndpoints,
  ...storeEndpoints,
  ...couponEndpoints,
  ...goodsEndpoints,
  ...settingsEndpoints,
  ...taxonomyEndpoints,
  ...modifierEndpoints,
  ...mediaEndpoints,
  ...pageEndpoints,
  ...postEndpoints,
  ...emailEndpoints,
  ...navigationEndpoints,
  ...redirectEndpoints,
  ...webhookEndpoints,
  ...moreSettingsEndpoints,
  ...lookEndpoints,
  ...languageEndpoints,
  ...importEndpoints,
  ...exportEndpoints,
  ...connectionEndpoints,
} as const satisfies Record<string, StaffEndpoint>;

export type StaffEndpoints = typeof staffEndpoints;
export type StaffEndpointName = keyof StaffEndpoints;
interface StaffCalls extends Carried<StaffEndpoints> {}
export type StaffParams<N extends StaffEndpointName> = StaffCalls[N]['params'];
export type StaffQuery<N extends StaffEndpointName> = StaffCalls[N]['query'];
export type StaffBody<N extends StaffEndpointName> = StaffCalls[N]['body'];
export type StaffResponse<N extends StaffEndpointName> = StaffCalls[N]['response'];
export type NeededBy<N extends StaffEndpointName> = Extract<StaffEndpoints[N]['needs'], Permission>;
