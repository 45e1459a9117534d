/** A post, or a page of formatted text, as a file has it. */
import type { Problem } from '#contract/problems.ts';
import { shown } from '#contract/problems.ts';
import { placeOf } from '../sheet/read-sheet.ts';
import type { Told } from './shortcodes.ts';

export interface FoundTopic {
  /** The end of its address in the other program; empty if it has none. */
  slug: string;
  name: string;
}

export interface FoundPost {
  type: 'post' | 'page';
  /** Of the document. It says which thing of which site it is, so that the next file finds it. */
  id: string;
  link: string;
  title: string;
  /** Pictures are named by their addresses, and links to posts of the file lead to the shop's. */
  html: string;
  excerpt: string;
  /** The address of the picture above it; null for none. */
  cover: string | null;
  author: string;
  category: FoundTopic | null;
  tags: FoundTopic[];
  isPublished: boolean;
  /** Epoch ms; null for a draft without one. */
  at: number | null;
  /** Where it was, without the host; null if it had no address. */
  from: string | null;
  /** Why it stays where it is, though nothing is wrong with it: `trash`, or a kind of things that the shop has no place for. */
  skipped: boolean;
}

const mostNamed = 5;

/** What happened to a text, by its row and column. */
export function toldProblems({ left, embeds, missing }: Told, line: number, column: string): Problem[] {
  const at = (key: Problem['key'], values: Problem['values'] = {}): Problem => ({
    path: placeOf(line, column),
    key,
    values: { ...values, warning: 1 },
  });
  const names = [...left].slice(0, mostNamed).join(', ');
  return [
    ...(left.size > 0 ? [at('problem.post.left', { found: shown(names) })] : []),
    ...(embeds > 0 ? [at('problem.post.embeds', { count: embeds })] : []),
    ...(missing > 0 ? [at('problem.post.pictureMissing', { count: missing })] : []),
  ];
}
