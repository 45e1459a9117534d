import Type, { type TProperties, type TSchema } from 'typebox';
import { described, Nullable } from '#contract/schemas/common.ts';
import { PickupLocation } from '#contract/schemas/shop.ts';
import { type BlockForm, blockId, defineBlock, shownForm, storedForm } from '../define-block.ts';

const schema = <T extends TSchema, I extends TSchema, P extends TProperties>(
  { text }: BlockForm<T, I>,
  loaded: P,
) =>
  Type.Object({
    ...blockId,
    type: Type.Literal('openingHours'),
    title: described('The heading of the block; null for none.', Nullable(text), {
      label: 'office.block.title',
    }),
    store: described('The id of the store; empty for all of them.', Type.String(), {
      label: 'office.block.store',
      control: 'own',
    }),
    ...loaded,
  });

const StoreWeek = Type.Pick(PickupLocation, [
  'localStoreName',
  'nameContent',
  'timeZone',
  'openingHours',
  'specialHours',
]);

export const openingHours = defineBlock({
  stored: schema(storedForm, {}),
  shown: schema(shownForm, { stores: Type.Array(StoreWeek) }),
  load: (_blocks, sources) => sources.locations(),
  present: (block, page, loaded) => ({
    ...block,
    title: page.optionalText(block.title),
    stores: loaded
      .filter(({ localStoreName }) => block.store === '' || localStoreName === block.store)
      .map(({ localStoreName, nameContent, timeZone, openingHours, specialHours }) => ({
        localStoreName,
        nameContent,
        timeZone,
        openingHours,
        specialHours,
      })),
  }),
});
