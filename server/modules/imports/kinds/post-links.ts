/** Addresses of posts, before and after. */
import { createHash } from 'node:crypto';
import { freeCopy, slugOf } from '#server/platform/slugs.ts';
import type { KnownPosts } from './kind.ts';

/** `blog.example/2020/05/first-words`: without scheme, `www.`, query and slash, in small letters, as escapes are read. */
export function hostAndPath(address: string): string {
  const [, plain = ''] = /^(?:https?:)?\/\/(?:www\.)?([^?#]*)/i.exec(address.trim()) ?? [];
  let path = plain.replace(/\/+$/, '');
  try {
    path = decodeURI(path);
  } catch {
    // Malformed escapes are an address of their own.
  }
  return path.toLowerCase();
}

/** Of ids: short, and the same for the same text. */
export const idPart = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 8);

export type FreeLinks = (id: string, name: string) => string;

/** The ends of new addresses, each once. A post that is there keeps its own. */
export function freeLinks(known: KnownPosts | undefined): FreeLinks {
  const given = new Map<string, string>();
  const taken = new Set<string>();
  return (id, name) => {
    const before = given.get(id) ?? known?.linkOf(id);
    if (before !== undefined) return before;
    const plain = slugOf(name, 80) || 'post';
    const link = freeCopy(plain, (each) => taken.has(each) || (known?.isTaken(each) ?? false));
    taken.add(link);
    given.set(id, link);
    return link;
  };
}
