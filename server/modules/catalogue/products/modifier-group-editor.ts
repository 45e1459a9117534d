/** The products that ask for the groups are indexed again. */
import { everything } from '#db/catalogue-version.ts';
import { type Change, changedFields } from '#server/modules/changes/index.ts';
import { InputError } from '#server/platform/errors.ts';
import type { ModifierGroupInput } from '../modifiers/modifier-group-input.ts';
import { allGroups, type GroupRow, productsUsing, putGroup } from '../modifiers/modifier-groups.repository.ts';
import { openersOf } from '../modifiers/modifier-groups.ts';
import { groupProblemsIn } from './catalogue-problems.ts';
import { type CatalogueWriteDeps, changeCatalogueIn } from './catalogue-transaction.ts';
import { indexAround } from './product-writer.ts';

export function createModifierGroupEditor(deps: CatalogueWriteDeps) {
  return {
    /**
     * By id, in the given order; others stay. `skus`: once the import is done. `later` takes the products that are to be indexed after
     * the transaction. @throws {InputError} naming every problem
     */
    upsertModifierGroups: (
      { trx, note }: Change,
      inputs: readonly ModifierGroupInput[],
      skus: ReadonlySet<string> = new Set(),
      later?: (nos: readonly number[]) => void,
    ): Promise<void> =>
      changeCatalogueIn(deps, trx, async (context) => {
        const stored = await allGroups(trx);
        const problems = await groupProblemsIn(trx, inputs, { modifierGroups: new Set(), skus });
        if (problems.length > 0) throw new InputError(problems);
        const before = new Map(stored.map((group) => [group.id, group]));
        const next = Math.max(-1, ...stored.map(({ position }) => position)) + 1;
        const groups = inputs.map((input, index): GroupRow => {
          const position = before.get(input.id)?.position ?? next + index;
          return { ...input, position };
        });
        const affected = openersOf(new Set(inputs.map(({ id }) => id)), [...stored, ...groups]);
        const products = await productsUsing(trx, affected);
        const change = async () => {
          for (const group of groups) await putGroup(trx, group);
          return context.taxonomy;
        };
        const nos = products.map(({ no }) => no);
        if (later) {
          context.touched.add(everything);
          await change();
          later(nos);
        } else await indexAround(context, nos, change);
        for (const group of groups) {
          const old = before.get(group.id);
          note('modifierGroup', group.id, old && changedFields({ ...old }, { ...group }));
        }
      }),
  };
}
