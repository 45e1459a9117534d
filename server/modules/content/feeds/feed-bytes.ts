/** Decodes a feed's bytes in the character set it declares. */

/** Whether feeds are served as this media type. HTML is not accepted, whatever the document contains. */
export function isFeedType(mediaType: string): boolean {
  return /^(?:application|text)\/(?:[a-z.-]+\+)?(?:xml|json)$/.test(mediaType) || mediaType === 'text/plain';
}

export function feedText(bytes: Buffer, contentType: string): string {
  const head = bytes.subarray(0, 200).toString('latin1');
  const label =
    /charset\s*=\s*"?([\w.:-]+)/i.exec(contentType)?.[1] ?? /^[^<>]*<\?xml[^<>]*encoding\s*=\s*["']([\w.:-]+)/i.exec(head)?.[1];
  return decoder(label).decode(bytes);
}

function decoder(label = 'utf-8'): TextDecoder {
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder();
  }
}
