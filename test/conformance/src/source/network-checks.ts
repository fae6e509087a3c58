import { join } from 'node:path';
import type { SourceDriver } from '@gantry/core/contracts';
import type { Suite } from '../suite.js';
import type { SourceSuiteOptions } from './source-suite-options.js';
import { httpServer, silentServer } from './test-servers.js';
import { rejectsAs, rejectsWith, withDirectory } from './with-fixture.js';

/** Spellings of loopback addresses. */
const privateUrls = [
  'http://127.0.0.1/x',
  'http://2130706433/x',
  'http://localhost/x',
  'https://[::1]/x',
  'http://0x7f.1/',
];

/** What drivers promise about connections; for those that read over HTTP. */
export function networkChecks(suite: Suite<SourceDriver, SourceSuiteOptions>): void {
  suite.check('private addresses are refused by default, in every spelling', async (t, { driver }) => {
    await withDirectory(async (directory) => {
      const context = { scratch: join(directory, 'scratch') };
      for (const url of privateUrls) await rejectsAs(t, driver.detect({ url }, context), 'refused-address');
      const repository = join(directory, 'converted.git');
      const converted = driver.convert({ url: 'http://127.0.0.1:1/x' }, { ...context, repository });
      await rejectsAs(t, converted, 'refused-address');
    });
  });

  suite.check('a redirect to an address that is not allowed is refused', async (t, { driver }) => {
    await withDirectory(async (directory) => {
      let isReached = false;
      const target = await httpServer((_request, response) => {
        isReached = true;
        response.end();
      });
      const source = await httpServer((request, response) => {
        request.resume();
        response.writeHead(301, { location: `http://${target.host}${request.url}` }).end();
      });
      try {
        const allowDestination = ({ port }: { readonly port: number }) => !target.host.endsWith(`:${port}`);
        const context = { scratch: join(directory, 'scratch'), allowDestination };
        const options = { ...context, repository: join(directory, 'converted.git') };
        await rejectsAs(t, driver.convert({ url: `http://${source.host}/x` }, options), 'refused-address');
        t.false(isReached);
      } finally {
        await Promise.all([source.close(), target.close()]);
      }
    });
  });

  suite.check('a server that has no repository is not one', async (t, { driver }) => {
    await withDirectory(async (directory) => {
      const server = await httpServer((request, response) => {
        request.resume();
        response.writeHead(404, { 'content-type': 'text/html' }).end('<html>');
      });
      try {
        const url = `http://${server.host}/x`;
        const context = { scratch: join(directory, 'scratch'), allowDestination: () => true };
        t.is((await driver.detect({ url }, context)).status, 'found-nothing');
        const converted = driver.convert({ url }, { ...context, repository: join(directory, 'converted.git') });
        await rejectsAs(t, converted, 'not-a-repository');
      } finally {
        await server.close();
      }
    });
  });

  suite.serial(
    'a call on a server that does not respond ends within two seconds of its abort',
    async (t, { driver }) => {
      for (const scheme of driver.capabilities.schemes.filter((each) => each !== 'file:' && each !== 'https:')) {
        await withDirectory(async (directory) => {
          const server = await silentServer();
          try {
            const controller = new AbortController();
            const context = { scratch: join(directory, 'scratch'), allowDestination: () => true };
            const options = { ...context, repository: join(directory, 'git'), signal: controller.signal };
            const converted = driver.convert({ url: `${scheme}//${server.host}/x` }, options);
            const reason = new Error('cancelled');
            const failed = rejectsWith(t, converted, reason);
            await server.reached;
            const abortedAt = performance.now();
            controller.abort(reason);
            await failed;
            const took = performance.now() - abortedAt;
            t.true(took < (suite.options.abortWithinMs ?? 2000), `${scheme} ${took} ms`);
          } finally {
            await server.close();
          }
        });
      }
    },
  );

  suite.check('a source that sends nothing for too long is unreachable', async (t, { driver }) => {
    await withDirectory(async (directory) => {
      const server = await silentServer();
      try {
        const context = { scratch: join(directory, 'scratch'), allowDestination: () => true, stallSeconds: 0.5 };
        const options = { ...context, repository: join(directory, 'converted.git') };
        await rejectsAs(t, driver.convert({ url: `http://${server.host}/x` }, options), 'unreachable');
      } finally {
        await server.close();
      }
    });
  });
}
