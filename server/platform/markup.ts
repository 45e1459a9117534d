/** Reads HTML and XML that other people wrote. */
import { Parser, type ParserOptions } from 'htmlparser2';

/**
 * Of tags in each other, as in browsers. The parser looks through all that are open at each end of one: without a limit, a text that
 * opens tags and ends others takes the square of its length.
 */
export const mostNested = 512;

/** Tags are nested deeper than anybody writes them. */
export class NestingError extends Error {
  override name = 'NestingError';
  readonly tag: string;
  constructor(tag: string) {
    super(`More than ${mostNested} tags are nested at <${tag}>`);
    this.tag = tag;
  }
}

/** Counts tags that are open. @throws {NestingError} for one too many */
export function nestingCounter() {
  let depth = 0;
  return {
    open(tag: string): void {
      depth += 1;
      if (depth > mostNested) throw new NestingError(tag);
    },
    close(): void {
      depth -= 1;
    },
  };
}

export interface MarkupHandler {
  onopentag(tag: string, attributes: Record<string, string>): void;
  ontext(text: string): void;
  /** Also for tags that have no end. */
  onclosetag(tag: string, isImplied: boolean): void;
}

/** Entities are decoded. @throws {NestingError} once it has read that far */
export function readMarkup(
  text: string,
  handler: MarkupHandler,
  options: Pick<ParserOptions, 'xmlMode'> = {},
): void {
  const nesting = nestingCounter();
  const parser = new Parser(
    {
      onopentag(tag, attributes) {
        nesting.open(tag);
        handler.onopentag(tag, attributes);
      },
      ontext: (part) => handler.ontext(part),
      onclosetag(tag, isImplied) {
        nesting.close();
        handler.onclosetag(tag, isImplied);
      },
    },
    { ...options, decodeEntities: true },
  );
  parser.end(text);
}
