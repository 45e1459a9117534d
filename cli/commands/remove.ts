/** `remove <kind> <id>`: removes a store, brand, category, tag, modifier group, product, page or post, after saying what depends on it. */
import { Argument } from 'commander';
import { type RemovalKind, removalKinds } from '#server/modules/removal/index.ts';
import { OperationError } from '#server/platform/errors.ts';
import { CommandError, type CommandSetup, type Terminal, withShop } from '../command.ts';

/** Kinds that every product needs one of, so that products can move to another one. */
const withProducts: readonly RemovalKind[] = ['brand', 'category'];

export const remove: CommandSetup = (program, terminal) => {
  const command = program.command('remove');
  command.description('Removes a part of the shop. Lists what depends on it, and then needs --yes.');
  command.addArgument(new Argument('<kind>', 'What to remove.').choices(removalKinds));
  command.argument('<id>', 'Its id; the link of a post, the name of a page.');
  command.option('--to <id>', 'Moves the products to this brand or category.');
  command.option('--yes', 'Removes it although something depends on it.');
  command.changes(
    'used',
    async (
      kind: RemovalKind,
      id: string,
      { to = null, yes = false }: { to?: string | null; yes?: boolean },
    ) => {
      if (to !== null && !withProducts.includes(kind))
        command.error(`--to is for ${withProducts.join(' and ')} only`);
      const { removed, affected } = await withShop(terminal, ({ removal }, run) =>
        run((change) => removal.remove(change, { kind, id, to, confirmed: yes })),
      ).catch((error: unknown) => {
        const needsOther = error instanceof OperationError && error.key === `removal.needsOther.${kind}`;
        if (!needsOther) throw error;
        throw new CommandError(
          `${terminal.t(error.key, error.values)} ${terminal.t('removal.withTo', { kind })}`,
        );
      });
      const repeat = ['remove', kind, id, ...(to === null ? [] : ['--to', to]), '--yes'].join(' ');
      const lines = affected.map(({ key, values }) => terminal.t(key, values));
      report({ name: `${kind} ${id}`, removed, affected: lines, command: repeat }, terminal);
      if (!removed) terminal.exitCode = 1;
    },
  );
};

interface Outcome {
  name: string;
  removed: boolean;
  affected: readonly string[];
  command: string;
}

function report({ name, removed, affected, command }: Outcome, terminal: Terminal): void {
  if (removed) terminal.print(`Removed ${name}.`);
  if (affected.length > 0) terminal.print(`${removed ? 'Affected' : `Removing ${name} affects`}:`);
  for (const each of affected) terminal.print(`  ${each}`);
  if (!removed) terminal.print(`Nothing was removed. To remove it, run: npm run shop -- ${command}`);
}
