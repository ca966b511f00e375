// SPDX-License-Identifier: Apache-2.0
//
// inspector.mjs LOCI: the MCP inspector's command line works on `loci mcp`: it lists tools and resources,
// calls tools, and shows their errors. By hand, not in ctest: its cli.js was seen to hang before it
// starts any server, the reference's too, so that its index.js is called, which takes seconds a call.
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { GRAPH, check, inDirectory, loci } from './client.mjs';

// It looks for its package.json from the working directory.
const BUILD = path.join(process.env.LOCI_PEERS, '@modelcontextprotocol/inspector-cli/build');

await inDirectory(async (directory) => {
  const { command, args } = loci(path.resolve(process.argv[2]), directory);
  const inspect = (...what) => JSON.parse(execFileSync(process.execPath,
      ['index.js', command, ...args, ...what],
      { cwd: BUILD, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }));
  const call = (tool, ...given) => inspect('--method', 'tools/call', '--tool-name', tool,
      ...given.flatMap((argument) => ['--tool-arg', argument]));

  const { tools } = inspect('--method', 'tools/list');
  check(tools.length >= 9 && tools.some(({ name }) => name === 'search_nodes'), 'tools/list', tools);
  const { resources } = inspect('--method', 'resources/list');
  check(resources.length === 1 && resources[0].uri === GRAPH, 'resources/list', resources);
  const entities = [{ name: 'ann', entityType: 'person', observations: ['likes tea'] }];
  call('create_entities', `entities=${JSON.stringify(entities)}`);
  const found = call('search_nodes', 'query=tea');
  check(found.structuredContent.entities[0].name === 'ann', 'tools/call', found);
  const refused = call('search_nodes');
  check(refused.isError, 'a call without its argument', refused);
  console.log(`the inspector sees ${tools.length} tools and calls them`);
});
