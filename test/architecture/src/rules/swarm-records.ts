import type { Rule } from '../rule.js';

/** The format of a swarm's records, and the versions of the kinds that it stands for. */
const known = {
  format: 1,
  versions: {
    'plugins/cluster-networks/src/encryption-key-kind.ts': 1,
    'plugins/cluster-networks/src/network-kind.ts': 1,
    'plugins/cluster/src/records/cluster-kind.ts': 1,
    'plugins/cluster/src/records/node-kind.ts': 1,
    'plugins/cluster/src/records/sealed-kinds.ts': 1,
    'plugins/services/src/records/record-kinds.ts': 1,
  },
} as const;

const formatFile = 'plugins/cluster/src/records/record-format.ts';

/** An engine that cannot read a record must not lead, which it knows by the format alone. */
export const swarmFormatFollowsVersions: Rule = {
  title: 'the format of the records of a swarm is raised with the version of a kind',
  check(tree) {
    const found = new Map<string, number>();
    for (const { path, text, isTest } of tree.sources) {
      if (isTest || path === formatFile || !/^plugins\//.test(path) || !/RecordKind<\w+> =/.test(text)) continue;
      const versions = [...text.matchAll(/^ +version: (\d+),$/gm)].map(([, version]) => Number(version));
      if (versions.length > 0) found.set(path, Math.max(...versions));
    }
    const format = Number(/recordFormat = (\d+)/.exec(tree.files.get(formatFile) ?? '')?.[1]);
    if (Number.isNaN(format)) return [];
    const isKnown = JSON.stringify([...found].sort()) === JSON.stringify(Object.entries(known.versions).sort());
    if (isKnown && format === known.format) return [];
    return [
      `${formatFile}: kinds have ${JSON.stringify(Object.fromEntries(found))} and the format is ${format}; raise it with a ` +
        'version or for a new kind, and write both down in swarm-records.ts',
    ];
  },
};
