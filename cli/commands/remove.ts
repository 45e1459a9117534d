/** `remove <kind> <id>`: removes a store, brand, category, tag, product, page or post, after saying what depends on it. */
import { RemovalError, type RemovalKind, removalKinds } from '#server/modules/removal/index.ts';
import { type Command, CommandError, type Terminal, usageError } from '../command.ts';
import { readArgs, withShop } from '../shop.ts';

const usage = `remove ${removalKinds.join('|')} <id> [--to <id>] [--yes]`;
/** Kinds that every product needs one of, so that products can move to another one. */
const withProducts: readonly RemovalKind[] = ['brand', 'category'];

export const remove: Command = {
  usage: usage.replace('remove ', ''),
  summary: 'Removes a part of the shop. Lists what depends on it, and then needs --yes.',
  async run(args, terminal) {
    const { values, positionals } = readArgs(
      { args: [...args], allowPositionals: true, options: { to: { type: 'string' }, yes: { type: 'boolean', default: false } } },
      usage,
    );
    const [word, id, ...rest] = positionals;
    const kind = removalKinds.find((each) => each === word);
    if (!kind || !id || rest.length > 0) throw usageError(problemOf(word, kind, id), usage);
    if (values.to !== undefined && !withProducts.includes(kind))
      throw usageError(`--to is for ${withProducts.join(' and ')} only.`, usage);
    const to = values.to ?? null;
    const { removed, affected } = await withShop(terminal, ({ removal }) =>
      removal.remove({ kind, id, to, confirmed: values.yes }).catch((error: unknown) => {
        throw error instanceof RemovalError ? new CommandError(error.message) : error;
      }),
    );
    report({ name: `${kind} ${id}`, removed, affected, command: ['remove', ...args, '--yes'].join(' ') }, terminal);
    return removed ? 0 : 1;
  },
};

function problemOf(word: string | undefined, kind: RemovalKind | undefined, id: string | undefined): string {
  if (word === undefined) return 'Missing kind and id.';
  if (!kind) return `Unknown kind: ${word}.`;
  return id === undefined ? 'Missing id.' : 'Expected one id.';
}

interface Outcome {
  /** Such as `product river-mug`. */
  name: string;
  removed: boolean;
  affected: readonly string[];
  /** The command that removes it nevertheless. */
  command: string;
}

function report({ name, removed, affected, command }: Outcome, terminal: Terminal): void {
  if (removed) terminal.print(`Removed ${name}.`);
  if (affected.length > 0) terminal.print(`${removed ? 'Affected' : `Removing ${name} affects`}:`);
  for (const each of affected) terminal.print(`  ${each}`);
  if (!removed) terminal.print(`Nothing was removed. To remove it, run: npm run shop -- ${command}`);
}
