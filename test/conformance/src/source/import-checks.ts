import { join } from 'node:path';
import type { SourceDriver, SourceProgress } from '@gantry/core/contracts';
import type { Suite } from '../suite.js';
import { checkObjects, commitCount, refsBelow } from './converted-repository.js';
import type { CreateSource, SourceSuiteOptions } from './source-suite-options.js';
import { rejectsAs, rejectsWith, withFixture } from './with-fixture.js';

/** Detection and conversion of a repository that can be reached. */
export function importChecks(suite: Suite<SourceDriver, SourceSuiteOptions>, createSource: CreateSource): void {
  suite.check('capabilities name schemes', async (t, { driver }) => {
    const { schemes, projects } = driver.capabilities;
    t.true(schemes.length > 0);
    t.true(schemes.every((scheme) => /^[a-z][a-z0-9+.-]*:$/.test(scheme)));
    t.true(['none', 'names', 'folders'].includes(projects));
  });

  suite.check('a repository is detected', async (t, { driver }) => {
    await withFixture(createSource, async ({ source, context }) => {
      t.is((await driver.detect(source, context)).status, 'found');
      const { schemes } = driver.capabilities;
      t.true(schemes.includes(new URL(source.url).protocol), 'its scheme is among the capabilities');
    });
  });

  suite.check('every commit is imported, and progress ends at 100', async (t, { driver }) => {
    await withFixture(createSource, async ({ source, fixture, context, repository }) => {
      const reports: SourceProgress[] = [];
      await driver.convert(source, { ...context, repository, onProgress: (progress) => reports.push(progress) });
      t.is(await commitCount(repository), fixture.commits);
      await checkObjects(repository);
      t.is(reports.at(-1)?.percent, 100);
      t.true(reports.every(({ percent }, index) => percent >= (reports[index - 1]?.percent ?? 0)));
      const heads = await refsBelow(repository, 'refs/heads/');
      t.true(heads.length > 0);
      t.deepEqual(await refsBelow(repository, 'refs/source/heads/'), heads);
      t.deepEqual(await refsBelow(repository, 'refs/source/tags/'), await refsBelow(repository, 'refs/tags/'));
    });
  });

  suite.check('a second conversion changes nothing, also without its scratch directory', async (t, { driver }) => {
    await withFixture(createSource, async ({ directory, source, context, repository }) => {
      await driver.convert(source, { ...context, repository });
      const refs = await refsBelow(repository, 'refs/');
      await driver.convert(source, { ...context, repository });
      t.deepEqual(await refsBelow(repository, 'refs/'), refs);
      await driver.convert(source, { ...context, scratch: join(directory, 'other'), repository });
      t.deepEqual(await refsBelow(repository, 'refs/'), refs);
    });
  });

  suite.check('an aborted conversion rejects with the reason, and the next one completes it', async (t, { driver }) => {
    await withFixture(createSource, async ({ source, fixture, context, repository }) => {
      const controller = new AbortController();
      const reason = new Error('cancelled');
      const onProgress = (): void => controller.abort(reason);
      const options = { ...context, repository, onProgress, signal: controller.signal };
      await rejectsWith(t, driver.convert(source, options), reason);
      await rejectsWith(t, driver.detect(source, { ...context, signal: controller.signal }), reason);
      await driver.convert(source, { ...context, repository });
      t.is(await commitCount(repository), fixture.commits);
    });
  });

  suite.check('options and transports in place of URLs are refused', async (t, { driver }) => {
    await withFixture(createSource, async ({ context, repository }) => {
      const urls = ['ext::sh -c true', '--upload-pack=x', 'ssh://127.0.0.1/x', '/etc', 'svn+ssh://h/x', 'x', ''];
      for (const url of urls) {
        await rejectsAs(t, driver.detect({ url }, context), 'unsupported-url');
        await rejectsAs(t, driver.convert({ url }, { ...context, repository }), 'unsupported-url');
      }
    });
  });
}
