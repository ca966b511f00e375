// SPDX-License-Identifier: Apache-2.0
//
// first_start.mjs LOCI: MEMORY_FILE_PATH names the file of the reference server and Loci takes it over:
// it shows what the reference shows of the same file, leaves the file as it is, and does not import
// again what was deleted later. A bad line, at which every tool of the reference fails, costs itself.
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { MOST_BYTES, Server, canonical, check, inDirectory, reference, same, seeded } from './client.mjs';
import { calls } from './sequence.mjs';

const ours = (file) => ({ command: process.argv[2], args: ['mcp', '--max-bytes', String(MOST_BYTES)],
  env: { MEMORY_FILE_PATH: file } });

await inDirectory(async (directory) => {
  const file = path.join(directory, 'memory.jsonl');
  const next = calls(seeded(7));
  let server = await Server.start(reference(directory));
  for (let i = 0; i < 200; ++i) {
    const call = next();
    await server.call(call.name, call.arguments);
  }
  const graph = await server.must('read_graph', {});
  check(graph.entities.length > 5 && graph.relations.length > 5, 'the file is too small', graph);
  await server.close();

  // Lines of a crash, of an editor and of somebody else: only what can be read is taken.
  appendFileSync(file, '\n{"type":"entity","name":"cut off\n\n[1,2]\n{"type":"unknown"}\n'
      + '{"type":"entity","name":7,"entityType":"t","observations":[]}\n\xff\n'
      + '{"type":"entity","name":"after","entityType":"t","observations":["the bad lines"]}');
  const before = readFileSync(file);
  const wanted = { entities: [...graph.entities,
    { name: 'after', entityType: 't', observations: ['the bad lines'] }], relations: graph.relations };

  server = await Server.start(ours(file));
  const taken = await server.must('read_graph', {});
  check(same(taken, wanted), 'not what the reference shows of its file', canonical(taken), canonical(wanted));
  check(/memory\.jsonl/.test(server.stderr), 'stderr does not say what was imported', server.stderr);
  const gone = graph.entities[0].name;
  await server.must('delete_entities', { entityNames: [gone] });
  await server.close();

  server = await Server.start(ours(file));
  const again = await server.must('read_graph', {});
  check(again.entities.length === wanted.entities.length - 1
        && !again.entities.some(({ name }) => name === gone), 'imported again', canonical(again));
  await server.close();
  check(before.equals(readFileSync(file)), 'the file was changed');

  const failing = await Server.start(reference(directory));
  check((await failing.call('read_graph', {})).isError, 'the reference reads bad lines by now');
  await failing.close();
});

// There is no file yet: the memory is made beside where it would be.
await inDirectory(async (directory) => {
  const server = await Server.start(ours(path.join(directory, 'memory.jsonl')));
  check((await server.must('read_graph', {})).entities.length === 0, 'a fresh memory is empty');
  await server.must('create_entities', { entities: [{ name: 'a', entityType: 't', observations: [] }] });
  await server.close();
  writeFileSync(path.join(directory, 'memory.jsonl'),
      '{"type":"entity","name":"late","entityType":"t","observations":[]}\n');
  const later = await Server.start(ours(path.join(directory, 'memory.jsonl')));
  const names = (await later.must('read_graph', {})).entities.map(({ name }) => name);
  check(same(names, ['a']), 'a file that comes after the memory is not imported', names);
  await later.close();
});
console.log('what the reference has stored is taken over once');
