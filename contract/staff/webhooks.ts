/** The calls of the room Webhooks. */
import Type from 'typebox';
import { Count, described, EpochMs, Flag, Nullable, Strict } from '../schemas/common.ts';
import { WebhookDocument, WebhookEvents, WebhookUrl } from '../schemas/webhook.ts';
import { documentCalls, ofDocument } from './documents.ts';
import { documentOf, type StaffEndpoint } from './endpoint.ts';

const status = {
  isGone: described('Whether the receiver has answered that it is gone. It is paused then.', Flag),
  failingSince: described('Since when every attempt has failed; null after a success.', Nullable(EpochMs)),
  delivered: described('Of the last 30 days.', Count),
  waiting: Count,
  failed: Count,
};

export const webhookEndpoints = {
  ...documentCalls('webhook', 'webhooks', {
    route: 'webhooks',
    called: 'an endpoint of webhooks',
    answer: Type.Object({ ...documentOf(WebhookDocument).properties, ...status }),
    list: Type.Object({
      webhooks: described(
        'In the order in which they were added.',
        Type.Array(Type.Object({ ...WebhookDocument.properties, ...status })),
      ),
    }),
    needs: ['connections.manage', 'connections.manage'],
    add: Strict({ url: WebhookUrl, events: WebhookEvents }),
    begins: 'whose secret `rotateWebhook` shows',
  }),
  testWebhook: {
    route: 'POST webhooks/:id/test',
    repeat: 'own',
    summary:
      'Sends one signed message of the type `webhook.test`, whatever the state of the endpoint. Nothing is stored.',
    needs: 'connections.manage',
    params: ofDocument,
    response: Type.Object({
      accepted: Flag,
      answer: described('Of the receiver, or why there was none.', Type.String()),
    }),
  },
  rotateWebhook: {
    route: 'POST webhooks/:id/secret',
    repeat: 'key',
    summary:
      'Makes a new secret, which is shown only in this answer. The one before signs as well for 24 hours.',
    needs: 'connections.manage',
    params: ofDocument,
    response: Type.Object({ secret: Type.String(), previousUntil: EpochMs }),
  },
} as const satisfies Record<string, StaffEndpoint>;
