/** What the first script does before the office is there. Light: it imports nothing of the office. */
import { clientTokenHeader, staffBase, staffToken } from '#contract/limits.ts';
import { type Locale, staffLocale } from '#contract/locales.ts';

export const languageKey = 'office-language';

/** The language in which the office opens: what this person chose on this device, else the browser's. */
export const firstLocale = (): Locale => staffLocale(localStorage.getItem(languageKey) ?? navigator.language);

const asked = new Map<string, Promise<Response>>();

/** Begins a call that takes no input; `path` is that of its route. */
export function askEarly(path: string): void {
  const url = `${staffBase}${path}?lang=${firstLocale()}`;
  const answer = fetch(url, { headers: { [clientTokenHeader]: staffToken } });
  answer.catch(() => undefined);
  asked.set(url, answer);
}

/** The answer of a call that was begun early, for the first who makes it. */
export function earlyAnswer(url: string): Promise<Response> | undefined {
  const answer = asked.get(url);
  asked.delete(url);
  return answer;
}
