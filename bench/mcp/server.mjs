// SPDX-License-Identifier: Apache-2.0
//
// The two servers, each a process at the other end of the official client's stdio transport. Both are given
// the same memory.jsonl by the same variable; Loci makes its memory from it at its first start.
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const reference = createRequire(import.meta.url)
  .resolve('@modelcontextprotocol/server-memory/dist/index.js');
const timeout = 900_000;  // a write to 100,000 entities takes the reference server seconds

export const kinds = ['loci', 'reference'];
export const labels = { loci: 'Loci', reference: 'reference' };

function commandOf(kind) {
  if (kind === 'reference') return { command: process.execPath, args: [reference] };
  return { command: process.env.LOCI, args: ['mcp'] };
}

export class Server {
  // file: the memory.jsonl. Resolves when initialize is answered.
  static async start(kind, file) {
    const server = new Server();
    Object.assign(server, { kind, file, failures: new Map() });
    server.transport = new StdioClientTransport({
      ...commandOf(kind),
      env: { PATH: process.env.PATH, MEMORY_FILE_PATH: file },
      stderr: 'pipe',
    });
    server.said = '';
    server.transport.stderr.on('data', (bytes) => { server.said = `${server.said}${bytes}`.slice(-2000); });
    server.client = new Client({ name: 'bench', version: '1.0.0' });
    try {
      await server.client.connect(server.transport, { timeout });
    } catch (error) {
      throw new Error(`${kind} does not start: ${error.message}\n${server.said}`);
    }
    return server;
  }

  get pid() { return this.transport.pid; }

  // The result of a tool; an error where the tool reports one.
  async call(name, args = {}) {
    const result = await this.client.callTool({ name, arguments: args }, undefined, { timeout });
    if (result.isError) throw new Error(`${name}: ${result.content[0].text}`);
    return result;
  }

  // A server in the place of this one, which a tool ended; no tool that failed is tried on it.
  async replaced(tool, error) {
    await this.close();
    const server = await Server.start(this.kind, this.file);
    server.failures = this.failures.set(tool, error.message);
    return server;
  }

  tools() { return this.client.request({ method: 'tools/list' }, anything); }

  // Resident now and at its highest, in bytes.
  memory() {
    const status = readFileSync(`/proc/${this.pid}/status`, 'utf8');
    const field = (name) => Number(status.match(new RegExp(`^${name}:\\s*(\\d+) kB`, 'm'))[1]) * 1024;
    return { now: field('VmRSS'), highest: field('VmHWM') };
  }

  // Seconds of CPU that the process has used, in the kernel's hundredths.
  cpu() {
    const stat = readFileSync(`/proc/${this.pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) / 100;
  }

  close() { return this.client.close(); }
}

// A schema that lets any result through, so that the client checks nothing.
const anything = (await import('@modelcontextprotocol/sdk/types.js')).ResultSchema;

// The whole graph, page by page where the server pages: yields results of read_graph.
export async function* wholeGraph(kind, server) {
  const args = kind === 'loci' ? { max_bytes: 3_000_000 } : {};
  for (;;) {
    const page = await server.call('read_graph', args);
    yield page;
    args.cursor = page.structuredContent.left_out?.next_cursor;
    if (args.cursor === undefined) return;
  }
}
