/** What the inline script of the page (`web/start/start.ts`) began before this code was there. */

interface PageStart {
  /** Answers to GET calls, by URL; each is for the first that asks. */
  answers: Map<string, Promise<Response>>;
  /** Ends the recording of presses. Returns the buttons that were pressed, in order, each once. */
  takePresses: () => HTMLButtonElement[];
}

declare global {
  interface Window {
    /** Undefined while developing. */
    pageStart?: PageStart;
  }
}

/** Takes the answer to a call that was made before hydration; undefined if it was not made, or its answer was taken. */
export function takeEarlyAnswer(method: string, url: string): Promise<Response> | undefined {
  const answers = globalThis.window?.pageStart?.answers;
  const answer = method === 'GET' ? answers?.get(url) : undefined;
  // After a change, earlier answers are outdated.
  if (method === 'GET') answers?.delete(url);
  else answers?.clear();
  return answer;
}

/** Repeats the presses of buttons that came before hydration. React hydrates a button that is pressed at once. */
export function repeatEarlyPresses(): void {
  for (const button of window.pageStart?.takePresses() ?? []) if (button.isConnected) button.click();
}
