/** Which picture of the shop an address in a file is: its own, or one that was fetched before. */
import type { Reader, Trx } from '#db/database.ts';
import type { MediaService } from '#server/modules/media/index.ts';
import type { FoundProduct } from './found-product.ts';

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

/** Those that could not be fetched are tried again by the next import. One that reads or fetches them calls this before. */
export async function forgetFailedPictures(trx: Trx): Promise<void> {
  await trx.deleteFrom('picture_addresses').where('file', '=', '').execute();
}

export type PictureAddresses = ReturnType<typeof createPictureAddresses>;
export type FileOf = (address: string, known: readonly string[]) => string | null | undefined;

/** What names pictures. */
interface Pictured {
  pictures?: readonly Pick<NonNullable<FoundProduct['pictures']>[number], 'address'>[];
  variants: readonly Pick<FoundProduct['variants'][number], 'picture'>[];
}

const addressesOf = ({ pictures = [], variants }: Pictured) => [
  ...new Set([
    ...pictures.map(({ address }) => address),
    ...variants.flatMap(({ picture }) => picture ?? []),
  ]),
];

/** Of an address of this shop or another one of its kind; behind `#` the file, where several are alike. */
const ownParts = (address: string) =>
  /\/media\/\d{1,4}\/([A-Za-z0-9][A-Za-z0-9._-]*)(?:#(.*))?$/.exec(address) ?? [];

export function createPictureAddresses({ media }: { media: MediaService }) {
  const ownFiles = (reader: Reader, addresses: readonly string[]) =>
    media.filesServedAs(
      reader,
      addresses.flatMap((address) => ownParts(address)[1] ?? []),
    );
  return {
    /** Of each product those that are not of this shop. */
    async elsewhere(reader: Reader, products: readonly Pictured[]): Promise<string[][]> {
      const all = products.map(addressesOf);
      const own = await ownFiles(reader, all.flat());
      return all.map((addresses) => addresses.filter((address) => !own.has(ownParts(address)[1] ?? '')));
    },
    async known(reader: Reader, products: readonly Pictured[]): Promise<FileOf> {
      const addresses = products.flatMap(addressesOf);
      const fetched = await picturesAt(reader, addresses);
      const plain = addresses.filter((address) => !address.includes('/'));
      // Pictures may have been deleted since.
      const files = await media.images([...plain, ...[...fetched.values()].filter(Boolean)], reader);
      const own = await ownFiles(reader, addresses);
      return (address, known) => {
        const found = fetched.get(address);
        if (found === '') return null;
        if (found !== undefined && files.has(found)) return found;
        if (files.has(address)) return address;
        const [, name = '', named = ''] = ownParts(address);
        const same = own.get(name) ?? [];
        if (same.includes(named)) return named;
        return same.find((file) => known.includes(file)) ?? same[0];
      };
    },
    /** Those that are not fetched yet. */
    waiting: (product: Pictured, fileOf: FileOf): string[] =>
      addressesOf(product).filter((address) => fileOf(address, []) === undefined),
  };
}
