/** The call that forms make (SPEC §7). */
import type { FastifyInstance } from 'fastify';
import { serve } from '#server/plugins/contract.ts';
import type { Services } from '#server/services.ts';

export function registerMessagesRoutes(app: FastifyInstance, { messages }: Services): void {
  serve(app, 'submitForm', async ({ body, lang, request, session }) => {
    const customerId = (await session.get())?.customerId ?? null;
    await messages.submit(body, { locale: lang, address: request.ip, customerId });
    return { status: 'success' };
  });
}
