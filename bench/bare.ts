/**
 * The baseline: a Fastify that only sends fixed bytes. `BARE_FILE` names a JSON file with `{ path: { headers, body, method? }
 * }`; it answers those paths with the headers and the encoded bytes of the shop, and prints its address when ready.
 */
import { readFileSync } from 'node:fs';
import Fastify from 'fastify';

interface Canned {
  /** As the shop sent them. */
  headers: Record<string, string>;
  /** Base64 of the bytes that the shop sent, still encoded. */
  body: string;
  method?: 'GET' | 'POST';
}

const file = process.env.BARE_FILE;
if (!file) throw new Error('BARE_FILE is not set');
const canned = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Canned>;

const app = Fastify();
/** Headers of a connection, which Node sets itself, and cookies. */
const own = new Set([
  'connection',
  'keep-alive',
  'date',
  'transfer-encoding',
  'content-length',
  'set-cookie',
]);
for (const [url, answer] of Object.entries(canned)) {
  const bytes = Buffer.from(answer.body, 'base64');
  const headers = Object.fromEntries(Object.entries(answer.headers).filter(([name]) => !own.has(name)));
  app.route({
    method: answer.method ?? 'GET',
    url,
    handler(_request, reply) {
      return reply.headers(headers).send(bytes);
    },
  });
}
const address = await app.listen({ host: '127.0.0.1', port: 0 });
process.stdout.write(`${address}\n`);
