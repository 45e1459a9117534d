/** Shared parts of the removers: mentions in content, and sentences. */
import { canonicalText } from '#contract/locales.ts';
import type { Reader } from '#db/database.ts';
import type { MentionTarget } from '#server/modules/content/index.ts';
import { type RemovalDeps, RemovalError, type RemovalKind } from './removal-types.ts';

/** What pages, posts, the gallery and the footer say about a part. */
export async function mentions(
  { contentRemoval, settings }: Pick<RemovalDeps, 'contentRemoval' | 'settings'>,
  reader: Reader,
  target: MentionTarget,
  except: { page?: string; post?: string } = {},
): Promise<string[]> {
  const { footer } = await settings.read(reader);
  const links = footer.links.filter(({ link }) => contentRemoval.linksTo(link, target));
  return [
    ...links.map(({ label }) => `footer: the link “${canonicalText(label)}” leads to it`),
    ...(await contentRemoval.mentionsOf(reader, target, except)),
  ];
}

export function unknown(kind: RemovalKind, id: string): RemovalError {
  return new RemovalError(`There is no ${kind} ${id}. It may have been removed already.`);
}

export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
