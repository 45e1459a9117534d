import type { Reader, Trx } from '#db/database.ts';

/** Of a statement: engines limit its parameters. */
const partSize = 500;

/** The file by its address; empty if it could not be fetched. */
export async function picturesAt(reader: Reader, addresses: readonly string[]): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (let start = 0; start < addresses.length; start += partSize) {
    const part = addresses.slice(start, start + partSize);
    for (const { address, file } of await reader
      .selectFrom('picture_addresses')
      .selectAll()
      .where('address', 'in', part)
      .execute())
      found.set(address, file);
  }
  return found;
}

export async function putPictureAt(trx: Trx, address: string, file: string): Promise<void> {
  await trx
    .insertInto('picture_addresses')
    .values({ address, file })
    .onConflict((conflict) => conflict.column('address').doUpdateSet({ file }))
    .execute();
}

/** Those that could not be fetched are tried again by the next import. */
export async function forgetFailedPictures(trx: Trx): Promise<void> {
  await trx.deleteFrom('picture_addresses').where('file', '=', '').execute();
}
