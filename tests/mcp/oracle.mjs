// SPDX-License-Identifier: Apache-2.0
//
// oracle.mjs LOCI [CALLS] [SEED]: the reference server says what is right. The same random calls
// (sequence.mjs) go to it and to `loci mcp`, each on a directory of its own; results, errors and their
// texts, what the graph is after each write and whether a subscriber is told must be the same, with
// lists as sets. Both are started anew now and then. A failure prints the seed and the calls before.
//
// The budget of reads is at its most. What is allowed to differ: order and number in a list, which is
// a set; and search_nodes with a query of several words that nothing contains, to which Loci recalls
// by words.
import { calls } from './sequence.mjs';
import {
  GRAPH, MOST_BYTES, Server, canonical, check, inDirectory, loci, reference, same, seeded,
} from './client.mjs';

const [binary, count = '1500', seed = '1'] = process.argv.slice(2);
const EACH_START = 500;
const WRITES = /^(create|add|delete)_/;

// The text of a result is its first list, or all of it, as JSON, or a sentence.
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const shown = (result) => ({
  isError: result.isError ?? false,
  structured: result.structuredContent ?? null,
  text: result.content.map(({ type, text }) => [type, parsed(text)]),
});

// Observations given twice in one call are one.
const once = (call) => call.name !== 'add_observations' ? call : { ...call, arguments: {
  observations: call.arguments.observations.map((o) => ({ ...o, contents: [...new Set(o.contents)] })) } };

async function start(directory) {
  const both = { ours: await Server.start(loci(binary, directory, '--max-bytes', String(MOST_BYTES))),
    theirs: await Server.start(reference(directory)) };
  for (const server of Object.values(both)) {
    await server.client.listTools();
    await server.request('resources/subscribe', { uri: GRAPH });
  }
  return both;
}

await inDirectory(async (directory) => {
  const next = calls(seeded(Number(seed)));
  const done = [];
  let { ours, theirs } = await start(directory);
  let found = 0;
  let refused = 0;
  for (let i = 0; i < Number(count); ++i) {
    if (i % EACH_START === EACH_START - 1) {
      await Promise.all([ours.close(), theirs.close()]);
      ({ ours, theirs } = await start(directory));
    }
    const call = next();
    done.push(call);
    const [our, their] = await Promise.all([
      ours.client.callTool(call), theirs.client.callTool(once(call))]);
    const recalled = call.name === 'search_nodes' && /\S\s+\S/.test(call.arguments.query)
        && their.structuredContent.entities.length === 0;
    check(recalled || same(shown(our), shown(their)), `call ${i} of seed ${seed} differs`,
          `calls before: ${JSON.stringify(done.slice(-30, -1))}`, call,
          'loci:', canonical(shown(our)), 'reference:', canonical(shown(their)), ours.stderr);
    refused += their.isError ? 1 : 0;
    found += their.structuredContent?.entities?.length ?? 0;
    if (!WRITES.test(call.name)) continue;
    const [ourGraph, theirGraph] = await Promise.all(
        [ours.must('read_graph', {}), theirs.must('read_graph', {})]);
    const now = canonical(ourGraph);
    check(now === canonical(theirGraph), `the graph after call ${i} of seed ${seed} differs`,
          `calls before: ${JSON.stringify(done.slice(-30, -1))}`, call,
          'loci:', now, 'reference:', canonical(theirGraph));
    if (done.length % 20 === 0) {
      const [resource, theirResource] = await Promise.all(
          [ours, theirs].map((server) => server.request('resources/read', { uri: GRAPH })));
      check(same({ ...resource.contents[0], text: parsed(resource.contents[0].text) },
                 { ...theirResource.contents[0], text: parsed(theirResource.contents[0].text) }),
            `the resource after call ${i} differs`, resource, theirResource);
    }
    const [told, theirTold] = [ours, theirs].map((server) => server.updates.splice(0));
    check(same(told, theirTold) && told.length === theirTold.length,
          `subscribers are told otherwise of call ${i} of seed ${seed}`, call, told, theirTold);
  }
  await Promise.all([ours.close(), theirs.close()]);
  check(found > 0 && (Number(count) < 500 || refused > 0), 'the calls find nothing or refuse nothing');
  console.log(`${count} calls of seed ${seed} agree; ${refused} refused, ${found} entities found`);
});
