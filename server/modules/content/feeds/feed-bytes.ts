/** A feed's bytes as text, in whatever character set it says it is in. */

/** Media types that feeds are sent as. HTML is not among them: a page is no feed, whatever stands in it. */
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
