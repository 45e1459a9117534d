import { type Selectable, sql } from 'kysely';
import type { ModifierGroupInput, ProductModifierGroup } from '#contract/schemas/modifier-input.ts';
import type { Reader, Trx } from '#db/database.ts';
import type { ModifierGroupsTable } from '#db/tables.ts';
import { readableRows } from '#server/platform/unreadable-rows.ts';

export interface GroupRow extends ModifierGroupInput {
  position: number;
}

export const contentOf = ({ position: _, ...content }: GroupRow): ModifierGroupInput => content;

export async function allGroups(db: Reader): Promise<GroupRow[]> {
  return (await db.selectFrom('modifier_groups').selectAll().orderBy('position').orderBy('id').execute()).map(
    groupOf,
  );
}

export async function groupsById(db: Reader, ids: readonly string[]): Promise<GroupRow[]> {
  return (await db.selectFrom('modifier_groups').selectAll().where('id', 'in', ids).execute()).map(groupOf);
}

/** By product id; products without groups are left out. */
export async function referencesOf(
  db: Reader,
  productIds: readonly string[],
): Promise<Map<string, ProductModifierGroup[]>> {
  if (productIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('products')
    .select(['id', 'modifier_groups'])
    .where('id', 'in', productIds)
    .where('modifier_groups', '<>', '[]')
    .execute();
  return new Map(
    readableRows(
      'products',
      rows,
      ({ id }) => id,
      ({ id, modifier_groups }) => [id, JSON.parse(modifier_groups)] as const,
    ),
  );
}

export async function putGroup(trx: Trx, { id, position, ...group }: GroupRow): Promise<void> {
  const columns = {
    name: JSON.stringify(group.name),
    text: group.text && JSON.stringify(group.text),
    min: group.min,
    max: group.max,
    quantities: group.quantities ? 1 : 0,
    free: group.free,
    set_parts: group.setParts ? 1 : 0,
    modifiers: JSON.stringify(group.modifiers),
    position,
  } as const;
  await trx
    .insertInto('modifier_groups')
    .values({ id, ...columns })
    .onConflict((c) => c.column('id').doUpdateSet(columns))
    .execute();
}

function groupOf({
  name,
  text,
  quantities,
  set_parts,
  modifiers,
  ...row
}: Selectable<ModifierGroupsTable>): GroupRow {
  return {
    ...row,
    name: JSON.parse(name),
    text: text === null ? null : JSON.parse(text),
    quantities: quantities === 1,
    setParts: set_parts === 1,
    modifiers: JSON.parse(modifiers),
  };
}

export async function productsWithGroups(db: Reader) {
  const rows = await db
    .selectFrom('products')
    .select(['no', 'id', 'modifier_groups'])
    // As the index of those has it.
    .where('modifier_groups', '<>', sql.lit('[]'))
    .orderBy('id')
    .execute();
  return readableRows(
    'products',
    rows,
    ({ id }) => id,
    ({ no, id, modifier_groups }) => {
      const modifierGroups: ProductModifierGroup[] = JSON.parse(modifier_groups);
      return { no, id, modifierGroups };
    },
  );
}

/** Themselves, not through an opened group. */
export async function productsUsing(db: Reader, groups: readonly string[]) {
  const products = await productsWithGroups(db);
  return products.filter(({ modifierGroups }) => modifierGroups.some(({ group }) => groups.includes(group)));
}

/** `at`: epoch ms. */
export async function setModifierGroups(
  trx: Trx,
  { no, modifierGroups, at }: { no: number; modifierGroups: readonly ProductModifierGroup[]; at: number },
): Promise<void> {
  await trx
    .updateTable('products')
    .set({ modifier_groups: JSON.stringify(modifierGroups), updated_at: at })
    .where('no', '=', no)
    .execute();
}

export async function deleteGroup(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom('modifier_groups').where('id', '=', id).execute();
}
