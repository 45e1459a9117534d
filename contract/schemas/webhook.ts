/** An endpoint of another system that receives events, as merchants edit it. Its secret is no part of it. */
import Type, { type Static } from 'typebox';
import { webhookEventTypes } from '../webhook-events.ts';
import { described, Flag } from './common.ts';

export const WebhookUrl = described(
  'Where events are sent: `https://receiver.example/path`.',
  Type.String({ minLength: 1, maxLength: 1000 }),
  { label: 'office.webhook.url' },
);
/** An endpoint that hears of nothing would look as if nothing happened. */
export const WebhookEvents = described(
  'The events that it receives.',
  Type.Array(Type.Enum([...webhookEventTypes]), { minItems: 1, uniqueItems: true }),
  { label: 'office.webhook.events', control: 'named' },
);

export const WebhookDocument = Type.Object({
  id: described(
    'Names the endpoint.',
    Type.String({ pattern: '^we_[0-9a-f]{16}$', problem: 'problem.webhook.id' }),
  ),
  url: WebhookUrl,
  events: WebhookEvents,
  paused: described('Whether events wait instead of being sent, for up to 30 days.', Flag, {
    label: 'office.webhook.paused',
    hint: 'office.webhook.pausedHint',
  }),
});
export type WebhookDocument = Static<typeof WebhookDocument>;
