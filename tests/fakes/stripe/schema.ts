/**
 * Validates requests by the parameter types of the pinned SDK, which Stripe generates from its OpenAPI description: unknown
 * parameters, missing ones and wrong values are rejected with Stripe's messages.
 * https://docs.stripe.com/error-codes#parameter-unknown
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Declarations, type Interface, parseDeclarations, type TypeNode } from './declarations.ts';
import type { CallName } from './faults.ts';
import type { Form, FormValue } from './form.ts';
import { invalid, type Problem } from './problem.ts';

/** By call: the SDK's file and the type of its parameters. Calls of the browser's own code are not published. */
export const parameterTypes = {
  create: ['resources/PaymentIntents.d.ts', 'PaymentIntentCreateParams'],
  confirm: ['resources/PaymentIntents.d.ts', 'PaymentIntentConfirmParams'],
  list: ['resources/PaymentIntents.d.ts', 'PaymentIntentListParams'],
  retrieve: ['resources/PaymentIntents.d.ts', 'PaymentIntentRetrieveParams'],
  cancel: ['resources/PaymentIntents.d.ts', 'PaymentIntentCancelParams'],
  refund: ['resources/Refunds.d.ts', 'RefundCreateParams'],
  retrieveToken: ['resources/ConfirmationTokens.d.ts', 'ConfirmationTokenRetrieveParams'],
  listDisputes: ['resources/Disputes.d.ts', 'DisputeListParams'],
  listBalance: ['resources/BalanceTransactions.d.ts', 'BalanceTransactionListParams'],
  listPayouts: ['resources/Payouts.d.ts', 'PayoutListParams'],
  listRefunds: ['resources/Refunds.d.ts', 'RefundListParams'],
} as const satisfies Partial<Record<CallName, readonly [file: string, type: string]>>;

const folder = dirname(fileURLToPath(import.meta.resolve('stripe')));
const files = new Map<string, Declarations>();

function declarationsIn(file: string): Declarations {
  let known = files.get(file);
  if (!known) {
    known = parseDeclarations(readFileSync(join(folder, file), 'utf8'));
    files.set(file, known);
  }
  return known;
}

/** The errors in the parameters of a call; null if the SDK's types allow them, or do not know the call. */
export function parameterProblem(call: CallName, form: Form): Problem | null {
  if (!Object.hasOwn(parameterTypes, call)) return null;
  const [file, type] = parameterTypes[call as keyof typeof parameterTypes];
  return new Checker(declarationsIn(file), declarationsIn('shared.d.ts')).check(
    { kind: 'reference', name: type, of: [] },
    form,
    '',
    '',
  );
}

class Checker {
  readonly #own: Declarations;
  readonly #shared: Declarations;

  constructor(own: Declarations, shared: Declarations) {
    this.#own = own;
    this.#shared = shared;
  }

  /** `scope` is the namespace in which the type was written, such as 'PaymentIntentCreateParams.Shipping'. */
  check(type: TypeNode, value: FormValue, path: string, scope: string): Problem | null {
    const wrong = () => invalid(`Invalid value for ${path}`, { param: path });
    switch (type.kind) {
      case 'literal':
        return value === type.text ? null : wrong();
      case 'union': {
        const problems = type.of.map((each) => this.check(each, value, path, scope));
        return problems.includes(null) ? null : (problems.at(-1) ?? wrong());
      }
      case 'interface':
        return this.#checkFields(type.body, value, path, scope);
      case 'reference':
        return this.#checkReference(type.name, type.of, value, path, scope);
    }
  }

  #checkReference(
    name: string,
    of: readonly TypeNode[],
    value: FormValue,
    path: string,
    scope: string,
  ): Problem | null {
    const wrong = invalid(`Invalid value for ${path}`, { param: path });
    const [argument] = of;
    switch (name) {
      case 'string':
      case 'OtherString':
        return typeof value === 'string' ? null : wrong;
      case 'number':
        return typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? null : wrong;
      case 'boolean':
        return value === 'true' || value === 'false' ? null : wrong;
      case 'null':
        return value === '' ? null : wrong;
      case 'Emptyable':
        return value === '' || !argument ? null : this.check(argument, value, path, scope);
      case 'Array':
        if (!Array.isArray(value) || !argument) return wrong;
        return (
          value
            .map((each, at) => this.check(argument, each, `${path}[${at}]`, scope))
            .find((each) => each !== null) ?? null
        );
    }
    const [found, foundIn] = this.#find(name, scope);
    return this.check(found, value, path, foundIn);
  }

  /** A type by its name as written in `scope`: the innermost namespace that has it, else the shared types. */
  #find(name: string, scope: string): [TypeNode, string] {
    const parts = scope === '' ? [] : scope.split('.');
    for (let depth = parts.length; depth >= 0; depth--) {
      const full = [...parts.slice(0, depth), name].join('.');
      const found = this.#own.get(full);
      if (found) return [found, full];
    }
    const shared = this.#shared.get(name);
    if (!shared) throw new Error(`The SDK's types have no ${name} in ${scope}`);
    return [shared, ''];
  }

  #fieldsOf({ parents, fields }: Interface, scope: string): Interface['fields'] {
    const inherited = parents.flatMap((parent) => {
      const [found, foundIn] = this.#find(parent, scope);
      return found.kind === 'interface' ? [...this.#fieldsOf(found.body, foundIn)] : [];
    });
    return new Map([...inherited, ...fields]);
  }

  #checkFields(body: Interface, value: FormValue, path: string, scope: string): Problem | null {
    if (typeof value === 'string' || Array.isArray(value))
      return invalid(`Invalid object: ${path}`, { param: path });
    const fields = this.#fieldsOf(body, scope);
    const at = (name: string) => (path === '' ? name : `${path}[${name}]`);
    for (const [name, each] of Object.entries(value)) {
      const type = fields.get(name)?.type ?? body.index;
      if (!type)
        return invalid(`Received unknown parameter: ${at(name)}`, {
          code: 'parameter_unknown',
          param: at(name),
        });
      const problem = this.check(type, each, at(name), scope);
      if (problem) return problem;
    }
    for (const [name, { optional }] of fields)
      if (!optional && !Object.hasOwn(value, name))
        return invalid(`Missing required param: ${at(name)}.`, {
          code: 'parameter_missing',
          param: at(name),
        });
    return null;
  }
}
