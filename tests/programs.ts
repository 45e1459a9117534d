/** Programs with a key of the office, for tests: makes keys, and calls tools over MCP. */
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { staffBase } from '#contract/limits.ts';
import type { Permission } from '#contract/staff/permissions.ts';
import { askStaff } from './staff.ts';
import type { Shopper, TestApp } from './test-app.ts';

interface Made {
  key: string;
  id: string;
  name: string;
}

/** A key of somebody who is signed in. */
export async function makeKey(
  testApp: TestApp,
  as: Shopper,
  wanted: { permissions: Permission[]; stores?: string[] | null },
): Promise<Made> {
  const body = { name: `agent-${randomUUID().slice(0, 8)}`, stores: null, days: 30, ...wanted };
  const { status, body: answer } = await askStaff(testApp, 'addKey', { as, body });
  expect(status).toBe(200);
  const { id = '' } = answer.keys.find(({ name }) => name === body.name) ?? {};
  return { key: answer.key ?? '', id, name: body.name };
}

type Values = Record<string, unknown>;

export interface ToolAnswer {
  /** Of HTTP. */
  status: number;
  isError: boolean;
  text: string;
  value: Values;
}

interface RpcAnswer {
  status: number;
  result?: Values;
  error?: { code: number; message: string };
}

export interface ListedTool {
  name: string;
  description: string;
  inputSchema: Values;
}

export interface Program extends Made {
  rpc(method: string, params?: object): Promise<RpcAnswer>;
  tools(): Promise<ListedTool[]>;
  tool(name: string, given: object): Promise<ToolAnswer>;
  /** Tries a change, and makes it. */
  change(name: string, given: object): Promise<ToolAnswer>;
}

export function programOf({ app }: TestApp, made: Made): Program {
  let id = 0;
  async function rpc(method: string, params: object = {}): Promise<RpcAnswer> {
    id += 1;
    const answer = await app.inject({
      method: 'POST',
      url: `${staffBase}mcp`,
      headers: { authorization: `Bearer ${made.key}`, accept: 'application/json, text/event-stream' },
      payload: { jsonrpc: '2.0', id, method, params },
    });
    return { status: answer.statusCode, ...answer.json() };
  }
  async function tool(name: string, given: object): Promise<ToolAnswer> {
    const { status, result = {}, error } = await rpc('tools/call', { name, arguments: given });
    const [{ text = '' } = {}] = (result.content ?? []) as { text?: string }[];
    return {
      status,
      isError: result.isError === true || error !== undefined || status !== 200,
      text: error?.message ?? text,
      value: (result.structuredContent ?? {}) as Values,
    };
  }
  return {
    ...made,
    rpc,
    tool,
    tools: async () => ((await rpc('tools/list')).result?.tools ?? []) as ListedTool[],
    async change(name, given) {
      const { value, ...trial } = await tool(name, given);
      if (trial.isError || value.token === undefined) return { ...trial, value };
      return tool(name, { ...given, token: value.token });
    },
  };
}
