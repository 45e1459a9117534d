/** The call that forms make (SPEC §7). */
import type { FastifyInstance } from 'fastify';
import type { Services } from '#server/container.ts';
import { serve } from '#server/http/endpoint.ts';

export function registerMessagesRoutes(app: FastifyInstance, { formMessages: messages }: Services): void {
  serve(app, 'submitForm', async ({ body, lang, request, session }) => {
    const customerId = (await session.get())?.customerId ?? null;
    await messages.submit(body, { locale: lang, address: request.ip, customerId });
    return { status: 'success' };
  });
}
