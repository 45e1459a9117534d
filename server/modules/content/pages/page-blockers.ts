/** What is in the way of showing a page to shoppers, although it can be saved: at the fields of its blocks. */
import { localeCodes, mainLocale } from '#contract/locales.ts';
import { type Problem, problem } from '#contract/problems.ts';
import { PageDocument } from '#contract/schemas/page.ts';
import type { Database } from '#db/database.ts';
import type { CatalogueService } from '#server/modules/catalogue/index.ts';
import { createRedirects } from '#server/modules/settings/index.ts';
import type { SchemaNode } from '#server/platform/schema-problems.ts';
import { allPages } from '../blocks/pages.repository.ts';
import { definitionOf, validateBlocks } from '../blocks/published-blocks.ts';
import { listCategories, listTags, postLinks } from '../blog/blog.repository.ts';
import { decodedPath, leadsNowhere, linksInText, pageFolders, pathOf } from './links.ts';

interface PageBlockersDeps {
  db: Database;
  catalogue: CatalogueService;
}

export type PageBlockers = (page: PageDocument) => Promise<Problem[]>;

interface Found {
  problems: Problem[];
  /** To pages of the shop. */
  links: { path: string[]; link: string }[];
  /** Of the heading before, 1 for the title of the page. */
  level: number;
}

export function createPageBlockers(deps: PageBlockersDeps): PageBlockers {
  return async (page) => {
    const found: Found = { problems: [], links: [], level: 1 };
    lookThrough(
      PageDocument.properties.metaDescription as unknown as SchemaNode,
      page.metaDescription,
      ['metaDescription'],
      found,
    );
    for (const block of validateBlocks(page.blocks).blocks) {
      const { id, title } = block as { id: string; title?: Record<string, string> | null };
      if (title?.[mainLocale()]) found.level = 2;
      lookThrough(definitionOf(block.type)?.stored as unknown as SchemaNode | undefined, block, ['blocks', id], found);
    }
    const dead = found.links.length === 0 ? () => false : await deadLinks(deps, page.id, found.links);
    const nowhere = found.links.filter(({ link }) => dead(link));
    return [...found.problems, ...nowhere.map(({ path, link }) => problem(path, 'problem.publish.link', { link }))];
  };
}

function lookThrough(node: SchemaNode | undefined, value: unknown, path: string[], found: Found): void {
  if (!node) return;
  if (typeof value === 'string') {
    if (node.form?.control === 'link') for (const link of linksInText(value)) found.links.push({ path, link });
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  if (node.inLanguages) {
    lookAtText(node, value as Record<string, string>, path, found);
    return;
  }
  for (const member of node.anyOf ?? []) lookThrough(member, value, path, found);
  if (Array.isArray(value)) {
    for (const [index, each] of value.entries()) lookThrough(node.items, each, [...path, String(index)], found);
    return;
  }
  const { image, alt, title } = value as Record<string, unknown>;
  const isPicture = typeof image === 'string' && image !== '' && node.properties?.alt !== undefined;
  if (isPicture && isBlank((alt as Record<string, string> | undefined)?.[mainLocale()]))
    found.problems.push(problem([...path, 'alt', mainLocale()], 'problem.publish.alt'));
  if (isPicture && !isBlank((title as Record<string, string> | undefined)?.[mainLocale()]))
    found.level = Math.max(found.level, 2);
  for (const [name, each] of Object.entries(value)) {
    // Said above, in other words.
    if (isPicture && name === 'alt') continue;
    lookThrough(node.properties?.[name], each, [...path, name], found);
  }
}

function lookAtText({ form }: SchemaNode, texts: Record<string, string>, path: string[], found: Found): void {
  const main = mainLocale();
  if (isBlank(texts[main]) && localeCodes.some((code) => !isBlank(texts[code])))
    found.problems.push(problem([...path, main], 'problem.publish.language'));
  if (form?.control !== 'richText') return;
  const before = found.level;
  for (const code of localeCodes) {
    const html = texts[code] ?? '';
    const at = [...path, code];
    for (const link of linksInText(html)) found.links.push({ path: at, link });
    if (/<img\b(?![^>]*\salt="[^"]*\S[^"]*")[^>]*>/.test(html)) found.problems.push(problem(at, 'problem.publish.alt'));
    const levels = [...html.matchAll(/<h([2-4])\b/g)].map(([, digit]) => Number(digit));
    const skips = levels.find((level, index) => level > (levels[index - 1] ?? before) + 1);
    if (skips !== undefined) found.problems.push(problem(at, 'problem.publish.heading', { level: skips }));
    if (code === main) found.level = levels.at(-1) ?? before;
  }
}

const isBlank = (text: string | undefined) => (text ?? '').trim() === '';

/** A page may link to itself before anybody sees it. Of products only those are asked for that links name. */
async function deadLinks(
  { db, catalogue }: PageBlockersDeps,
  own: string,
  links: Found['links'],
): Promise<(link: string) => boolean> {
  const { product = '' } = pageFolders;
  const paths = links.map(({ link }) => decodedPath(pathOf(link)));
  const products = paths.flatMap((path) => (path.startsWith(product) ? path.slice(product.length) : []));
  const { brands, categories, tags } = await catalogue.names();
  const ids: Record<string, Iterable<string>> = {
    product: products.length === 0 ? [] : (await catalogue.named([...new Set(products)], mainLocale())).map(({ id }) => id),
    category: categories.keys(),
    brand: brands.keys(),
    tag: tags.keys(),
    page: [own, ...(await allPages(db.read)).map(({ name }) => name)],
    // A post that is scheduled will be there.
    post: await postLinks(db.read),
    'blog category': (await listCategories(db.read)).map(({ id }) => id),
    'blog tag': (await listTags(db.read)).map(({ id }) => id),
  };
  const known = new Set(
    Object.entries(ids).flatMap(([kind, each]) => [...each].map((id) => `${pageFolders[kind]}${id}`.toLowerCase())),
  );
  const redirected = new Set((await createRedirects({ db }).all()).map(({ from }) => from.toLowerCase()));
  return (link) => !redirected.has(decodedPath(pathOf(link)).toLowerCase()) && leadsNowhere(pathOf(link), known);
}
