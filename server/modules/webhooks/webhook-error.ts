/** A problem with a webhook command that the merchant can fix. The message is a complete sentence. */
export class WebhookError extends Error {
  override name = 'WebhookError';
}
