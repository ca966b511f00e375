// SPDX-License-Identifier: Apache-2.0
//
// The graph that both servers are measured on: what an agent keeps of people and projects. Entity i has
// three observations of about 60 bytes and two relations; all of it follows from i alone.

const kinds = ['person', 'project', 'service', 'decision', 'place'];
const relationTypes = ['works_on', 'depends_on', 'decided_by', 'located_in'];
const words = ['deploys', 'reviews', 'prefers', 'remembers', 'postponed', 'measured', 'renamed',
  'the', 'nightly', 'build', 'budget', 'release', 'ticket', 'meeting', 'database', 'customer',
  'quiet', 'longer', 'second', 'winter', 'before', 'after', 'because', 'within', 'Tuesday'];

// A mix of the bits of i and j (the finalizer of MurmurHash3), the same on every machine.
function mix(i, j) {
  let x = (Math.imul(i, 0x9e3779b1) ^ Math.imul(j + 1, 0x85ebca6b)) >>> 0;
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return (x ^ (x >>> 16)) >>> 0;
}

export const nameOf = (i) => `${kinds[i % kinds.length]}-${i}`;

export function observationOf(i, j) {
  const text = [];
  for (let k = 0; k < 7; ++k) text.push(words[mix(i * 8 + k, j) % words.length]);
  return `${text.join(' ')} case ${mix(i, j) % 100000}`;
}

export const entityOf = (i) => ({
  name: nameOf(i),
  entityType: kinds[i % kinds.length],
  observations: [0, 1, 2].map((j) => observationOf(i, j)),
});

export const relationsOf = (i, size) => [0, 1].map((j) => ({
  from: nameOf(i),
  to: nameOf(mix(i, 10 + j) % size),
  relationType: relationTypes[j * 2 + (mix(i, 20 + j) % 2)],
}));

// The graph as the reference server keeps it: a line each, entities first. Yields parts of the text.
export function* memoryLines(size) {
  for (let i = 0; i < size; ++i) yield `${JSON.stringify({ type: 'entity', ...entityOf(i) })}\n`;
  for (let i = 0; i < size; ++i) {
    for (const relation of relationsOf(i, size)) {
      yield `${JSON.stringify({ type: 'relation', ...relation })}\n`;
    }
  }
}
