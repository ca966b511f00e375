// SPDX-License-Identifier: Apache-2.0
//
// conformance.mjs LOCI: the official conformance suite against `loci mcp --http`. conformance.yml lists
// the scenarios that ask for tools, resources and prompts of the suite's own, or for what Loci does not
// declare; the suite fails where another one fails, and where one of these passes after all.
import { spawn, spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { check, inDirectory, loci } from './client.mjs';

const SUITE = path.join(process.env.LOCI_PEERS, '@modelcontextprotocol/conformance/dist/index.js');
const EXPECTED = fileURLToPath(new URL('conformance.yml', import.meta.url));

await inDirectory(async (directory) => {
  const { command, args } = loci(process.argv[2], directory, '--http', '0', '--no-token');
  const server = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  try {
    const url = await new Promise((resolve, reject) => {
      let told = '';
      server.stderr.on('data', (bytes) => {
        told += bytes;
        const found = told.match(/http:\/\/\S+\/mcp/);
        if (found) resolve(found[0]);
      });
      server.on('exit', () => reject(new Error(`the server ended: ${told}`)));
    });
    const suite = spawnSync(process.execPath, [SUITE, 'server', '--url', url, '--suite', 'all',
      '--expected-failures', EXPECTED, '--output-dir', directory],
    { cwd: directory, encoding: 'utf8' });
    server.removeAllListeners('exit');
    server.kill();  // before the check, which ends this program
    check(suite.status === 0, 'the conformance suite fails', suite.stdout, suite.stderr);
    console.log(suite.stdout.match(/Total: .*/)[0]);
  } catch (error) {
    server.kill();
    throw error;
  }
});
