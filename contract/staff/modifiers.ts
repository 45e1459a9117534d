import Type, { type Static } from 'typebox';
import {
  Count,
  described,
  Flag,
  Id,
  LocalText as LocalTextSchema,
  NamedRef,
  Strict,
} from '../schemas/common.ts';
import type { ModifierGroupInput } from '../schemas/modifier-input.ts';
import { ModifierGroup } from '../schemas/modifiers.ts';
import { documentCalls, ofDocument } from './documents.ts';
import { documentOf, Patch, type StaffEndpoint } from './endpoint.ts';
import { SettingsDocument } from './settings.ts';

export const GroupList = Type.Object({
  groups: Type.Array(
    Type.Object({
      id: Id,
      name: LocalTextSchema,
      setParts: Flag,
      modifiers: described('The names of its choices.', Type.Array(LocalTextSchema)),
      choices: described(
        'Of which a product may leave out some, or choose others beforehand.',
        Type.Array(
          Type.Object({
            ...NamedRef.properties,
            default: described('How many are chosen beforehand.', Count),
          }),
        ),
      ),
      min: Count,
      max: Count,
      products: described('That ask for it, also through another group.', Count),
    }),
  ),
});
export type GroupList = Static<typeof GroupList>;

export const GroupAnswer = Type.Object({
  ...documentOf(Type.Unsafe<ModifierGroupInput>(Type.Unknown())).properties,
  currency: Type.String(),
  others: described('Which its choices can open.', Type.Array(NamedRef)),
  products: described('That ask for it themselves; at most 50.', Type.Array(NamedRef)),
  options: described(
    'Options of these products, by which prices can differ.',
    Type.Array(Type.Object({ name: LocalTextSchema, values: Type.Array(LocalTextSchema) })),
  ),
});

const MenuAnswer = Type.Object({
  ...SettingsDocument.properties,
  categories: Type.Array(NamedRef),
  groups: Type.Array(NamedRef),
  stores: Type.Array(NamedRef),
  products: described('Those that are on a menu by themselves.', Type.Array(NamedRef)),
});

export const MenuTrial = Type.Object({
  times: described('As shoppers read it; empty for always.', Type.String()),
  stores: described(
    'Those that would serve it, and whether it is served now.',
    Type.Array(Type.Object({ name: LocalTextSchema, now: Flag })),
  ),
  inCategories: described('How many products are in its categories.', Count),
});
export type MenuTrial = Static<typeof MenuTrial>;

export const modifierEndpoints = {
  ...documentCalls('modifierGroup', 'modifierGroups', {
    route: 'modifier-groups',
    called: 'a modifier group',
    answer: GroupAnswer,
    list: GroupList,
    needs: ['goods.read', 'goods.write'],
    add: Strict({ id: Id, name: LocalTextSchema }),
    begins: 'with one choice, for which no product asks yet',
  }),
  tryModifierGroup: {
    route: 'POST modifier-groups/:id/try',
    reads: true,
    summary: 'The group as shoppers would get it after an edit, with those that it opens. Changes nothing.',
    needs: 'goods.read',
    params: ofDocument,
    body: Strict({ edits: Patch.properties.edits }),
    response: Type.Object({ groups: Type.Array(ModifierGroup) }),
  },
  menus: {
    route: 'GET menus',
    summary: 'The menus with their hours, to be edited.',
    needs: 'goods.read',
    response: MenuAnswer,
  },
  saveMenus: {
    route: 'POST menus',
    repeat: 'seen',
    summary: 'Changes menus. A field that somebody else has changed since the revision is a conflict.',
    needs: 'goods.write',
    body: Patch,
    response: MenuAnswer,
  },
  tryMenus: {
    route: 'POST menus/:menu/try',
    reads: true,
    summary: 'When a menu would be served after an edit, and how many products are on it. Changes nothing.',
    needs: 'goods.read',
    params: Strict({ menu: Id }),
    body: Strict({ edits: Patch.properties.edits }),
    response: MenuTrial,
  },
} as const satisfies Record<string, StaffEndpoint>;
