import Type from 'typebox';
import { weekdays } from '#contract/limits.ts';
import { described, Id, LocalName, Nullable } from '#contract/schemas/common.ts';

export const MenuSetting = Type.Object({
  id: described('Identifies the menu.', Id),
  name: described('The name that customers see, such as Breakfast.', LocalName, {
    label: 'office.goods.name',
  }),
  stores: described('The ids of the stores that serve it so; empty for all.', Type.Array(Id)),
  days: described(
    'The days on which it is served; empty for every day.',
    Type.Array(Type.Enum([...weekdays])),
  ),
  from: described(
    'When it is first served, by the clock of the store: `08:00`.',
    Type.String({
      pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$',
      problem: 'problem.opening',
    }),
  ),
  until: described(
    'When it is no longer served: `11:00`. `24:00` is the end of the day; a time at or before `from` is on the next day.',
    Type.String({
      pattern: '^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$',
      problem: 'problem.closing',
    }),
  ),
  categories: described(
    'The ids of categories whose products, with those of categories below, are on it.',
    Type.Array(Id),
  ),
  products: described('The ids of further products on it.', Type.Array(Id)),
  modifierGroups: Type.Optional(
    described(
      'The ids of modifier groups, such as breakfast extras: their choices can be ordered only while the menu is served.',
      Type.Array(Id),
    ),
  ),
  limit: described(
    'How much of it can be picked up at one time, by store; null for no limit.',
    Nullable(
      Type.Object({
        of: described(
          'What is counted: `units` of its products, or `orders` with one.',
          Type.Enum(['units', 'orders']),
        ),
        most: described('At most that many.', Type.Integer({ minimum: 1, maximum: 10_000 })),
        minutes: described(
          'For the pickup times of so many minutes: 5, 10, 15, 20, 30 or 60.',
          Type.Enum([5, 10, 15, 20, 30, 60]),
        ),
      }),
    ),
  ),
});
