/** What the journal keeps of the fields that a change sets. */
import { differences } from '#contract/rules/patch.ts';

/** A field that changed. Without values if they are private or long. */
export interface FieldChange {
  /** Dotted: `shopName.zh`. */
  field: string;
  /** Left out if there was none. */
  from?: unknown;
  to?: unknown;
}

/** The fields of `after` whose values differ from those of `before`, those of objects and of named entries within them included. */
export function changedFields(before: unknown, after: unknown): FieldChange[] {
  return differences(before, after).map(({ path, from, to }) => ({ field: path.join('.'), from, to }));
}

/** Names of fields whose values are a person's, or open a door. */
const privateField =
  /e-?mail|phone|first_?name|last_?name|contact|recipient|address|street|post_?code|secret|password|token|reason|note$/i;
/** An email address within any text. */
const emailText = /[^\s@"]@[^\s@"]/;
/** The longest value that is kept, in characters of its JSON. */
const longestValue = 200;

/** The change as it may be kept for good: the journal is never rewritten, not even for a person who asks to be forgotten. */
export function keptFields(changes: readonly FieldChange[]): FieldChange[] {
  return changes.map(({ field, from, to }) => {
    const isKept = [from, to].every((value) => {
      const text = JSON.stringify(value) ?? '';
      return text.length <= longestValue && !emailText.test(text);
    });
    return isKept && !privateField.test(field) ? { field, from, to } : { field };
  });
}
