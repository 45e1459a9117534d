/** `schema shop|post`: prints the JSON Schema of a file that a merchant writes, with which editors complete and check it. */
import { type Command, usageError } from '../command.ts';
import { fileKinds, jsonSchemaOf } from '../json-schema.ts';

const usage = Object.keys(fileKinds).join('|');

export const schema: Command = {
  usage,
  summary: 'Prints the JSON Schema of the files of `fill` and `blog`, for editors.',
  async run([kind, ...rest], terminal) {
    if ((kind !== 'shop' && kind !== 'post') || rest.length > 0)
      throw usageError(kind === undefined ? 'Missing kind of file.' : 'Expected one kind of file.', `schema ${usage}`);
    terminal.print(JSON.stringify(jsonSchemaOf(kind), null, 2));
    return 0;
  },
};
