/**
 * The baseline: a Fastify that only sends fixed bytes. `BARE_FILE` names a JSON file with `{ path: { type, body, encoding? }
 * }`; it answers those paths, and prints its address when ready.
 */
import { readFileSync } from 'node:fs';
import Fastify from 'fastify';

interface Canned {
  type: string;
  /** Base64 of the bytes that the shop sent. */
  body: string;
  encoding?: string;
  method?: 'GET' | 'POST';
}

const file = process.env.BARE_FILE;
if (!file) throw new Error('BARE_FILE is not set');
const canned = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Canned>;

const app = Fastify();
for (const [url, answer] of Object.entries(canned)) {
  const bytes = Buffer.from(answer.body, 'base64');
  app.route({
    method: answer.method ?? 'GET',
    url,
    handler(_request, reply) {
      reply.header('content-type', answer.type);
      if (answer.encoding) reply.header('content-encoding', answer.encoding);
      return reply.send(bytes);
    },
  });
}
const address = await app.listen({ host: '127.0.0.1', port: 0 });
process.stdout.write(`${address}\n`);
