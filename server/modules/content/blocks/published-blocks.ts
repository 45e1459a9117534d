/** Collects what the blocks of all pages require of the server: feeds to read, sites to frame, forms to accept. */
import type { PublishedFacts, PublishedForm } from '#blocks/define-block.ts';
import type { StoredBlock } from '#contract/schemas/blocks.ts';
import type { Database } from '#db/database.ts';
import { cachedByTopics } from '#server/platform/recorded-reads.ts';
import { topics } from '#server/platform/topics.ts';
import { allBlocks } from './pages.repository.ts';
import { definitionOf, validateBlocks } from './validate-blocks.ts';

export type PublishedBlocks = ReturnType<typeof createPublishedBlocks>;

export function createPublishedBlocks({ db }: { db: Database }) {
  const load = cachedByTopics(db, [topics.publishedBlocks], async () => {
    const pages = await allBlocks(db.read);
    return pages.flatMap((blocks) => publishedFacts(validateBlocks(parsed(blocks)).blocks));
  });
  return {
    async feeds(): Promise<string[]> {
      return unique((await load()).flatMap(({ feeds = [] }) => feeds));
    },
    /** Sorted. The same on every page, since a visitor keeps the content security policy of the first. */
    async framedSites(): Promise<string[]> {
      return unique((await load()).flatMap(({ framedSites = [] }) => framedSites)).sort();
    },
    async forms(): Promise<PublishedForm[]> {
      return (await load()).flatMap(({ form }) => form ?? []);
    },
  };
}

export function publishedFacts(blocks: readonly StoredBlock[]): PublishedFacts[] {
  return blocks.map((block) => definitionOf(block.type)?.publish?.(block) ?? {});
}

function unique(values: readonly string[]): string[] {
  return [...new Set(values)];
}

/** Parses the blocks of a page's row. Text that is not a JSON list yields no blocks. */
export function parsed(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}
