/** What a mail server's answer means to staff. */

const kinds = [
  ['password', /^EAUTH\b/],
  ['encryption', /^ETLS\b/],
  ['disk', /^(?:ENOSPC|EDQUOT)\b/],
  ['later', /\b4\d\d$/],
  ['sender', /\bMAIL FROM\b/],
  ['address', /\bRCPT TO\b/],
  ['content', /\bDATA\b/],
  [
    'server',
    /^(?:ECONN|ESOCKET|ETIMEDOUT|EDNS|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|EPIPE|AbortError|TimeoutError)/,
  ],
] as const;

export const mailProblems = [...kinds.map(([kind]) => kind), 'other'] as const;
export type MailProblem = (typeof mailProblems)[number];

/** Of codes such as `EENVELOPE RCPT TO 450`. */
export function mailProblem(answer: string): MailProblem {
  return kinds.find(([, pattern]) => pattern.test(answer))?.[0] ?? 'other';
}
