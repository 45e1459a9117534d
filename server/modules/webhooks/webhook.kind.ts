/** Endpoints of webhooks as documents: the room Webhooks. Their secrets are no part of them. */
import type { FastifyInstance } from 'fastify';
import { WebhookDocument } from '#contract/schemas/webhook.ts';
import type { StaffBody, StaffResponse } from '#contract/staff/endpoints.ts';
import type { Database, Reader } from '#db/database.ts';
import { serveStaff } from '#server/http/staff-endpoint.ts';
import {
  type ChangesService,
  createDocuments,
  type DocumentKind,
  serveDocuments,
} from '#server/modules/changes/index.ts';
import { validationError } from '#server/platform/errors.ts';
import { randomId } from './events.service.ts';
import { lockEndpoints } from './webhooks.repository.ts';
import type { WebhookEndpoint, WebhooksService } from './webhooks.service.ts';

interface WebhookKindDeps {
  db: Database;
  changes: ChangesService;
  webhooks: WebhooksService;
}

function webhookKind({
  db,
  webhooks,
}: WebhookKindDeps): DocumentKind<WebhookDocument, StaffBody<'addWebhook'>> {
  const problemsOf = async (reader: Reader, content: WebhookDocument) =>
    webhooks.urlProblems(content, await webhooks.contents(reader));
  return {
    name: 'webhook',
    schema: WebhookDocument,
    lock: (trx) => lockEndpoints(db, trx),
    read: async (reader, id) => (await webhooks.contents(reader)).find((each) => each.id === id) ?? null,
    problems: (content, _before, reader) => problemsOf(reader, content),
    async make({ trx }, given) {
      const content = { id: randomId('we', 8), ...given, paused: false };
      const [invalid] = await problemsOf(trx, content);
      if (invalid) throw validationError({ url: { key: invalid.key, values: invalid.values } });
      return { ...content, url: webhooks.urlOf(given.url) };
    },
    async write(change, content) {
      await webhooks.put(change, content);
      return undefined;
    },
  };
}

const statusOf = ({ state, failingSince, delivered, waiting, failed }: WebhookEndpoint) => ({
  isGone: state === 'gone',
  failingSince,
  delivered,
  waiting,
  failed,
});

export function registerWebhooks(app: FastifyInstance, deps: WebhookKindDeps): void {
  const { changes, webhooks } = deps;
  const kind = webhookKind(deps);
  const documents = createDocuments(deps, kind);
  serveDocuments(app, kind, documents, async (permit, id) => {
    const document = await documents.read(permit, id);
    const endpoint = (await webhooks.list()).find((each) => each.id === id);
    return { ...document, ...(endpoint && statusOf(endpoint)) };
  });
  serveStaff(app, 'webhooks', async (): Promise<StaffResponse<'webhooks'>> => {
    const contents = new Map((await webhooks.contents(deps.db.read)).map((each) => [each.id, each]));
    const listed = (await webhooks.list()).flatMap((endpoint) => {
      const content = contents.get(endpoint.id);
      return content ? { ...content, ...statusOf(endpoint) } : [];
    });
    return { webhooks: listed };
  });
  serveStaff(app, 'testWebhook', async ({ params: { id } }) => {
    const { accepted, answer } = await webhooks.test(id);
    return { accepted, answer };
  });
  serveStaff(
    app,
    'rotateWebhook',
    ({ permit, params: { id } }) =>
      changes.run(permit.actor, 'webhooks rotate', (change) => webhooks.rotate(change, id)),
    // The answer is a secret, and not stored a second time.
    { again: ({ params: { id } }) => webhooks.secretOf(id) },
  );
}
