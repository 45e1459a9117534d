/** `schema shop|post`: prints the JSON Schema of a file that a merchant writes, with which editors complete and check it. */
import { Argument } from 'commander';
import type { CommandSetup } from '../command.ts';
import { type FileKind, fileKinds, jsonSchemaOf } from '../json-schema.ts';

export const schema: CommandSetup = (program, terminal) => {
  const command = program.command('schema');
  command.description('Prints the JSON Schema of the files of `fill` and `blog`, for editors.');
  command.addArgument(new Argument('<kind>', 'The kind of file.').choices(Object.keys(fileKinds)));
  command.action((kind: FileKind) => terminal.print(JSON.stringify(jsonSchemaOf(kind), null, 2)));
};
