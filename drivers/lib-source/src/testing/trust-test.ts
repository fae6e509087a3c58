import { join } from 'node:path';
import type { SourceDriver } from '@gantry/core/contracts';
import type { ExecutionContext, TestFn } from 'ava';
import { type Authority, createAuthority } from './authority.js';
import { commitsOf, contextIn, scratchFor } from './scratch.js';

type ServeSecurely = (t: ExecutionContext, directory: string, certificate: Authority['server']) => Promise<string>;

/** Registers a test of the authorities a driver trusts. @param serve serves a repository with one commit over HTTPS. */
export function trustTest(test: TestFn | TestFn['skip'], driver: () => SourceDriver, serve: ServeSecurely): void {
  test('over HTTPS only authorities of the host and of the context are trusted', async (t) => {
    const directory = await scratchFor(t);
    const [known, unrelated] = await Promise.all([createAuthority('known'), createAuthority('unrelated')]);
    const url = await serve(t, directory, known.server);
    // hg and svn accept no address for the name in a certificate.
    const named = url.replace('127.0.0.1', 'localhost');
    const source = driver();
    const repository = join(directory, 'converted');
    const context = { ...contextIn(directory), repository, authorities: [unrelated.certificate] };
    const detected = await source.detect({ url }, context).catch((error: Error) => error.message);
    t.regex(JSON.stringify(detected), /certificate/);
    const refused = await t.throwsAsync(source.convert({ url }, context), { message: /certificate/ });
    t.like(refused, { failure: 'unreachable' });
    const trusting = { ...context, authorities: [unrelated.certificate, known.certificate] };
    t.like(await source.detect({ url: named }, trusting), { status: 'found' });
    await source.convert({ url: named }, trusting);
    t.is((await commitsOf(repository, 'master')).length, 1);
  });
}
