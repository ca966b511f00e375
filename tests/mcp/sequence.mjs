// SPDX-License-Identifier: Apache-2.0
//
// Random calls of the reference server's nine tools over small alphabets, so that they meet: missing
// entities, what is there already, relations without ends, an entity's relation to itself, empty
// lists, empty and upper-case queries, names in every script and with every character that one of
// the two could take for more than a character. Names are in normal form C and not empty, an
// entity's name is in one call once: what is otherwise is in differences.mjs.
const NAMES = ['a', 'A', 'b', 'ab', 'B c', 'é', 'É', '日本', 'Straße', 'ΣΊΓΜΑ', '?x', '1998', '-3.5',
  '2026-12-01', '_', '#', '"q"', '<b>', '\\u0041', 'x\ty', 'end ', ' begin', '🎉', 'entity_type',
  'observation', 'not', 'limit', 'a>b', "o'clock", '\u00a0', 'null', 'true', '{}', '%s', '../x'];
const TYPES = ['person', 'Person', 'city', '', 'a', '日本', 'x y', '"'];
const TEXTS = ['likes tea', 'Likes Tea', 'a', '', '42', '2026-12-01', 'ends with a line\n', 'a\nb',
  'ÉCOLE', 'école', 'tab\t', ' ', '"', '\\', '日本語', '🎉🎉', 'x'.repeat(3000), 'null', '<a> <b>',
  '\u0001', '\u007f', '\u200d'];
const RELATIONS = ['knows', 'KNOWS', 'is a', 'observation', 'a', '日本', '?r', '^r', 'type', '"', 'r+'];
const QUERIES = ['', 'a', 'A', 'é', 'É', 'tea', 'LIKES', 'person', 'PERSON', '日', '本語', 'ß', 'σ',
  'ΣΊ', '🎉', '"', '\\', '\n', 'x\ty', ' ', 'likes tea', 'no such', 'xxxx', '-', '.*', '<b', '%', '42'];
const ERASING = new Set(['delete_entities', 'delete_observations', 'delete_relations']);

// A function that makes the next call, {name, arguments}.
export function calls(random) {
  // Few values at a time make them meet; all of them come in the end.
  const pick = (list) => list[Math.floor(random() ** 2 * list.length)];
  const some = (most, make) => Array.from({ length: Math.floor(random() * (most + 1)) }, make);
  const relation = () => ({ from: pick(names), to: pick(names), relationType: pick(RELATIONS) });
  const shuffled = (list) => list.map((item) => [random(), item]).sort((a, b) => a[0] - b[0])
      .map(([, item]) => item);
  let names, texts;
  const makers = {
    create_entities: () => {
      const used = new Set();
      const entities = some(4, () => ({ name: pick(names), entityType: pick(TYPES),
        observations: [...new Set(some(4, () => pick(texts)))] }));
      return { entities: entities.filter(({ name }) => !used.has(name) && used.add(name)) };
    },
    create_relations: () => ({ relations: some(5, relation) }),
    add_observations: () => ({ observations: some(random() < 0.5 ? 1 : 3, () => ({
      entityName: pick(names), contents: some(3, () => pick(texts)) })) }),
    delete_entities: () => ({ entityNames: some(2, () => pick(names)) }),
    delete_observations: () => ({ deletions: some(3, () => ({
      entityName: pick(names), observations: some(3, () => pick(texts)) })) }),
    delete_relations: () => ({ relations: some(3, relation) }),
    read_graph: () => ({}),
    search_nodes: () => ({ query: pick(queries) }),
    open_nodes: () => ({ names: some(4, () => pick(names)) }),
  };
  const tools = Object.keys(makers);
  let queries;
  let count = 0;
  return () => {
    if (count++ % 100 === 0) [names, texts, queries] = [NAMES, TEXTS, QUERIES].map(shuffled);
    let name;
    do name = tools[Math.floor(random() * tools.length)];
    while (ERASING.has(name) && random() < 0.5);  // more comes than goes
    return { name, arguments: makers[name]() };
  };
}
