// SPDX-License-Identifier: Apache-2.0
//
// differences.mjs LOCI: where `loci mcp` answers otherwise than the reference server on purpose, as
// docs/mcp.md lists it. Each is tried on both, so that the list stays true of both.
import { execFileSync } from 'node:child_process';
import { GRAPH, MOST_BYTES, Server, check, inDirectory, loci, reference, same } from './client.mjs';

const entity = (name, observations = [], entityType = 't') => ({ name, entityType, observations });
const relation = (from, relationType, to) => ({ from, to, relationType });
const names = (graph) => graph.entities.map(({ name }) => name);
const isError = (result) => result.isError ?? false;

// {what, run, ours, theirs}: run on a server with an empty memory gives what is stated here; names and
// observations as lists, in order, since some differences are in the order and in the number.
const DIFFERENCES = [
  {
    what: 'an entity given twice in one call is one, with the observations of both',
    run: async (server) => {
      const made = await server.must('create_entities',
          { entities: [entity('a', ['x'], 't'), entity('a', ['y'], 'u')] });
      return [made.entities.length, (await server.must('read_graph', {})).entities.length];
    },
    ours: [1, 1], theirs: [2, 2],
  },
  {
    what: 'an observation given twice is one',
    run: async (server) => {
      await server.must('create_entities', { entities: [entity('a', ['x', 'x'])] });
      await server.must('add_observations', { observations: [{ entityName: 'a', contents: ['y', 'y'] }] });
      return (await server.must('read_graph', {})).entities[0].observations;
    },
    ours: ['x', 'y'], theirs: ['x', 'x', 'y', 'y'],
  },
  {
    what: 'a relation given twice is one',
    run: async (server) => {
      const twice = [relation('a', 'r', 'b'), relation('a', 'r', 'b')];
      const made = await server.must('create_relations', { relations: twice });
      return [made.relations.length, (await server.must('read_graph', {})).relations.length];
    },
    ours: [1, 1], theirs: [2, 2],
  },
  {
    what: 'names have at least one character, and entity_type is no relation',
    run: async (server) => [
      await server.call('create_entities', { entities: [entity('')] }),
      await server.call('create_relations', { relations: [relation('a', '', 'b')] }),
      await server.call('create_relations', { relations: [relation('', 'r', 'b')] }),
      await server.call('create_relations', { relations: [relation('a', 'entity_type', 'b')] }),
      await server.call('create_entities', { entities: [entity('a', [''], '')] }),  // both take this
    ].map(isError),
    ours: [true, true, true, true, false], theirs: [false, false, false, false, false],
  },
  {
    what: 'names are in Unicode\'s normal form C, texts as they were given',
    run: async (server) => {
      await server.must('create_entities', { entities: [entity('e\u0301', ['a\u0308'])] });
      const opened = await server.must('open_nodes', { names: ['\u00e9'] });
      return opened.entities.map((found) => [found.name, ...found.observations].map((s) => s.length));
    },
    ours: [[1, 2]], theirs: [],
  },
  {
    what: 'half a surrogate pair is no text',
    run: async (server) => server.call('create_entities', { entities: [entity('\ud800')] })
        .then(isError, ({ code }) => `code ${code}`),
    ours: 'code -32700', theirs: false,
  },
  {
    what: 'search shows the entity that is named so first, then those whose names contain the query',
    run: async (server) => {
      const entities = [entity('a', ['tea']), entity('tea pot'), entity('tea')];
      await server.must('create_entities', { entities });
      return names(await server.must('search_nodes', { query: 'tea' }));
    },
    ours: ['tea', 'tea pot', 'a'], theirs: ['a', 'tea pot', 'tea'],
  },
  {
    what: 'search with several words that nothing contains as they stand recalls by the words',
    run: async (server) => {
      const entities = [entity('ann', ['likes green tea']), entity('bob', ['runs'])];
      await server.must('create_entities', { entities });
      return names(await server.must('search_nodes', { query: 'tea, green' }));
    },
    ours: ['ann'], theirs: [],
  },
  {
    what: 'a sigma is a sigma, wherever it stands',
    run: async (server) => {
      await server.must('create_entities', { entities: [entity('ΣΊΣΥΦΟΣ')] });
      return names(await server.must('search_nodes', { query: 'ΣΊΣ' }));
    },
    ours: ['ΣΊΣΥΦΟΣ'], theirs: [],
  },
  {
    what: 'what goes beyond the budget is left out, said, and had by going on',
    run: async (server) => {
      const all = Array.from({ length: 300 }, (_, i) => entity(`e${i}`, [`observation number ${i}`]));
      await server.must('create_entities', { entities: all });
      const seen = [];
      let pages = 0;
      let cursor;
      do {
        const result = await server.call('read_graph', { max_bytes: 5000, ...(cursor && { cursor }) });
        const bytes = result.content.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
        if (bytes > 5000) return `${bytes} bytes, ${result.structuredContent.entities.length} entities`;
        seen.push(...result.structuredContent.entities);
        cursor = result.structuredContent.left_out?.next_cursor;
        ++pages;
      } while (cursor !== undefined);
      return [pages > 5, seen.length, same(seen, all)];
    },
    ours: [true, 300, true], theirs: '37321 bytes, 300 entities',
  },
];

async function empty(server) {
  const { entities, relations } = await server.must('read_graph', {});
  await server.must('delete_entities', { entityNames: names({ entities }) });
  await server.must('delete_relations', { relations });
}

const binary = process.argv[2];
await inDirectory(async (directory) => {
  const servers = { ours: await Server.start(loci(binary, directory, '--max-bytes', String(MOST_BYTES))),
    theirs: await Server.start(reference(directory)) };
  for (const difference of DIFFERENCES) {
    for (const [who, server] of Object.entries(servers)) {
      const is = await difference.run(server);
      const wanted = difference[who];
      check(JSON.stringify(is) === JSON.stringify(wanted), `${who}: ${difference.what}`, is, 'not', wanted);
      await empty(server);
    }
  }
  for (const server of Object.values(servers)) await server.close();
});

// An entity that is deleted goes with all that the memory knows of it, whoever learned it.
await inDirectory(async (directory) => {
  const how = loci(binary, directory);
  execFileSync(binary, ['learn', how.args[1]],
      { input: 'a\tborn_in\tb\nb\tin\tc\n', stdio: ['pipe', 'ignore', 'ignore'] });
  const server = await Server.start(how);
  await server.must('create_entities', { entities: [entity('a', ['x'])] });
  await server.must('delete_entities', { entityNames: ['a'] });
  const left = execFileSync(binary, ['export', how.args[1]], { encoding: 'utf8' });
  check(!left.includes('born_in') && left.includes('c'), 'delete_entities leaves facts', left);
  await server.close();
});
// A subscriber is told of what others wrote, at its next call.
await inDirectory(async (directory) => {
  const [subscriber, other] = [await Server.start(loci(binary, directory)),
    await Server.start(loci(binary, directory))];
  await subscriber.request('resources/subscribe', { uri: GRAPH });
  await subscriber.must('read_graph', {});
  await other.must('create_entities', { entities: [entity('a')] });
  const graph = await subscriber.must('read_graph', {});
  check(same(names(graph), ['a']) && same(subscriber.updates, [GRAPH]),
        'a subscriber is not told of what another wrote', graph, subscriber.updates);
  await Promise.all([subscriber.close(), other.close()]);
});
console.log(`${DIFFERENCES.length + 2} differences are as they are listed`);
