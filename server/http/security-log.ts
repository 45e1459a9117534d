/** Accounts and networks are keyed hashes: the same one is recognised, but not who without the shop's key. */
import { createHmac } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { AppError } from '#server/platform/errors.ts';
import { networkOf } from '#server/platform/rate-limits/rate-limits.service.ts';
import { emailKeyOf } from '#server/platform/text.ts';

declare module 'fastify' {
  interface FastifyInstance {
    securityLog: SecurityLog;
  }
}

/** `failed`: wrong password or the like. `slowed`: rate limited. `refused`: not allowed. */
export type SecurityOutcome = 'done' | 'failed' | 'slowed' | 'refused';

export type SecurityLog = ReturnType<typeof createSecurityLog>;

type Email = string | undefined | (() => Promise<string | undefined>);

export function createSecurityLog(key: Buffer) {
  const hash = (kind: string, text: string) =>
    createHmac('sha256', key).update(`${kind}\n${text}`).digest('base64url').slice(0, 16);
  const network = (request: FastifyRequest) => hash('network', networkOf(request.ip));
  /** Requests that `watch` has logged already. */
  const logged = new WeakSet<FastifyRequest>();

  return {
    /** Logs the outcome, errors included. An `email` function is called before the work is done. */
    async watch<T>(request: FastifyRequest, event: string, email: Email, work: () => Promise<T>): Promise<T> {
      const known = typeof email === 'function' ? await email() : email;
      const say = (outcome: SecurityOutcome) => {
        const account = known ? { account: hash('account', emailKeyOf(known)) } : {};
        logged.add(request);
        request.log[outcome === 'done' ? 'info' : 'warn']({ event, outcome, ...account, network: network(request) }, 'security');
      };
      try {
        const result = await work();
        say('done');
        return result;
      } catch (error) {
        if (error instanceof AppError) say(outcomeOf(error));
        throw error;
      }
    },
    /** The account is not known there. */
    refused(request: FastifyRequest, refusal: AppError): void {
      if (logged.has(request)) return;
      const outcome = outcomeOf(refusal);
      if (outcome === 'failed') return;
      request.log.warn({ event: 'call', outcome, network: network(request) }, 'security');
    },
  };
}

function outcomeOf({ errorType }: AppError): SecurityOutcome {
  if (errorType === 'RATE_LIMITED') return 'slowed';
  return errorType === 'FORBIDDEN' ? 'refused' : 'failed';
}
