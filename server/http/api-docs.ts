import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { TSchema } from 'typebox';
import type { Endpoint } from '#contract/endpoint.ts';
import { apiBase, clientToken, clientTokenHeader } from '#contract/limits.ts';
import { localeCodes } from '#contract/locales.ts';
import { endpoints } from '#contract/shop/endpoints.ts';
import { type EndpointName, methodAndPath } from '#contract/shop/paths.ts';
import { escapeHtml } from '#server/platform/html.ts';
import { errorTable } from './openapi.ts';
import { describeSchema, example, isOptional } from './schema-text.ts';
import { contentSecurityPolicy } from './security-headers.ts';

const style = `
:root{color-scheme:light dark;--line:#8884;--soft:#8881;--accent:#2b6a5e}
@media(prefers-color-scheme:dark){:root{--accent:#8fd0c1}}
body{font:16px/1.55 system-ui,sans-serif;margin:0 auto;padding:2rem 1rem 4rem;max-width:60rem}
h1{font-size:2rem;margin:0 0 .5rem}h2{margin:3rem 0 .5rem;font-size:1.3rem}h3{font-size:1rem;margin:0;font-weight:600}
code,pre{font:13px/1.5 ui-monospace,monospace}pre{background:var(--soft);padding:.75rem;overflow-x:auto;border-radius:6px;margin:.5rem 0}
article{border-top:1px solid var(--line);padding:1.25rem 0}article p{margin:.25rem 0 .75rem}
.path{overflow-wrap:anywhere}.method{color:var(--accent);font-weight:700}.tags{opacity:.75;font-size:.85rem}
table{border-collapse:collapse;width:100%}td,th{border-top:1px solid var(--line);padding:.35rem .5rem .35rem 0;text-align:left;vertical-align:top}
th:first-child{width:min(14rem,45%)}
nav ul{columns:2;padding-left:1.1rem}a{color:var(--accent)}summary{cursor:pointer;padding:.25rem 0}
@media(max-width:40rem){nav ul{columns:1}}`;

export function registerApiDocs(app: FastifyInstance): void {
  const hash = createHash('sha256').update(style).digest('base64');
  const policy = `${contentSecurityPolicy()}; style-src 'sha256-${hash}'`;
  let printed: string | undefined;
  app.get('/api/docs', async (_request, reply) => {
    printed ??= page();
    return reply
      .headers({ 'content-security-policy': policy, 'cache-control': 'public, max-age=300' })
      .type('text/html; charset=utf-8')
      .send(printed);
  });
}

function page(): string {
  const groups = Map.groupBy(
    Object.keys(endpoints) as EndpointName[],
    (name) => methodAndPath(name).path.split('/')[0] ?? '',
  );
  const contents = [...groups].map(([group]) => `<li><a href="#${group}">${group}</a></li>`).join('');
  const sections = [...groups]
    .map(([group, names]) => `<h2 id="${group}">${group}</h2>${names.map(article).join('')}`)
    .join('');
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>The API of this shop</title><style>${style}</style></head><body><header><h1>The API of this shop</h1>
<p>All paths start with <code>${apiBase}</code>. Money is integer cents, times are milliseconds since the epoch. Every call takes
${localeCodes.map((code) => `<code>?lang=${code}</code>`).join(' or ')}; texts in the answer are in that language. Fields that a call does not name are refused.
Calls that change something need the header <code>${clientTokenHeader}: ${clientToken}</code>, a JSON body and the session cookie, which the first of them sets.
The same as <a href="/api/openapi.json">OpenAPI</a>.</p></header>
<nav aria-label="Groups"><ul>${contents}<li><a href="#errors">Errors</a></li></ul></nav><main>${sections}${errors()}</main></body></html>`;
}

function article(name: EndpointName): string {
  const endpoint: Endpoint = endpoints[name];
  const { method, path } = methodAndPath(name);
  const kind =
    endpoint.audience === 'public'
      ? 'the same for everybody, cached'
      : endpoint.changes
        ? 'changes something'
        : 'of one session';
  return `<article id="${name}"><h3 class="path"><span class="method">${method}</span> <code>${path.replace(/:(\w+)/g, '{$1}')}</code></h3>
<p>${escapeHtml(endpoint.summary)} <span class="tags">(${name}; ${kind})</span></p>
${fields('In the path', endpoint.params)}${fields('In the query', endpoint.query)}
<pre>${escapeHtml(request(name, endpoint))}</pre>
${body(endpoint)}<details><summary>Answer</summary><pre>${escapeHtml(describeSchema(endpoint.response))}</pre></details></article>`;
}

function fields(title: string, schema: TSchema | undefined): string {
  if (!schema || !('properties' in schema)) return '';
  const rows = Object.entries(schema.properties as Record<string, TSchema>).map(
    ([name, property]) =>
      `<tr><td><code>${name}${isOptional(property) ? '?' : ''}</code></td><td><code>${escapeHtml(describeSchema(property))}</code></td></tr>`,
  );
  return `<table><thead><tr><th scope="col">${title}</th><th scope="col">Value</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

function body({ body }: Endpoint): string {
  return body
    ? `<details><summary>Body</summary><pre>${escapeHtml(describeSchema(body))}</pre></details>`
    : '';
}

function request(name: EndpointName, endpoint: Endpoint): string {
  const { method, path } = methodAndPath(name);
  const params = (endpoint.params ? example(endpoint.params) : {}) as Record<string, unknown>;
  const url = apiBase + path.replace(/:(\w+)/g, (_, key: string) => String(params[key] ?? key));
  const query = new URLSearchParams(example(endpoint.query) as Record<string, string>).toString();
  const lines = [`${method} ${url}${query ? `?${query}` : ''}`];
  if (endpoint.changes) lines.push(`${clientTokenHeader}: ${clientToken}`);
  if (endpoint.body)
    lines.push('content-type: application/json', '', JSON.stringify(example(endpoint.body), null, 2));
  return lines.join('\n');
}

function errors(): string {
  const rows = errorTable.map(
    ({ type, status, meaning }) =>
      `<tr><td><code>${type}</code></td><td>${status}</td><td>${escapeHtml(meaning)}</td></tr>`,
  );
  return `<h2 id="errors">Errors</h2><p>A refusal is a status and a body with <code>errorType</code>, often <code>errorKey</code> and
<code>message</code>, <code>errors</code> from field to message where fields are wrong, and the <code>requestId</code>.</p>
<table><thead><tr><th scope="col">errorType</th><th scope="col">Status</th><th scope="col">Meaning</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
}
