// SPDX-License-Identifier: Apache-2.0
//
// errors.mjs LOCI: what a client gets for what is wrong, beside the reference server: the same code of
// JSON-RPC, or the same isError. The texts may differ (the reference prints its validator's).
import { GRAPH, Server, check, inDirectory, loci, reference } from './client.mjs';

const call = (name, args) => ['tools/call', { name, arguments: args }];
const entity = { name: 'a', entityType: 't', observations: [] };

const CASES = [
  call('create_entities', {}),
  call('create_entities', { entities: 'x' }),
  call('create_entities', { entities: null }),
  call('create_entities', { entities: [null] }),
  call('create_entities', { entities: [{ ...entity, name: 1 }] }),
  call('create_entities', { entities: [{ ...entity, observations: 'x' }] }),
  call('create_entities', { entities: [{ ...entity, observations: [1] }] }),
  call('create_entities', { entities: [{ name: 'a', entityType: 't' }] }),
  call('create_entities', { entities: [entity, { name: 'b' }] }),
  call('create_entities', { entities: [] }),
  call('create_entities', { entities: [{ ...entity, name: 'more', extra: 1 }], extra: 2 }),
  call('create_relations', { relations: [{ from: 'a', to: 'b' }] }),
  call('create_relations', { relations: [{ from: 'a', to: 'b', relationType: null }] }),
  call('create_relations', { relations: {} }),
  call('add_observations', { observations: [{ entityName: 'nobody', contents: ['x'] }] }),
  call('add_observations', { observations: [{ entityName: 'nobody', contents: [] }] }),
  call('add_observations', { observations: [{ entityName: 'more', contents: ['x'] },
    { entityName: 'nobody', contents: ['x'] }] }),
  call('add_observations', { observations: [{ entityName: 'more' }] }),
  call('add_observations', { observations: [{ name: 'more', contents: ['x'] }] }),
  call('delete_entities', { entityNames: 'a' }),
  call('delete_entities', { entityNames: [] }),
  call('delete_entities', { entityNames: ['nobody'] }),
  call('delete_entities', { names: ['more'] }),
  call('delete_observations', { deletions: [{ entityName: 'nobody', observations: ['x'] }] }),
  call('delete_observations', { deletions: [{ entityName: 'more' }] }),
  call('delete_relations', { relations: [{ from: 'x', to: 'y', relationType: 'z' }] }),
  call('delete_relations', { relations: [{ from: 'x' }] }),
  call('read_graph', undefined),
  call('read_graph', {}),
  call('read_graph', { extra: [1, 2] }),
  call('search_nodes', {}),
  call('search_nodes', { query: 7 }),
  call('search_nodes', { query: ['a'] }),
  call('search_nodes', { query: 'more', extra: true }),
  call('open_nodes', {}),
  call('open_nodes', { names: 'more' }),
  call('open_nodes', { names: [null] }),
  call('open_nodes', { names: ['more', 'nobody'] }),
  call('no_such_tool', {}),
  call('', {}),
  call('read_graph', 'text'),
  call('read_graph', [1]),
  ['tools/call', { arguments: {} }],
  ['tools/call', { name: 7 }],
  ['tools/call', {}],
  ['ping', {}],
  ['ping', { extra: 1 }],
  ['no/such', {}],
  ['', {}],
  ['prompts/list', {}],
  ['completion/complete', { ref: { type: 'ref/resource', uri: 'x' }, argument: { name: 'a', value: 'b' } }],
  ['logging/setLevel', { level: 'info' }],
  ['sampling/createMessage', {}],
  ['resources/list', {}],
  ['resources/templates/list', {}],
  ['resources/read', { uri: 'memory://no-such' }],
  ['resources/read', { uri: 'no uri at all' }],
  ['resources/read', { uri: 7 }],
  ['resources/read', {}],
  ['resources/read', { uri: GRAPH, extra: 1 }],
  ['resources/subscribe', { uri: GRAPH }],
  ['resources/subscribe', { uri: 'memory://no-such' }],
  ['resources/subscribe', {}],
  ['resources/subscribe', { uri: 7 }],
  ['resources/unsubscribe', { uri: GRAPH }],
  ['resources/unsubscribe', { uri: 'memory://no-such' }],
  ['resources/unsubscribe', {}],
];

// JSON-RPC has a code for parameters that are wrong; the reference's library says "internal error".
const INTERNAL = 'code -32603';
const INVALID_PARAMETERS = 'code -32602';

// "result", "isError", or the code of the error.
async function outcome(server, [method, params]) {
  try {
    const result = await server.request(method, params);
    return result.isError ? 'isError' : 'result';
  } catch (error) {
    return `code ${error.code}`;
  }
}

await inDirectory(async (directory) => {
  const [ours, theirs] = await Promise.all(
      [Server.start(loci(process.argv[2], directory)), Server.start(reference(directory))]);
  const wrong = [];
  for (const request of CASES) {
    const [our, their] = await Promise.all([outcome(ours, request), outcome(theirs, request)]);
    const wanted = their === INTERNAL ? INVALID_PARAMETERS : their;
    if (our !== wanted) wrong.push(`${JSON.stringify(request)}: ${our}, not ${wanted}`);
  }
  check(wrong.length === 0, `${wrong.length} requests are answered otherwise`, wrong.join('\n'));
  await Promise.all([ours.close(), theirs.close()]);
  console.log(`${CASES.length} requests have the reference's outcome`);
});
