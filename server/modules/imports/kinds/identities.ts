/**
 * Which product of the shop each product of a file is: that of its handle, else the one that has its SKUs, else, by its name, a new one.
 * Two products of a file are never one product of the shop.
 */
import { freeCopy } from '#server/platform/slugs.ts';
import { earlierSlugOf, type Known, slugOf } from './kind.ts';

export interface Named {
  /** Empty if the file names none. */
  handle: string;
  name: string;
  /** Tells it apart from others of its name: a SKU, or the id in the other shop. */
  key: string;
  skus: readonly string[];
}

/** In the order of `all`; empty for one without a handle and a name whose SKUs the shop does not have. */
export function identitiesOf(all: readonly Named[], known: Known): string[] {
  const ids = all.map(({ handle }) => handle);
  const taken = new Set(ids.filter((id) => id !== '' && known.isThere(id)));
  // A handle that the shop does not have is another name of a product only if all of its SKUs say so.
  const owned = all.map(({ handle, skus }) =>
    taken.has(handle) || (handle !== '' && skus.some((sku) => known.owner(sku) === undefined))
      ? undefined
      : ownerOf(skus, known),
  );
  const wanted = Map.groupBy(
    owned.filter((id) => id !== undefined),
    (id) => id,
  );
  // A product that is divided in the file stays undecided: its parts are products by their own names.
  for (const [at, id] of owned.entries())
    if (id !== undefined && !taken.has(id) && wanted.get(id)?.length === 1) {
      ids[at] = id;
      taken.add(id);
    }
  for (const id of ids) if (id !== '') taken.add(id);
  const isFree = (id: string) => !taken.has(id);
  for (const [at, named] of all.entries()) {
    if (ids[at] !== '' || named.name === '') continue;
    const id = idByName(named, isFree, known);
    ids[at] = id;
    taken.add(id);
  }
  return ids;
}

/** Undefined if the shop has none of them, or has them in several products. */
export function ownerOf(skus: readonly string[], { owner }: Known): string | undefined {
  const [only, ...more] = new Set(skus.flatMap((sku) => owner(sku) ?? []));
  return more.length === 0 ? only : undefined;
}

/** The ids that a product without a handle may get, the first that is free and does not belong to another product. */
export function idsByName({ name, key }: Pick<Named, 'name' | 'key'>): { plain: string; own: string } {
  const plain = name === '' ? '' : slugOf(name);
  return { plain, own: key === '' ? plain : `${plain.slice(0, 60)}-${slugOf(key, 39)}` };
}

function idByName({ name, key, skus }: Named, isFree: (id: string) => boolean, known: Known): string {
  const earlier = earlierSlugOf(name);
  const { plain: now, own } = idsByName({ name, key });
  // It was imported when names were written in another way.
  const plain = now !== earlier && isFree(earlier) && known.isThere(earlier) ? earlier : now;
  if (own !== plain && isFree(own) && known.isThere(own)) return own;
  // Another product of the shop may have this name: it has other SKUs, and none that follows from the name.
  const there = known.skusOf(plain);
  const isOther =
    skus.length > 0 && there.length > 0 && !there.some((sku) => skus.includes(sku) || sku.startsWith(plain));
  if (isFree(plain) && !isOther) return plain;
  return freeCopy(own, (id) => !isFree(id) || (id === plain && isOther));
}
