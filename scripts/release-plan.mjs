import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const kinds = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'];

/** What files below `changes` say of changes that are not released yet, by their names. */
export function readChanges(root) {
  const directory = join(root, 'changes');
  if (!existsSync(directory)) return new Map();
  const names = readdirSync(directory).filter((name) => name.endsWith('.md') && name !== 'README.md');
  return new Map(names.sort().map((name) => [`changes/${name}`, readFileSync(join(directory, name), 'utf8')]));
}

/** The manifests of a project's workspaces, by their files. */
export function readManifests(root) {
  const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const folders = workspaces.flatMap((pattern) =>
    pattern.endsWith('/*')
      ? readdirSync(join(root, pattern.slice(0, -2))).map((name) => `${pattern.slice(0, -1)}${name}`)
      : [pattern],
  );
  const files = ['package.json', ...folders.map((folder) => `${folder}/package.json`)];
  return new Map(
    files
      .filter((file) => existsSync(join(root, file)))
      .map((file) => [file, JSON.parse(readFileSync(join(root, file), 'utf8'))]),
  );
}

/**
 * What a release changes: the version of every package, of what they require of each other, and the changelog.
 * Throws an Error that says what is in its way.
 */
export function planRelease({ version, date, manifests, changelog, changes }) {
  const current = manifests.get('package.json').version;
  if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error(`"${version}" is no version such as 1.2.3`);
  if (compareVersions(version, current) <= 0) throw new Error(`${version} is not newer than ${current}`);
  const names = new Set([...manifests.values()].map(({ name }) => name));
  const files = new Map([...manifests].map(([file, manifest]) => [file, raised(manifest, names, current, version)]));
  return { current, files, changelog: releasedChangelog(changelog, changes, version, date) };
}

function raised(manifest, names, current, version) {
  if (manifest.version !== current) {
    throw new Error(`${manifest.name} has the version ${manifest.version}, and not ${current} as the project`);
  }
  const next = { ...manifest, version };
  for (const kind of kinds.filter((each) => manifest[each] !== undefined)) {
    next[kind] = Object.fromEntries(
      Object.entries(manifest[kind]).map(([name, range]) => {
        if (!names.has(name)) return [name, range];
        if (![current, `^${current}`].includes(range)) {
          throw new Error(`${manifest.name} requires ${name} as ${range}, and not as ${current} or ^${current}`);
        }
        return [name, range.replace(current, version)];
      }),
    );
  }
  return next;
}

const heading = '## Unreleased\n';

function releasedChangelog(text, changes, version, date) {
  const start = text.indexOf(heading);
  if (start < 0) throw new Error(`CHANGELOG.md has no "${heading.trim()}"`);
  const rest = text.slice(start + heading.length);
  const end = rest.search(/^## /m);
  const [unreleased, released] = end < 0 ? [rest, ''] : [rest.slice(0, end), rest.slice(end)];
  for (const [file, change] of changes) {
    if (!/^- \S/m.test(change)) throw new Error(`${file} has no line that begins with "- "`);
  }
  // The changelog is one folder above.
  const section = joined([unreleased, ...[...changes.values()].map((change) => change.replaceAll('](../', ']('))]);
  if (section === '') throw new Error('neither CHANGELOG.md nor changes says of anything that it is unreleased');
  const dated = `## ${version} (${date})\n\n${section}\n${released === '' ? '' : `\n${released}`}`;
  return { section, text: `${text.slice(0, start)}${heading}\n${dated}` };
}

/** One text with each heading once, and below it what the texts have there. */
function joined(texts) {
  const parts = new Map();
  for (const text of texts) {
    let current = '';
    for (const line of text.split('\n')) {
      if (line.startsWith('#')) current = line.trim();
      else if (line.trim() !== '') parts.set(current, [...(parts.get(current) ?? []), line]);
    }
  }
  return [...parts]
    .sort(([one], [other]) => Number(one !== '') - Number(other !== ''))
    .map(([title, lines]) => (title === '' ? lines.join('\n') : `${title}\n\n${lines.join('\n')}`))
    .join('\n\n');
}

/** The packages that are published, each behind those of the project that it requires. */
export function publishOrder(manifests) {
  const published = new Map(
    [...manifests]
      .filter(([file, { private: isPrivate }]) => file !== 'package.json' && isPrivate !== true)
      .map(([file, manifest]) => [manifest.name, { file, manifest }]),
  );
  const order = [];
  const seen = new Set();
  const visit = (name) => {
    if (seen.has(name) || !published.has(name)) return;
    seen.add(name);
    const { file, manifest } = published.get(name);
    const required = [manifest.dependencies, manifest.peerDependencies].flatMap((all) => Object.keys(all ?? {}));
    for (const each of required) visit(each);
    order.push({ name, folder: file.slice(0, -'/package.json'.length) });
  };
  for (const name of [...published.keys()].sort()) visit(name);
  return order;
}

/** Negative when the first is older. */
export function compareVersions(one, other) {
  const [a, b] = [one, other].map((version) => version.split('.').map(Number));
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}

/** Whether a version may break packages that were built against another: while it is 0, the second number says so. */
export function mayBreak(before, version) {
  const [a, b] = [before, version].map((each) => each.split('.').map(Number));
  return a[0] !== b[0] || (b[0] === 0 && a[1] !== b[1]);
}
