// SPDX-License-Identifier: Apache-2.0
//
// The official SDK's client over stdio on a server process, `loci mcp` or the reference server, and
// what the tests of both share. Scripts run by with_peers.py.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ResourceUpdatedNotificationSchema, ResultSchema } from '@modelcontextprotocol/sdk/types.js';

export const GRAPH = 'memory://knowledge-graph';
export const MOST_BYTES = 3_000_000;  // that a budget may be
export const REFERENCE = path.join(process.env.LOCI_PEERS,
    '@modelcontextprotocol/server-memory/dist/index.js');

// How each server is started on what it keeps below a directory.
export const loci = (binary, directory, ...flags) =>
  ({ command: binary, args: ['mcp', path.join(directory, 'memory.loci'), ...flags] });
export const reference = (directory) => ({
  command: process.execPath, args: [REFERENCE],
  env: { MEMORY_FILE_PATH: path.join(directory, 'memory.jsonl') },
});

// A server process with its client.
export class Server {
  // how: {command, args, env}. What it writes to stderr is kept, for a failing test to show.
  static async start(how) {
    const server = new Server();
    server.transport = new StdioClientTransport(
        { command: how.command, args: how.args, stderr: 'pipe',
          env: { PATH: process.env.PATH, ...how.env },
          maxBufferSize: 2 ** 30 });  // the default, 10 MiB, ends the connection
    server.stderr = '';
    server.transport.stderr.on('data', (bytes) => { server.stderr += bytes; });
    server.client = new Client({ name: 'loci-tests', version: '1' });
    server.updates = [];  // uris of notifications/resources/updated
    server.client.setNotificationHandler(ResourceUpdatedNotificationSchema,
        ({ params }) => { server.updates.push(params.uri); });
    await server.client.connect(server.transport);
    return server;
  }

  get pid() { return this.transport.pid; }

  // The result as the server sent it, without the client's check against the output schema.
  request(method, params = {}) {
    return this.client.request({ method, params }, ResultSchema, { timeout: 600_000 });
  }

  call(name, args) { return this.request('tools/call', { name, arguments: args }); }

  // The structured result of a call that must succeed.
  async must(name, args) {
    const result = await this.call(name, args);
    if (result.isError) throw new Error(`${name}: ${result.content[0].text}`);
    return result.structuredContent;
  }

  async close() { await this.client.close(); }

  kill() {
    const tell = this.transport.onclose;  // the client's: it fails what is still to be answered
    const ended = new Promise((resolve) => {
      this.transport.onclose = () => { tell?.(); resolve(); };
    });
    process.kill(this.pid, 'SIGKILL');
    return ended;
  }
}

// Runs a function on a directory of its own.
export async function inDirectory(run) {
  const directory = mkdtempSync(path.join(tmpdir(), 'loci-mcp-'));
  try {
    return await run(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

// Numbers in [0, 1), the same for the same seed (mulberry32).
export function seeded(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6D2B79F5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

// A value as text, the same where lists are the same as sets and members come in any order.
export function canonical(value) {
  if (Array.isArray(value)) return `[${[...new Set(value.map(canonical))].sort().join(',\n')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'undefined';
  return `{${Object.keys(value).sort().map((key) => `"${key}":${canonical(value[key])}`).join(',')}}`;
}

export const same = (a, b) => canonical(a) === canonical(b);

// Fails the test with what was found.
export function check(holds, what, ...details) {
  if (holds) return;
  console.error(`FAILED: ${what}`);
  for (const detail of details) {
    console.error(typeof detail === 'string' ? detail : JSON.stringify(detail, null, 1));
  }
  process.exit(1);
}
