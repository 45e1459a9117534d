/** The calls of the room Stores. */
import Type, { type Static } from 'typebox';
import { described } from '../schemas/annotate.ts';
import { Cents, EpochMs, Flag, Id, LocalText, Nullable, Strict } from '../schemas/common.ts';
import { StoreInput } from '../schemas/store.ts';
import { documentOf, Patch } from './documents.ts';
import type { StaffEndpoint } from './endpoint.ts';

const store = Strict({ store: Id });

export const StoreList = Type.Object({
  stores: Type.Array(
    Type.Object({
      id: Id,
      nameContent: LocalText,
      address: Type.String(),
      status: described('Whether it is open now, and until when.', Type.String()),
      display: Flag,
      allowPickup: Flag,
    }),
  ),
});

const StoreDocument = documentOf(StoreInput);

export const StoreTrial = Type.Object({
  currency: Type.String(),
  status: described('Whether it would be open now, and until when.', Type.String()),
  pickupTimes: described('The first times that the next shopper could choose.', Type.Array(EpochMs)),
  delivery: described(
    'By the zone that has the postal code; null if none has it.',
    Nullable(
      Type.Object({ name: LocalText, feeCents: Cents, missingCents: described('To the minimum; 0: none.', Cents), at: EpochMs }),
    ),
  ),
});
export type StoreTrial = Static<typeof StoreTrial>;

export const storeEndpoints = {
  stores: { route: 'GET stores', summary: 'The stores, hidden ones too.', needs: 'settings.stores', response: StoreList },
  addStore: {
    route: 'POST stores',
    summary: 'Adds a store that customers do not see yet, with the place and the hours of the first one.',
    needs: 'settings.stores',
    body: Strict({ id: Id, name: LocalText }),
    response: StoreDocument,
  },
  store: {
    route: 'GET stores/:store',
    summary: 'A store, to be edited.',
    needs: 'settings.stores',
    params: store,
    response: StoreDocument,
  },
  saveStore: {
    route: 'POST stores/:store',
    summary: 'Changes fields of a store. A field that somebody else has changed since the revision is a conflict.',
    needs: 'settings.stores',
    params: store,
    body: Patch,
    response: StoreDocument,
  },
  tryStore: {
    route: 'POST stores/:store/try',
    reads: true,
    summary: 'What a sample order would be offered after an edit. Changes nothing.',
    needs: 'settings.stores',
    params: store,
    body: Strict({ edits: Patch.properties.edits, postCode: Type.String({ maxLength: 20 }), itemsCents: Cents }),
    response: StoreTrial,
  },
} as const satisfies Record<string, StaffEndpoint>;
