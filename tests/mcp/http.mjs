// SPDX-License-Identifier: Apache-2.0
//
// http.mjs LOCI: the official client over streamable HTTP. Without the token it is refused; with it,
// two clients share one memory through one server, a subscriber hears of a write on its stream, a
// session that was ended is no more, and the server ends in order.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { once } from 'node:events';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { GRAPH, check, inDirectory, loci } from './client.mjs';

async function connect(url, token) {
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: token === undefined ? {} : { Authorization: `Bearer ${token}` } } });
  const client = new Client({ name: 'loci-tests', version: '1' });
  const updates = [];
  let wake = () => {};
  client.setNotificationHandler(ResourceUpdatedNotificationSchema,
      ({ params }) => { updates.push(params.uri); wake(); });
  await client.connect(transport);
  return { client, transport, updates,
           update: () => new Promise((resolve) => { wake = resolve; if (updates.length) resolve(); }) };
}

const fails = (promise) => promise.then(() => undefined, (error) => error);
const entity = (name) => ({ name: 'create_entities', arguments: {
  entities: [{ name, entityType: 'person', observations: ['likes tea'] }] } });
const names = async ({ client }) => (await client.callTool({ name: 'read_graph', arguments: {} }))
    .structuredContent.entities.map((one) => one.name).sort().join();

await inDirectory(async (directory) => {
  const how = loci(process.argv[2], directory, '--http', '0', '--token-file',
                   path.join(directory, 'token'));
  const server = spawn(how.command, how.args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const url = String((await once(server.stderr, 'data'))[0]).trim();
  const token = readFileSync(path.join(directory, 'token'), 'utf8').trim();

  const refused = await fails(connect(url));
  check(refused !== undefined, 'a client without the token is refused');
  check((await fails(connect(url, 'x'.repeat(64)))) !== undefined, 'and one with another');

  const [ada, bob] = [await connect(url, token), await connect(url, token)];
  check(ada.transport.sessionId !== bob.transport.sessionId, 'sessions have identifiers of their own');
  check((await ada.client.listTools()).tools.length >= 9, 'there are tools');
  await ada.client.subscribeResource({ uri: GRAPH });
  await ada.client.callTool(entity('Ada'));
  await ada.update();
  check(ada.updates[0] === GRAPH && bob.updates.length === 0, 'the subscriber is told', ada.updates);
  await Promise.all([bob.client.callTool(entity('Bob')), ada.client.callTool(entity('Cy'))]);
  check(await names(ada) === 'Ada,Bob,Cy' && await names(bob) === 'Ada,Bob,Cy', 'both see all',
        await names(ada));

  const id = bob.transport.sessionId;
  await bob.transport.terminateSession();
  const ended = await fetch(url, { method: 'DELETE', headers: {
    'Authorization': `Bearer ${token}`, 'Mcp-Session-Id': id } });
  check(ended.status === 404, 'a session that was ended is no more', String(ended.status));
  await bob.client.close();

  server.kill('SIGTERM');  // with a stream open
  const [code] = await once(server, 'exit');
  check(code === 0, 'it ends in order', String(code));
  await ada.client.close();
});
