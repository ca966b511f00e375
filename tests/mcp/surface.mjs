// SPDX-License-Identifier: Apache-2.0
//
// surface.mjs LOCI: what a client sees before it calls anything. The nine tools of the reference
// server must be in tools/list as it has them: titles, annotations and schemas to the letter, but for
// what Loci adds, and only as options: arguments that are not required, members of results that are not
// required. Descriptions may say more. The resource and the capabilities must be there as it has them.
import { GRAPH, Server, check, inDirectory, loci, reference, same } from './client.mjs';

const MORE_ARGUMENTS = ['max_bytes', 'cursor', 'names_only'];
const MORE_RESULTS = ['left_out'];

// The schema without the named optional properties; fails where one of them is required.
function without(schema, names) {
  const plain = structuredClone(schema);
  for (const name of names) {
    check(!plain.required?.includes(name), `${name} must not be required`, schema);
    delete plain.properties[name];
  }
  // For clients, absent and allowed are one; the reference writes neither in what goes in.
  if (plain.required?.length === 0) delete plain.required;
  return plain;
}

// The reference marks results as complete (additionalProperties: false); arguments it leaves open.
const open = (value) => JSON.parse(JSON.stringify(value, (key, member) =>
    key === 'additionalProperties' || key === '$schema' ? undefined : member));

await inDirectory(async (directory) => {
  const [ours, theirs] = await Promise.all(
      [Server.start(loci(process.argv[2], directory)), Server.start(reference(directory))]);
  const [ourTools, theirTools] = await Promise.all([ours.client.listTools(), theirs.client.listTools()]);
  check(theirTools.tools.length === 9, 'the reference has nine tools', theirTools);
  for (const their of theirTools.tools) {
    const our = ourTools.tools.find((tool) => tool.name === their.name);
    check(our !== undefined, `${their.name} is missing`);
    check(our.title === their.title, `title of ${their.name}`, our.title, their.title);
    check(our.description.startsWith(their.description), `description of ${their.name}`,
          our.description, their.description);
    check(same(our.annotations, their.annotations), `annotations of ${their.name}`,
          our.annotations, their.annotations);
    const input = without(our.inputSchema, MORE_ARGUMENTS);
    check(same(open(input), open(their.inputSchema)), `input of ${their.name}`, input, their.inputSchema);
    const output = without(our.outputSchema, MORE_RESULTS);
    check(same(open(output), open(their.outputSchema)), `output of ${their.name}`, output,
          their.outputSchema);
  }
  for (const tool of ourTools.tools) {
    check(tool.inputSchema.type === 'object' && tool.description && tool.title && tool.annotations,
          `${tool.name} says what it is`, tool);
  }

  const [ourCapabilities, theirCapabilities] =
      [ours, theirs].map((server) => server.client.getServerCapabilities());
  check(ourCapabilities.tools && ourCapabilities.resources.subscribe
        && theirCapabilities.resources.subscribe, 'capabilities', ourCapabilities, theirCapabilities);
  for (const method of ['resources/list', 'resources/templates/list']) {
    const [our, their] = await Promise.all([ours.request(method), theirs.request(method)]);
    check(same(our, their), method, our, their);
  }
  const [our, their] = await Promise.all(
      [ours, theirs].map((server) => server.request('resources/read', { uri: GRAPH })));
  check(same(our, their), 'the resource of an empty memory', our, their);
  await Promise.all([ours.close(), theirs.close()]);
  const bytes = (tools) => Buffer.byteLength(JSON.stringify(tools));
  console.log(`nine tools as the reference has them; tools/list has ${bytes(ourTools)} bytes in`
      + ` ${ourTools.tools.length} tools, the reference's ${bytes(theirTools)}`);
});
