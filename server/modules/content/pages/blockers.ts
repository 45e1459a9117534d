/** What is in the way of showing a page or a post to shoppers, although it can be saved: at its fields. */
import type { TSchema } from 'typebox';
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

interface BlockersDeps {
  db: Database;
  catalogue: CatalogueService;
}

export interface Found {
  problems: Problem[];
  /** To pages of the shop. */
  links: { path: string[]; link: string }[];
  /** Of the heading before, 1 for the title of the page. */
  level: number;
}

/** What is in the way of showing something; `through` looks through all that it says, `own` is its address. */
export type Blockers = (own: string, through: (found: Found) => void) => Promise<Problem[]>;

export function createBlockers(deps: BlockersDeps): Blockers {
  return async (own, through) => {
    const found: Found = { problems: [], links: [], level: 1 };
    through(found);
    const dead = found.links.length === 0 ? () => false : await deadLinks(deps, own, found.links);
    const nowhere = found.links.filter(({ link }) => dead(link));
    return [
      ...found.problems,
      ...nowhere.map(({ path, link }) => problem(path, 'problem.publish.link', { link })),
    ];
  };
}

export function lookThroughPage(page: PageDocument, found: Found): void {
  lookThrough(PageDocument.properties.metaDescription, page.metaDescription, ['metaDescription'], found);
  for (const block of validateBlocks(page.blocks).blocks) {
    const { id, title } = block as { id: string; title?: Record<string, string> | null };
    if (title?.[mainLocale()]) found.level = 2;
    for (const product of definitionOf(block.type)?.products?.(block) ?? [])
      found.links.push({ path: ['blocks', id, 'product'], link: `${pageFolders.product}${product}` });
    lookThrough(definitionOf(block.type)?.stored, block, ['blocks', id], found);
  }
}

/** Notes what is in the way in a value of a schema, at its path. */
export function lookThrough(schema: TSchema | undefined, value: unknown, path: string[], found: Found): void {
  look(schema as SchemaNode | undefined, value, path, found);
}

function look(node: SchemaNode | undefined, value: unknown, path: string[], found: Found): void {
  if (!node) return;
  if (typeof value === 'string') {
    if (node.form?.control === 'link')
      for (const link of linksInText(value)) found.links.push({ path, link });
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  if (node.inLanguages) {
    lookAtText(node, value as Record<string, string>, path, found);
    return;
  }
  for (const member of node.anyOf ?? []) look(member, value, path, found);
  if (Array.isArray(value)) {
    for (const [index, each] of value.entries()) look(node.items, each, [...path, String(index)], found);
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
    look(node.properties?.[name], each, [...path, name], found);
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
    if (/<img\b(?![^>]*\salt="[^"]*\S[^"]*")[^>]*>/.test(html))
      found.problems.push(problem(at, 'problem.publish.alt'));
    const levels = [...html.matchAll(/<h([2-4])\b/g)].map(([, digit]) => Number(digit));
    const skips = levels.find((level, index) => level > (levels[index - 1] ?? before) + 1);
    if (skips !== undefined) found.problems.push(problem(at, 'problem.publish.heading', { level: skips }));
    if (code === main) found.level = levels.at(-1) ?? before;
  }
}

const isBlank = (text: string | undefined) => (text ?? '').trim() === '';

/** `own` may be linked to before anybody sees it. Of products only those are asked for that links name. */
async function deadLinks(
  { db, catalogue }: BlockersDeps,
  own: string,
  links: Found['links'],
): Promise<(link: string) => boolean> {
  const { product = '' } = pageFolders;
  const paths = links.map(({ link }) => decodedPath(pathOf(link)));
  const products = paths.flatMap((path) => (path.startsWith(product) ? path.slice(product.length) : []));
  const { brands, categories, tags } = await catalogue.names();
  const ids: Record<string, Iterable<string>> = {
    product:
      products.length === 0
        ? []
        : (await catalogue.named([...new Set(products)], mainLocale())).map(({ id }) => id),
    category: categories.keys(),
    brand: brands.keys(),
    tag: tags.keys(),
    page: (await allPages(db.read)).map(({ name }) => name),
    // A post that is scheduled will be there.
    post: await postLinks(db.read),
    'blog category': (await listCategories(db.read)).map(({ id }) => id),
    'blog tag': (await listTags(db.read)).map(({ id }) => id),
  };
  const known = new Set([
    own.toLowerCase(),
    ...Object.entries(ids).flatMap(([kind, each]) =>
      [...each].map((id) => `${pageFolders[kind]}${id}`.toLowerCase()),
    ),
  ]);
  const redirected = new Set((await createRedirects({ db }).all()).map(({ from }) => from.toLowerCase()));
  return (link) =>
    !redirected.has(decodedPath(pathOf(link)).toLowerCase()) && leadsNowhere(pathOf(link), known);
}
