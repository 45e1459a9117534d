/** How documents that several people edit are saved. */
import Type, { type Static, type TSchema } from 'typebox';
import { described } from '../schemas/annotate.ts';
import { Count, Strict } from '../schemas/common.ts';

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
