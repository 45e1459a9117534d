/** Categories and tags of the blog by their names, and those that have to be made. */
import { type Locale, type LocalText, mainLocale } from '#contract/locales.ts';
import type { BlogDocument } from '#contract/schemas/post.ts';
import type { BlogTopics } from '#server/modules/content/index.ts';
import { freeCopy, slugOf } from '#server/platform/slugs.ts';
import type { FoundTopic } from './found-post.ts';

const most = { categories: 200, tags: 1000 } as const;
type List = keyof typeof most;

const keyOf = (name: string) => name.normalize('NFKC').trim().toLowerCase();
const isLatin = (text: string) => !/[^\p{Script=Latin}\P{L}]/u.test(text);

export class BlogTopicNames {
  /** Whether one was left out because the blog has as many as it may. */
  isFull = false;
  readonly #byName: Record<List, Map<string, string>> = { categories: new Map(), tags: new Map() };
  readonly #names: Record<List, Map<string, string>> = { categories: new Map(), tags: new Map() };
  readonly #made: Record<List, Map<string, string>> = { categories: new Map(), tags: new Map() };
  readonly #language: Locale;

  constructor(blog: BlogDocument | null, language: Locale) {
    this.#language = language;
    for (const list of ['categories', 'tags'] as const)
      for (const { id, name } of blog?.[list] ?? []) {
        for (const each of Object.values(name)) this.#byName[list].set(keyOf(each), id);
        this.#names[list].set(id, name[language] ?? name[mainLocale()] ?? id);
      }
  }

  /** Its id; null if the blog has no room for it. */
  category = (topic: FoundTopic): string | null => this.#idOf('categories', topic);
  tag = (topic: FoundTopic): string | null => this.#idOf('tags', topic);

  nameOf = (category: string | null): string | undefined =>
    category === null ? undefined : this.#names.categories.get(category);

  made = (): { categories: string[]; tags: string[] } => ({
    categories: [...this.#made.categories.keys()],
    tags: [...this.#made.tags.keys()],
  });

  documents(): BlogTopics {
    const nothing = { [mainLocale()]: '' } as LocalText;
    const named = (list: List) =>
      [...this.#made[list]].map(([id, name]) => ({
        id,
        name: { [mainLocale()]: name, [this.#language]: name } as LocalText,
      }));
    return {
      categories: named('categories').map((each) => ({ ...each, description: nothing })),
      tags: named('tags'),
    };
  }

  /** By its name; else by its address, if that is not only what is left of another script. */
  #idOf(list: List, { slug, name }: FoundTopic): string | null {
    const [byName, names] = [this.#byName[list], this.#names[list]];
    const known = byName.get(keyOf(name));
    if (known !== undefined) return known;
    const plain = slugOf(slug || name) || 'topic';
    if (slug !== '' && isLatin(slug) && names.has(plain)) return plain;
    if (names.size >= most[list]) {
      this.isFull = true;
      return null;
    }
    const id = freeCopy(plain, (each) => names.has(each));
    byName.set(keyOf(name), id);
    names.set(id, name);
    this.#made[list].set(id, name);
    return id;
  }
}
