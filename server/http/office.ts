import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { staffBase } from '#contract/limits.ts';
import { isScanner, type WebRenderer } from '#server/ssr/renderer.ts';
import { unknownEndpoint } from './errors.ts';
import { pageType } from './page-answer.ts';
import { contentSecurityPolicy, scannerHeaders } from './security-headers.ts';

export interface OfficeOptions {
  web: Pick<WebRenderer, 'office'> | null;
  /** Null: the office answers at the shop's address. */
  officeUrl: string | null;
}

/**
 * On the shop's own address, scripts of payment providers run on /payment and could call the office in the name of somebody who
 * is signed in there. With an address of its own, the office and its calls answer nowhere else.
 */
export function registerOffice(app: FastifyInstance, { web, officeUrl }: OfficeOptions): void {
  const host = officeUrl === null ? null : new URL(officeUrl).host;
  // Without a callback of its own, a hook would delay every cached answer by a turn.
  if (host !== null)
    app.addHook('onRequest', (request, reply, done) => {
      if (request.host !== host && isOfficePath(request.url)) void unknownEndpoint(request, reply);
      else done();
    });
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    const html = await web?.office?.(request.url);
    if (!html) return unknownEndpoint(request, reply);
    return reply
      .headers({
        'cache-control': 'no-store',
        'x-robots-tag': 'noindex',
        ...(isScanner(request.url) ? scannerHeaders : officeHeaders),
      })
      .type(pageType)
      .send(html);
  };
  app.get('/office', answer);
  app.get('/office/*', answer);
}

const officeHeaders = { 'content-security-policy': contentSecurityPolicy() };

function isOfficePath(url: string): boolean {
  return url.startsWith(staffBase) || /^\/office(?:[/?]|$)/.test(url);
}
