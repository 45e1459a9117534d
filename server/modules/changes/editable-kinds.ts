/** What a module lets others edit without knowing what it is: documents, products and settings. */
import type { TSchema } from 'typebox';
import type { Kind, StaffMessageKey } from '#contract/staff/messages.ts';
import type { Permission } from '#contract/staff/permissions.ts';
import type { Reader } from '#db/database.ts';
import type { OpenSchema } from '#server/platform/local-texts.ts';
import type { Change } from './changes.service.ts';
import type { Rest } from './documents.ts';

export interface Editable {
  id: string;
}

export interface EditableKind {
  /** As the journal names them. */
  kind: Kind;
  schema: TSchema;
  schemaOf?: OpenSchema;
  /** Of those that have no name of their own. */
  title?: StaffMessageKey;
  /** To save one. */
  needs: Permission;
  /** All of them as they are written: drafts, where there are any. In pieces, so that others have their turn. */
  pieces(reader: Reader): AsyncIterable<readonly Editable[]>;
  /** Those that are there, in no particular order. */
  read(reader: Reader, ids: readonly string[]): Promise<readonly Editable[]>;
  /** Saves what `make` makes of it, as its own room does. @throws {AppError} 404; {InputError} naming every problem */
  edit(change: Change, id: string, make: (before: Editable) => Editable): Promise<Rest | undefined>;
}
