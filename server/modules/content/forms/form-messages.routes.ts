/** Serves the call that submits forms (SPEC §7). */
import type { FastifyInstance } from 'fastify';
import { serve } from '#server/http/endpoint.ts';
import type { FormMessagesService } from './form-messages.service.ts';

export function registerMessagesRoutes(app: FastifyInstance, { formMessages }: { formMessages: FormMessagesService }): void {
  serve(app, 'submitForm', async ({ body, lang, request, session }) => {
    const customerId = (await session.get())?.customerId ?? null;
    await formMessages.submit(body, { locale: lang, address: request.ip, customerId });
    return { status: 'success' };
  });
}
