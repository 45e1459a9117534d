import { expect, test } from 'vitest';
import { mailProblem } from './mail-problems.ts';
import { staffTranslate } from './messages.ts';

test.each([
  ['EENVELOPE RCPT TO 450', 'later'],
  ['EENVELOPE RCPT TO 550', 'address'],
  ['EENVELOPE MAIL FROM 550', 'sender'],
  ['EAUTH AUTH PLAIN 535', 'password'],
  ['EMESSAGE DATA 554', 'content'],
  ['EMESSAGE DATA 451', 'later'],
  ['ESOCKET CONN', 'server'],
  ['ETIMEDOUT CONN', 'server'],
  ['ECONNECTION CONN', 'server'],
  ['EDNS CONN', 'server'],
  ['AbortError', 'server'],
  ['ETLS STARTTLS', 'encryption'],
  ['ENOSPC', 'disk'],
  ['Error', 'other'],
] as const)('%s is said in words, with what to do about it', (answer, problem) => {
  expect(mailProblem(answer)).toBe(problem);
  for (const locale of ['en', 'zh'] as const) {
    const said = staffTranslate(locale)(`office.mail.problem.${problem}`, { answer });
    expect(said).not.toMatch(problem === 'other' ? /^\W*$/ : /\b(?:E[A-Z]{3,}|\d{3}|RCPT|DATA)\b/);
  }
});
