// SPDX-License-Identifier: Apache-2.0
//
// Whether writes survive each other: N processes on one memory, a client each, each writes M entities one
// after the other. Counted are those that a server started afterwards knows, of those acknowledged.
import { kinds, Server, wholeGraph } from './server.mjs';

async function writer(kind, file, who, writes) {
  const server = await Server.start(kind, file);
  let acknowledged = 0;
  let refused = 0;
  for (let i = 0; i < writes; ++i) {
    const name = `writer ${who} write ${i}`;
    try {
      await server.call('create_entities', {
        entities: [{ name, entityType: 'note', observations: [`seen by ${who}`] }],
      });
      ++acknowledged;
    } catch {
      ++refused;
    }
  }
  await server.close();
  return { acknowledged, refused };
}

// kind -> {acknowledged, refused, kept, seconds}
export async function countKept(fileOf, processes, writes) {
  const counts = {};
  for (const kind of kinds) {
    const file = fileOf(kind);
    const begin = performance.now();
    const all = await Promise.all(
      Array.from({ length: processes }, (_, who) => writer(kind, file, who, writes)));
    const seconds = (performance.now() - begin) / 1000;
    const server = await Server.start(kind, file);
    const names = new Set();
    for await (const page of wholeGraph(kind, server)) {
      for (const entity of page.structuredContent.entities) names.add(entity.name);
    }
    await server.close();
    const sum = (member) => all.reduce((total, one) => total + one[member], 0);
    counts[kind] = { acknowledged: sum('acknowledged'), refused: sum('refused'), kept: names.size, seconds };
  }
  return counts;
}
