/** A receiver of webhooks at `secure.example`, which records what arrives and answers as a test says. */
import type { ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import type { NetworkPolicy } from '#server/platform/safe-fetch/safe-fetch.ts';
import { cert, secureHost } from './certificate.ts';
import { fakeInternet } from './fake-internet.ts';

export interface ReceivedWebhook {
  headers: Record<string, string>;
  body: string;
}

export interface WebhookReceiver {
  reach: NetworkPolicy;
  /** Addresses of names, as in `FakeInternet`. */
  names: Map<string, string[][]>;
  /** The URL of a path. */
  url(path: string): string;
  /** What arrived at a path, in order. */
  at(path: string): ReceivedWebhook[];
  /** Answers requests to a path; by default with 204. */
  answer(path: string, how: number | ((response: ServerResponse, count: number) => void)): void;
}

export async function webhookReceiver(): Promise<WebhookReceiver> {
  const internet = await fakeInternet();
  const received = new Map<string, ReceivedWebhook[]>();
  const at = (path: string) => {
    const list = received.get(path) ?? [];
    received.set(path, list);
    return list;
  };
  return {
    reach: { ...internet.reach, ca: cert },
    names: internet.names,
    url: (path) => `https://${secureHost}${path}`,
    at,
    answer(path, how) {
      internet.handlers.set(`${secureHost}${path}`, async (request, response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk);
        const list = at(path);
        list.push({
          headers: request.headers as Record<string, string>,
          body: Buffer.concat(chunks).toString(),
        });
        if (typeof how === 'number') response.writeHead(how).end();
        else how(response, list.length);
      });
    },
  };
}

export interface WebhookEvent {
  id: string;
  type: string;
  createdAt: number;
  data: Record<string, unknown>;
}

/** Verifies a message as a receiver does. @throws if its signature or its time is wrong */
export function verifyWebhook({ headers, body }: ReceivedWebhook, secret: string): WebhookEvent {
  return new Webhook(secret).verify(body, headers) as WebhookEvent;
}
