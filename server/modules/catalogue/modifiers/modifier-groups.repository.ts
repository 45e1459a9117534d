/** Reads and writes modifier groups, and what products say of those that they use. */
import type { Selectable } from 'kysely';
import type { Reader, Trx } from '#db/database.ts';
import type { ModifierGroupsTable } from '#db/tables.ts';
import type { ModifierGroupInput, ProductModifierGroup } from './modifier-group-input.ts';

export interface GroupRow extends ModifierGroupInput {
  position: number;
}

export async function allGroups(db: Reader): Promise<GroupRow[]> {
  return (await db.selectFrom('modifier_groups').selectAll().orderBy('position').orderBy('id').execute()).map(groupOf);
}

export async function groupsById(db: Reader, ids: readonly string[]): Promise<GroupRow[]> {
  return (await db.selectFrom('modifier_groups').selectAll().where('id', 'in', ids).execute()).map(groupOf);
}

/** The groups that products use, by product id; products without groups are left out. */
export async function referencesOf(db: Reader, productIds: readonly string[]): Promise<Map<string, ProductModifierGroup[]>> {
  if (productIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('products')
    .select(['id', 'modifier_groups'])
    .where('id', 'in', productIds)
    .where('modifier_groups', '<>', '[]')
    .execute();
  return new Map(rows.map(({ id, modifier_groups }) => [id, JSON.parse(modifier_groups)]));
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

function groupOf({ name, text, quantities, set_parts, modifiers, ...row }: Selectable<ModifierGroupsTable>): GroupRow {
  return {
    ...row,
    name: JSON.parse(name),
    text: text === null ? null : JSON.parse(text),
    quantities: quantities === 1,
    setParts: set_parts === 1,
    modifiers: JSON.parse(modifiers),
  };
}

/** The numbers of the products that use one of these groups themselves. */
export async function productsUsing(db: Reader, groups: readonly string[]): Promise<number[]> {
  const rows = await db.selectFrom('products').select(['no', 'modifier_groups']).where('modifier_groups', '<>', '[]').execute();
  const uses = (references: string) =>
    (JSON.parse(references) as ProductModifierGroup[]).some(({ group }) => groups.includes(group));
  return rows.filter(({ modifier_groups }) => uses(modifier_groups)).map(({ no }) => no);
}
