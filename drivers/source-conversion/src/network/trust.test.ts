import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { convertSource } from '../convert-source.js';
import { detectSource } from '../detect-source.js';
import type { Vcs } from '../source.js';
import { hasApache, serveApache } from '../testing/apache.js';
import { type Authority, makeAuthority } from '../testing/authority.js';
import { MercurialFixture } from '../testing/mercurial-fixture.js';
import { commitsOf, contextIn, git, run, scratchFor } from '../testing/scratch.js';
import { gitBackend, passedTo, serveHttps, serveMercurial } from '../testing/servers.js';
import { SubversionFixture } from '../testing/subversion-fixture.js';
import { teamFoundation } from '../testing/team-foundation-server.js';

/** A repository of each kind with one commit, behind a server that speaks HTTPS. Resolves to its URL. */
const sources: Readonly<
  Record<Vcs, (t: ExecutionContext, directory: string, certificate: Authority['server']) => Promise<string>>
> = {
  async git(t, directory, certificate) {
    await run(directory, 'git', ['init', '-q', '--bare', 'source.git']);
    const source = join(directory, 'source.git');
    const tree = await git(source, 'hash-object', '-t', 'tree', '-w', '/dev/null');
    const identity = ['-c', 'user.name=alice', '-c', 'user.email=alice@example.org'];
    await git(
      source,
      'update-ref',
      'refs/heads/master',
      await git(source, ...identity, 'commit-tree', '-m', 'one', tree),
    );
    return `${await serveHttps(t, certificate, gitBackend(directory))}/source.git`;
  },
  async mercurial(t, directory, certificate) {
    const fixture = await MercurialFixture.create(t, directory);
    await fixture.commit('a', 'alice', 1000);
    return serveHttps(t, certificate, passedTo(await serveMercurial(t, fixture.repository)));
  },
  async subversion(t, directory, certificate) {
    const fixture = await SubversionFixture.create(directory);
    await fixture.write({ 'trunk/a': '1\n' });
    await fixture.commit('alice', 'one');
    return `${await serveApache(t, directory, { username: 'x', password: 'x', certificate })}/open/svn`;
  },
  async tfvc(t, _directory, certificate) {
    const author = { displayName: 'alice', uniqueName: 'alice@example.org' };
    const changes = [
      { type: 'add', path: '$/One', isFolder: true },
      { type: 'add', path: '$/One/a', text: '1' },
    ];
    const changeset = { author, date: '2020-01-01T00:00:00Z', comment: 'one', changes };
    const listener = teamFoundation({ projects: ['One'], changesets: [changeset] });
    return `${await serveHttps(t, certificate, listener)}/tfs/DefaultCollection`;
  },
};

const authorities = Promise.all([makeAuthority('known'), makeAuthority('stranger')]);

for (const vcs of ['git', 'mercurial', 'subversion', 'tfvc'] as const) {
  (vcs !== 'subversion' || hasApache ? test : test.skip)(
    `over HTTPS, ${vcs} trusts the authorities that the context names beside the host's, and no others`,
    async (t) => {
      const directory = await scratchFor(t);
      const [known, stranger] = await authorities;
      const url = await sources[vcs](t, directory, known.server);
      const named = url.replace('127.0.0.1', 'localhost');
      const repository = join(directory, 'converted');
      const context = { ...contextIn(directory), repository, authorities: [stranger.certificate] };
      const untrusted = await detectSource({ url }, context);
      t.regex(untrusted.status === 'found-nothing' ? untrusted.reason : '', /certificate/);
      const refused = await t.throwsAsync(convertSource({ url, vcs }, context), { message: /certificate/ });
      t.like(refused, { failure: 'unreachable' });
      const trusting = { ...context, authorities: [stranger.certificate, known.certificate] };
      // hg and svn take no address for the name in a certificate.
      t.like(await detectSource({ url: named }, trusting), { status: 'found', vcs });
      await convertSource({ url: named, vcs }, trusting);
      t.is((await commitsOf(repository, 'master')).length, 1);
    },
  );
}
