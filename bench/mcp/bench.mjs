// SPDX-License-Identifier: Apache-2.0
//
// bench.mjs FOLDER [SIZES [PROCESSES WRITES]]: `loci mcp` (the program that LOCI names) beside the reference
// memory server, in one run with the same client over stdio. Prints Markdown tables and then the goals, each
// passed or failed; exits with 1 where one failed.
//
// SIZES are entities, 100,1000,10000,100000 if not given; memories are made in FOLDER and stay there.
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { memoryLines, nameOf } from './data.mjs';
import { countKept } from './kept.mjs';
import { measure, measureWholeRead, quantile, tools } from './latency.mjs';
import { kinds, Server } from './server.mjs';

const [folder, sizesText = '100,1000,10000,100000', processes = '8', writes = '500'] =
  process.argv.slice(2);
if (folder === undefined || !process.env.LOCI) {
  console.error('usage: LOCI=PROGRAM bench.mjs FOLDER [SIZES [PROCESSES WRITES]]');
  process.exit(2);
}
const sizes = sizesText.split(',').map(Number);
// So many rounds of all tools: the reference server rewrites or reads its whole file at each call.
const rounds = (size) => (size <= 100 ? 200 : size <= 1000 ? 100 : size <= 10000 ? 15 : 2);
const warmup = (size) => (size <= 1000 ? 10 : 1);

const goals = [];
function goal(what, measured, passed) { goals.push({ what, measured, passed }); }
const fixed = (x) => (x >= 100 ? x.toFixed(0) : x >= 10 ? x.toFixed(1) : x.toFixed(2));
const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;
const ratioOf = (row) => (row.reference ? row.reference.median / row.loci.median : Infinity);
const timesOf = (row) => (row ? `${fixed(row.median)}, ${fixed(row.p99)} ms` : '**fails**');

function prepare(name, lines) {
  const file = join(folder, name, 'memory.jsonl');
  rmSync(join(folder, name), { recursive: true, force: true });
  mkdirSync(join(folder, name), { recursive: true });
  const fd = openSync(file, 'w');
  let part = '';
  for (const line of lines) {
    part += line;
    if (part.length > 1 << 20) { writeSync(fd, part); part = ''; }
  }
  writeSync(fd, part);
  closeSync(fd);
  return file;
}

// Milliseconds from nothing to the first answer of a tool.
async function startUp(kind, file) {
  const begin = performance.now();
  const server = await Server.start(kind, file);
  await server.call('open_nodes', { names: [nameOf(1)] });
  const milliseconds = performance.now() - begin;
  await server.close();
  return milliseconds;
}

async function tell(size) {
  const files = {}, servers = {}, start = {}, first = {};
  for (const kind of kinds) files[kind] = prepare(`${kind}-${size}`, memoryLines(size));
  for (const kind of kinds) first[kind] = await startUp(kind, files[kind]);  // Loci imports
  for (const kind of kinds) start[kind] = [];
  for (let i = 0; i < 5; ++i) {
    for (const kind of kinds) start[kind].push(await startUp(kind, files[kind]));
  }
  for (const kind of kinds) servers[kind] = await Server.start(kind, files[kind]);
  const memory = {}, after = {}, cpu = {};
  for (const kind of kinds) cpu[kind] = -servers[kind].cpu();
  const rows = await measure(servers, size, rounds(size), warmup(size));
  const { failures } = servers.reference;
  for (const [tool, why] of servers.loci.failures) throw new Error(`Loci's ${tool} fails: ${why}`);
  for (const kind of kinds) {
    cpu[kind] += servers[kind].cpu();
    memory[kind] = servers[kind].memory();
  }
  rows.read_graph_whole = await measureWholeRead(servers, Math.ceil(rounds(size) / 4));
  for (const kind of kinds) {
    after[kind] = servers[kind].memory();
    start[kind] = quantile(start[kind].sort((a, b) => a - b), 0.5);
    await servers[kind].close();
  }

  console.log(`\n### ${size.toLocaleString('en')} entities\n`);
  console.log('| tool | Loci: median, p99 | reference: median, p99 | times faster | bytes of text: Loci | reference |');
  console.log('|---|---|---|---|---|---|');
  for (const tool of [...tools, 'read_graph_whole']) {
    const row = rows[tool];
    const [a, b] = kinds.map((kind) => timesOf(row[kind]));
    const name = tool === 'read_graph_whole' ? 'read_graph, all pages' : tool;
    console.log(`| ${name} | ${a} | ${b} | ${row.reference ? fixed(ratioOf(row)) : ''} | ` +
                `${row.loci.bytes} | ${row.reference?.bytes ?? ''} |`);
  }
  const line = (what, ours, theirs, unit) => console.log(
    `| ${what} | ${fixed(ours)} ${unit} | ${fixed(theirs)} ${unit} | ${fixed(theirs / ours)} | | |`);
  const calls = (rounds(size) + warmup(size)) * tools.length;
  if (failures.size === 0) {
    line('CPU of the server for each call, the mean', cpu.loci * 1000 / calls, cpu.reference * 1000 / calls, 'ms');
  }
  line('start to the first answer', start.loci, start.reference, 'ms');
  line('the very first start (Loci imports)', first.loci, first.reference, 'ms');
  const resident = (what, from, member) =>
    line(what, from.loci[member] / 1e6, from.reference[member] / 1e6, 'MB');
  resident('resident after the run', memory, 'now');
  resident('resident after the whole reads', after, 'now');
  resident('resident at the highest', after, 'highest');
  for (const [tool, why] of failures) console.log(`\nThe reference server's ${tool} fails: ${why}`);
  judge(size, rows, memory);
}

function judge(size, rows, memory) {
  const ratio = (tool) => ratioOf(rows[tool]);
  const worst = (list) => list.reduce((a, b) => (ratio(a) < ratio(b) ? a : b));
  if (size === 100) {
    const tool = worst([...tools, 'read_graph_whole']);
    goal('no tool slower at 100 entities', `${tool}: ${fixed(ratio(tool))} times as fast`, ratio(tool) >= 1);
  }
  if (size === 10000) {
    const tool = worst(tools.filter((t) => /create|add|delete|search/.test(t)));
    goal('search and writes 50 times faster at 10,000', `${tool}: ${fixed(ratio(tool))} times`, ratio(tool) >= 50);
  }
  goal(`at most half the memory at ${size.toLocaleString('en')}`,
       `${megabytes(memory.loci.now)} to ${megabytes(memory.reference.now)}`,
       memory.loci.now * 2 <= memory.reference.now);
}

const cpu = cpus();
console.log(`machine: ${cpu.length} cores, ${cpu[0].model}, load ${loadavg()[0].toFixed(1)}, node ${process.version}, ` +
            `reference server ${JSON.parse(readFileSync(join(process.env.LOCI_PEERS,
              '@modelcontextprotocol/server-memory/package.json'))).version}`);
for (const size of sizes) await tell(size);

console.log(`\n### ${processes} processes, ${writes} writes each\n`);
const kept = await countKept((kind) => prepare(`${kind}-kept`, []), Number(processes), Number(writes));
console.log('| | acknowledged | refused | kept | lost | seconds |\n|---|---|---|---|---|---|');
for (const kind of kinds) {
  const { acknowledged, refused, kept: there, seconds } = kept[kind];
  console.log(`| ${kind} | ${acknowledged} | ${refused} | ${there} | ${acknowledged - there} | ${fixed(seconds)} |`);
}
goal('no write lost', `${kept.loci.kept} of ${processes * writes} kept (reference: ${kept.reference.kept})`,
     kept.loci.kept === processes * writes);

console.log('\n### Size of tools/list\n');
console.log('| | tools | bytes |\n|---|---|---|');
for (const kind of kinds) {
  const server = await Server.start(kind, prepare(`${kind}-tools`, []));
  const list = (await server.tools()).tools;
  console.log(`| ${kind} | ${list.length} | ${Buffer.byteLength(JSON.stringify(list))} |`);
  await server.close();
}

console.log('\n### Goals\n\n| goal | measured | |\n|---|---|---|');
for (const { what, measured, passed } of goals) {
  console.log(`| ${what} | ${measured} | ${passed ? 'passed' : '**failed**'} |`);
}
process.exitCode = goals.every((one) => one.passed) ? 0 : 1;
