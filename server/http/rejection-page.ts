/** A page for a person whose request was rejected, where no script could say so. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Locale, locales } from '#contract/locales.ts';
import type { AppError } from '#server/platform/errors.ts';
import { escapeHtml } from '#server/platform/html.ts';
import { translate, translateAny, translateFieldErrors } from '#server/platform/i18n.ts';

/** `back`: where its link leads, and the text of the link. */
export function sendRejection(
  request: FastifyRequest,
  reply: FastifyReply,
  error: AppError,
  lang: Locale,
  back: { path: string; text: string },
): FastifyReply {
  request.server.securityLog.refused(request, error);
  const { retryAfterMs } = error.details;
  if (retryAfterMs !== undefined) reply.header('retry-after', Math.max(1, Math.ceil(retryAfterMs / 1000)));
  return reply
    .status(error.status)
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(rejectionPage(error, lang, back));
}

function rejectionPage({ details }: AppError, lang: Locale, back: { path: string; text: string }): string {
  const { errors, errorKey, values } = details;
  const texts = errors
    ? Object.values(translateFieldErrors(errors, lang))
    : [translateAny(lang)(errorKey ?? 'error.malformed', values)];
  const said = texts.map((text) => `<p>${escapeHtml(text)}</p>`).join('');
  const title = escapeHtml(translate(lang)('error.formRejected'));
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>`;
  const main = `<h1>${title}</h1>${said}<p><a href="${escapeHtml(back.path)}">${escapeHtml(back.text)}</a></p>`;
  return `<!doctype html><html lang="${locales[lang].tag}"><head>${head}</head><body>${main}</body></html>`;
}
