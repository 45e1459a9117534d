/** Removes pages and posts, and finds what pages, posts and the gallery say about a part of the shop: links, and lists of products. */
import { isEqual } from '#contract/rules/patch.ts';
import type { PostDocument } from '#contract/schemas/post.ts';
import type { Reader, Trx } from '#db/database.ts';
import { draftsLinked, dropDraftWithLinks, findDraft, listDrafts } from '#server/modules/changes/index.ts';
import { allPages, deletePage, findPage } from './blocks/pages.repository.ts';
import { definitionOf, parsed, validateBlocks } from './blocks/published-blocks.ts';
import { allStoredPosts, removePost as deletePost, findStoredPost } from './blog/blog-editor.repository.ts';
import { linksInText, pathOf } from './pages/links.ts';
import { galleryPhotos } from './photographs/photographs.repository.ts';

export interface MentionTarget {
  /** The paths of its pages, without language: `/product/river-mug`. */
  paths: readonly string[];
  /** The collection of product lists that shows it; null if it has none. */
  collection: { type: 'brand' | 'category' | 'tag'; name: string } | null;
}

/** What says something about it: a block of a page, a post or a photo of the gallery. */
export interface Mention {
  in: 'page' | 'post' | 'photo';
  /** The name of the page, the link of the post, the id of the photo. */
  name: string;
  /** Of a page. */
  block?: string;
  /** It lists its products, and does not only link to it. */
  lists: boolean;
}

/** Each in the transaction of the caller, visible on the next request. */
export const contentRemoval = { hasPage, postNamed, removePage, removePost, mentionsOf, linksTo };
export type ContentRemoval = typeof contentRemoval;

/** The mentions in stored content; what belongs to `except` is left out. */
async function mentionsOf(
  reader: Reader,
  target: MentionTarget,
  except: { page?: string; post?: string } = {},
): Promise<Mention[]> {
  const mentions: Mention[] = [];
  for (const [name, blocks] of await writtenBlocks(reader)) {
    if (name === except.page) continue;
    for (const block of blocks) {
      const id = isObject(block) ? String(block.id) : '';
      if (showsCollection(block, target)) mentions.push({ in: 'page', name, block: id, lists: true });
      if (linksTo(block, target)) mentions.push({ in: 'page', name, block: id, lists: false });
    }
  }
  for (const { id, link, parts } of await writtenPosts(reader))
    if (id !== except.post && parts.some((part) => linksTo(part, target)))
      mentions.push({ in: 'post', name: link, lists: false });
  for (const { id, link } of await galleryPhotos(reader))
    if (linksTo(link, target)) mentions.push({ in: 'photo', name: id, lists: false });
  return mentions;
}

/** Of pages, as visitors see them and as they are written: a block that is only changed is there once, or for each text of it. */
async function writtenBlocks(reader: Reader): Promise<Map<string, unknown[]>> {
  const all = new Map((await allPages(reader)).map(({ name, blocks }) => [name, parsed(blocks)]));
  for (const { id, content, scheduled } of await listDrafts(reader, 'page')) {
    const blocks = [content, scheduled?.content].flatMap((each) =>
      isObject(each) ? ((each.blocks ?? []) as unknown[]) : [],
    );
    const known = all.get(id) ?? [];
    all.set(id, [...known, ...blocks.filter((each) => !known.some((other) => isEqual(each, other)))]);
  }
  return all;
}

/** Of posts, as readers see them and as they are written. */
async function writtenPosts(reader: Reader): Promise<{ id: string; link: string; parts: unknown[] }[]> {
  const all = new Map(
    (await allStoredPosts(reader)).map(({ id, link, parts }) => [
      id,
      { id, link, parts: [parsed(parts)] as unknown[] },
    ]),
  );
  for (const { id, content, scheduled } of await listDrafts(reader, 'post')) {
    const { link } = content as PostDocument;
    const written = [content, scheduled?.content].map((each) => (each as PostDocument | undefined)?.parts);
    const known = all.get(id);
    all.set(id, { id, link: known?.link ?? link, parts: [...(known?.parts ?? []), ...written] });
  }
  return [...all.values()];
}

/** By its id or its link, whether readers see it or not. */
async function postNamed(reader: Reader, name: string): Promise<{ id: string; link: string } | null> {
  const row = (await findStoredPost(reader, 'id', name)) ?? (await findStoredPost(reader, 'link', name));
  if (row) return { id: row.id, link: row.link };
  const draft = await findDraft(reader, 'post', name);
  if (draft) return { id: draft.id, link: (draft.content as PostDocument).link };
  const drafts = await draftsLinked(reader, 'post', name);
  const posts = drafts.map(({ id, content }) => ({ id, link: (content as PostDocument).link }));
  return posts.find(({ link }) => link === name) ?? null;
}

async function removePost(trx: Trx, id: string): Promise<void> {
  await dropDraftWithLinks(trx, 'post', id);
  await deletePost(trx, id);
}

/** Whether visitors see it or not. */
async function hasPage(reader: Reader, name: string): Promise<boolean> {
  return (await findDraft(reader, 'page', name)) !== null || (await findPage(reader, name)) !== undefined;
}

async function removePage(trx: Trx, name: string): Promise<void> {
  await dropDraftWithLinks(trx, 'page', name);
  await deletePage(trx, name);
}

/** Whether a link, or any link in a value of nested texts and HTML, leads to the target; the product part of a post does. */
function linksTo(value: unknown, target: MentionTarget): boolean {
  if (typeof value === 'string')
    return linksInText(value).some((link) => target.paths.includes(pathOf(link)));
  if (typeof value !== 'object' || value === null) return false;
  if ('product' in value && target.paths.includes(`/product/${value.product}`)) return true;
  return Object.values(value).some((inner) => linksTo(inner, target));
}

function showsCollection(block: unknown, { collection }: MentionTarget): boolean {
  if (!collection) return false;
  const named = validateBlocks([block]).blocks.flatMap(
    (each) => definitionOf(each.type)?.collections?.(each) ?? [],
  );
  return named.some(({ kind, id }) => kind === collection.type && id === collection.name);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
