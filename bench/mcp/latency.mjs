// SPDX-License-Identifier: Apache-2.0
//
// How long each tool takes on a graph of so many entities. The servers take turns call by call, so that what
// else the machine does falls on both. What a call writes is deleted by a later one: the graph
// stays as large as it is said to be.
import { setTimeout as settle } from 'node:timers/promises';
import { nameOf, entityOf, relationsOf, observationOf } from './data.mjs';
import { kinds, wholeGraph } from './server.mjs';

// One call of each tool. round makes the arguments new, so that a write always writes.
export function steps(size, round) {
  const fresh = { ...entityOf(size + round), name: `fresh-${round}` };
  const known = (round * 7919) % size;
  const relation = { from: nameOf(known), to: `fresh-${round}`, relationType: 'mentions' };
  const observation = `said in round ${round}: ${observationOf(round, 5)}`;
  return [
    ['create_entities', { entities: [fresh] }],
    ['create_relations', { relations: [relation] }],
    ['add_observations', { observations: [{ entityName: nameOf(known), contents: [observation] }] }],
    // Of this name there are one, eleven, or as many more as share the beginning of a number.
    ['search_nodes', { query: nameOf(known) }],
    ['open_nodes', { names: [nameOf(known), relationsOf(known, size)[0].to, 'nobody'] }],
    ['delete_observations', { deletions: [{ entityName: nameOf(known), observations: [observation] }] }],
    ['delete_relations', { relations: [relation] }],
    ['delete_entities', { entityNames: [`fresh-${round}`] }],
    ['read_graph', {}],
  ];
}

export const tools = steps(1, 0).map(([tool]) => tool);

export function quantile(sorted, q) {
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))];
}

// [milliseconds, result], or nothing where this tool fails. The official client closes the connection
// at a message of more than 10 MiB, which the reference server's read_graph sends from some 10,500 entities on.
async function timed(servers, kind, tool, args) {
  if (servers[kind].failures.has(tool)) return undefined;
  const begin = performance.now();
  try {
    const result = await servers[kind].call(tool, args);
    return [performance.now() - begin, result];
  } catch (error) {
    servers[kind] = await servers[kind].replaced(tool, error);
    return undefined;
  }
}

// kind -> undefined where the tool failed, else {median, p99, characters of the last result's text, all of them ASCII}, times in ms.
function summary(row) {
  const out = {};
  for (const [kind, { all, bytes }] of Object.entries(row)) {
    const sorted = all.sort((a, b) => a - b);
    out[kind] = { median: quantile(sorted, 0.5), p99: quantile(sorted, 0.99), bytes };
  }
  return out;
}

// servers: kind -> Server, replaced where a tool ends one. Returns tool -> summary.
export async function measure(servers, size, rounds, warmup) {
  const rows = Object.fromEntries(tools.map((tool) => [tool, {}]));
  for (let round = 0; round < warmup + rounds; ++round) {
    for (const [tool, args] of steps(size, round)) {
      for (const kind of round % 2 ? kinds : [...kinds].reverse()) {
        const done = await timed(servers, kind, tool, args);
        if (round < warmup || done === undefined) continue;
        const [milliseconds, result] = done;
        const row = (rows[tool][kind] ??= { all: [], bytes: 0 });
        row.all.push(milliseconds);
        row.bytes = result.content[0].text.length;
      }
    }
    await settle(20);  // what megabytes of result leave to the client's collector is not the next call's
  }
  return Object.fromEntries(Object.entries(rows).map(([tool, row]) => [tool, summary(row)]));
}

// All of the graph, in Loci's case in its largest pages; returns a summary. Apart from measure, as the calls
// after megabytes of result are slower, and Loci's users do not read so.
export async function measureWholeRead(servers, rounds) {
  const row = {};
  const able = kinds.filter((kind) => !servers[kind].failures.has('read_graph'));
  for (const kind of able) row[kind] = { all: [], bytes: 0 };
  for (let round = 0; round < rounds; ++round) {
    for (const kind of able) {
      let bytes = 0;
      const begin = performance.now();
      for await (const page of wholeGraph(kind, servers[kind])) {
        bytes += page.content[0].text.length;
      }
      row[kind].all.push(performance.now() - begin);
      row[kind].bytes = bytes;
    }
  }
  return summary(row);
}
