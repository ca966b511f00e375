// SPDX-License-Identifier: Apache-2.0
//
// many_agents.mjs LOCI [PROCESSES WRITES]: many servers on one memory at once, each with its client.
// Every write is acknowledged and kept; each server sees the others' at its next call; killing
// servers at any moment loses nothing that was acknowledged.
import { execFileSync } from 'node:child_process';
import { MOST_BYTES, Server, check, inDirectory, loci, seeded } from './client.mjs';

const [binary, processes = '4', writes = '40'] = process.argv.slice(2);
const random = seeded(1);
const ALL = { max_bytes: MOST_BYTES };

// One agent's writes, one after the other; each that was acknowledged is added to `kept`.
async function write(server, agent, count, kept) {
  for (let i = 0; i < count; ++i) {
    const name = `agent ${agent} memory ${i}`;
    await server.must('create_entities',
        { entities: [{ name, entityType: 'memory', observations: [`written by ${agent} as ${i}`] }] });
    kept.add(name);
    if (i % 2 === 0) {
      await server.must('create_relations', { relations: [{ from: name, to: 'all', relationType: 'of' }] });
      kept.add(`${name} > all`);
      await server.must('add_observations',
          { observations: [{ entityName: 'shared', contents: [`seen by ${name}`] }] });
      kept.add(`seen by ${name}`);
    }
  }
}

// What a server shows of the memory, as `kept` has it.
async function shown(server) {
  const graph = await server.must('read_graph', ALL);
  check(graph.left_out === undefined, 'the budget is too small for this test', graph.left_out);
  return new Set([...graph.entities.map(({ name }) => name),
    ...graph.relations.map(({ from, to }) => `${from} > ${to}`),
    ...graph.entities.find(({ name }) => name === 'shared').observations]);
}

const missing = (kept, seen) => [...kept].filter((one) => !seen.has(one));

await inDirectory(async (directory) => {
  const how = loci(binary, directory);
  const start = (count) => Promise.all(Array.from({ length: count }, () => Server.start(how)));
  const kept = new Set();
  let servers = await start(Number(processes));
  await servers[0].must('create_entities',
      { entities: [{ name: 'shared', entityType: 't', observations: [] }] });

  // Nobody is killed: nothing is lost, and all see all, while they still run.
  await Promise.all(servers.map((server, agent) => write(server, agent, Number(writes), kept)));
  for (const server of servers) {
    const lost = missing(kept, await shown(server));
    check(lost.length === 0, `${lost.length} of ${kept.size} writes are not seen by another`,
          lost.slice(0, 5));
  }

  // Half of them are killed while they write, at moments that differ.
  const doomed = servers.slice(0, Math.ceil(servers.length / 2));
  const killed = doomed.map(async (server) => {
    await new Promise((resolve) => { setTimeout(resolve, 20 + random() * 200); });
    await server.kill();
  });
  let ended = 0;
  await Promise.all([...killed, ...servers.map((server, agent) =>
      write(server, `second ${agent}`, Number(writes), kept).catch(() => { ++ended; }))]);
  check(ended <= doomed.length, `${ended} agents failed, ${doomed.length} were killed`);
  const survivor = servers.at(-1);
  check(missing(kept, await shown(survivor)).length === 0, 'a survivor lacks what was acknowledged');
  await Promise.all(servers.slice(doomed.length).map((server) => server.close()));
  servers = await start(1);
  const lost = missing(kept, await shown(servers[0]));
  check(lost.length === 0, 'acknowledged writes are lost', lost.slice(0, 5));
  await servers[0].close();
  execFileSync(binary, ['check', how.args[1]], { stdio: ['ignore', 'ignore', 'inherit'] });
  console.log(`${kept.size} acknowledged writes of ${processes} servers are kept;`
      + ` ${ended} of ${doomed.length} killed while they wrote`);
});
