/** A page of the shop as the storefront draws it, without scripts, where one call answers with what is given. */
import type { FastifyInstance } from 'fastify';
import { type Locale, localizePath, offeredLocales } from '#contract/locales.ts';
import type { ApiTransport, PageRequest } from '#contract/transport.ts';
import { notFound } from '#server/platform/errors.ts';
import {
  hashOf,
  inProcessTransport,
  type PageStyle,
  styleHashes,
  type WebRenderer,
  withStyle,
} from '#server/ssr/renderer.ts';
import { contentSecurityPolicy } from './security-headers.ts';

export interface GivenAnswer {
  url: string;
  body: unknown;
}

interface StillPageDeps {
  /** Null: there is no storefront. */
  web: Pick<WebRenderer, 'render'> | null;
  origin: () => string;
}

export type DrawStill = ReturnType<typeof createStillPages>;

export function createStillPages(app: FastifyInstance, { web, origin }: StillPageDeps) {
  return async (
    path: string,
    language: Locale,
    given: GivenAnswer,
    style: PageStyle,
    options: Pick<PageRequest, 'drawsMenu'> = {},
  ): Promise<{ html: string }> => {
    const others = inProcessTransport(app, { cached: (each) => app.contract.cache.text(each) });
    const transport: ApiTransport = async (request) =>
      request.url === given.url ? { status: 200, body: given.body } : others(request);
    const page = await web?.render({
      url: localizePath(path, language),
      transport,
      visitor: false,
      origin: origin(),
      languages: offeredLocales(),
      ...options,
    });
    if (!page || page.redirect) throw notFound();
    if (page.error !== undefined) throw page.error;
    return { html: withoutScripts(withStyle(page, style).html) };
  };
}

/** As it stands. React writes attributes with double quotes, and quotes of texts as entities. */
export function withoutScripts(html: string): string {
  return html
    .replaceAll(/<(script|noscript)\b[^>]*>[\s\S]*?<\/\1>/g, '')
    .replaceAll(/<link\b[^>]*\brel="(?:modulepreload|preload|manifest)"[^>]*>/g, '')
    .replaceAll(' style="', ' data-style="');
}

/** For a document of its own: the attributes are named as they were. */
export const styled = (html: string) => html.replaceAll(' data-style="', ' style="');

/** Of a still page as a document of its own, whose styles are allowed by their hashes. */
export function policyOfStill(html: string): string {
  const ofElements = [...html.matchAll(/<style>([\s\S]*?)<\/style>/g)].map(([, text = '']) => hashOf(text));
  return contentSecurityPolicy({ styleHashes: [...styleHashes(html), ...ofElements] });
}
