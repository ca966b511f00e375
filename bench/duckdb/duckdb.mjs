// SPDX-License-Identifier: Apache-2.0
//
// duckdb.mjs FACTS.tsv QUESTIONS.jsonl: the questions of lookup.cc on DuckDB, with the same facts in
// the same layout as SQLite has them (a dictionary of names, triples of numbers) and DuckDB's own
// indexes on both. One thread, everything in memory, statements prepared, names in and names out.
//
// Each line of QUESTIONS is what `lookup` asked: {"name", "sql", "loci_us": its median, "subjects":
// [...], "bytes": of all names in the answers to these}. The answers must have as many bytes.
import { readFileSync } from 'node:fs';
import { DuckDBInstance } from '@duckdb/node-api';

const [facts, questions] = process.argv.slice(2);
if (questions === undefined) {
  console.error('usage: duckdb.mjs FACTS.tsv QUESTIONS.jsonl');
  process.exit(2);
}

const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
const db = await instance.connect();
const begin = performance.now();
await db.run(`CREATE TABLE raw AS SELECT * FROM read_csv('${facts}', delim = '\t', header = false,
  quote = '', escape = '', columns = {'s': 'VARCHAR', 'r': 'VARCHAR', 'o': 'VARCHAR'})`);
await db.run(`CREATE TABLE names AS SELECT row_number() OVER (ORDER BY name)::INTEGER AS id, name
  FROM (SELECT s AS name FROM raw UNION SELECT r FROM raw UNION SELECT o FROM raw)`);
await db.run(`CREATE TABLE t AS SELECT DISTINCT s.id AS s, r.id AS r, o.id AS o FROM raw
  JOIN names s ON s.name = raw.s JOIN names r ON r.name = raw.r JOIN names o ON o.name = raw.o
  ORDER BY ALL`);
await db.run('DROP TABLE raw');
await db.run('CREATE UNIQUE INDEX names_name ON names(name)');
await db.run('CREATE UNIQUE INDEX names_id ON names(id)');
await db.run('CREATE INDEX t_s ON t(s)');
const [[version]] = await (await db.run('SELECT version()')).getRows();
console.log(`duckdb ${version}: loaded and indexed in ${((performance.now() - begin) / 1000).toFixed(1)} s`);

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
for (const line of readFileSync(questions, 'utf8').trimEnd().split('\n')) {
  const question = JSON.parse(line);
  const statement = await db.prepare(question.sql);
  const times = [];
  let bytes = 0;
  for (const subject of question.subjects) {
    const start = performance.now();
    statement.bindVarchar(1, subject);
    const result = await statement.run();
    const rows = await result.getRows();
    for (const [name] of rows) bytes += Buffer.byteLength(name);
    times.push((performance.now() - start) * 1000);
  }
  if (bytes !== question.bytes) {
    console.error(`duckdb.mjs: ${question.name}: answers of ${bytes} bytes, expected ${question.bytes}`);
    process.exit(1);
  }
  const ours = question.loci_us;
  console.log(`${question.name.padEnd(8)} ${ours.toFixed(2).padStart(12)} us loci ` +
    `${median(times).toFixed(1).padStart(12)} us duckdb ${(median(times) / ours).toFixed(0).padStart(8)} times`);
}
