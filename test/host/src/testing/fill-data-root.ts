import { Readable } from 'node:stream';
import type Docker from 'dockerode';
import { archiveOf } from './image-archive.js';

/** Options of tar with which an archive of a data root has all that the data root has. */
export const wholeFiles = ['--xattrs', '--xattrs-include=*', '--numeric-owner', '--sparse'];

/** A program of 160 bytes for x86-64: writes "kept" and a line feed to its output, and exits with 7. */
const program = Buffer.from(
  'f0VMRgIBAQAAAAAAAAAAAAIAPgABAAAAeABAAAAAAABAAAAAAAAAAAAAAAAAAAAAAAAAAEAAOAABAEAAAAAAAAEAAAAFAAAAAAAAAAAAAAAAAEAAAAAAAAAAQA' +
    'AAAAAAoQAAAAAAAAChAAAAAAAAAAAQAAAAAAAAuAEAAAC/AQAAAEiNNRMAAAC6BQAAAA8FuDwAAAC/BwAAAA8Fa2VwdAo=',
  'base64',
);

/** Makes one of everything that an engine keeps while nothing runs, with few bytes on disk. */
export async function fillDataRoot(client: Docker): Promise<void> {
  const root = await archiveOf({ keep: program, 'etc/removed': 'removed later' }, 0o755);
  const imported = await client.importImage(Readable.from([root]) as never, { repo: 'kept', tag: '1' } as never);
  for await (const _ of imported as unknown as AsyncIterable<Buffer>);
  await client.createVolume({ Name: 'kept', Labels: { of: 'volume' } });
  await client.createNetwork({
    Name: 'kept',
    Labels: { of: 'network' },
    IPAM: { Driver: 'default', Config: [{ Subnet: '10.231.77.0/24', Gateway: '10.231.77.1' }] },
  });
  const container = await client.createContainer({
    name: 'kept',
    Image: 'kept:1',
    Cmd: ['/keep'],
    Env: ['KEPT=yes'],
    Labels: { of: 'container' },
    HostConfig: {
      Binds: ['kept:/data'],
      NetworkMode: 'kept',
      Memory: 64 * 1024 * 1024,
      LogConfig: { Type: 'json-file', Config: { 'max-size': '1m' } },
    },
    NetworkingConfig: { EndpointsConfig: { kept: { IPAMConfig: { IPv4Address: '10.231.77.7' }, Aliases: ['other'] } } },
  });
  await container.putArchive(await archiveOf({ 'data/file': 'in the volume', written: 'in the layer' }), { path: '/' });
  await container.start();
  await container.wait();
  // A layer without a file of the one below it.
  const changed = await client.createContainer({ name: 'changed', Image: 'kept:1', Cmd: ['/keep'] });
  await changed.putArchive(await archiveOf({ added: 'added' }), { path: '/' });
  await changed.commit({ repo: 'kept', tag: '2', comment: 'kept', changes: 'ENV MORE=1' } as never);
}
