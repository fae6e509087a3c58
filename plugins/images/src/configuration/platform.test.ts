import test from 'ava';
import { hostArchitecture } from './host-architecture.js';
import { formatPlatform, parsePlatform } from './platform.js';

test('platforms are read in all their forms', (t) => {
  const read = (text: string) => formatPlatform(parsePlatform('platform', text) ?? { os: '-', architecture: '-' });
  t.is(parsePlatform('platform', ''), undefined);
  t.is(read('linux'), `linux/${hostArchitecture()}`);
  t.is(read('x86_64'), 'linux/amd64');
  t.is(read('Linux/AArch64'), 'linux/arm64');
  t.is(read('linux/arm64/v8'), 'linux/arm64');
  t.is(read('linux/arm/v7'), 'linux/arm/v7');
});

test('what is no platform, or another system, is refused by name', (t) => {
  for (const text of ['linux/a/b/c', 'linux/', '/', 'li nux', 'linux//v7']) {
    t.throws(() => parsePlatform('platform', text), {
      message: `platform: "${text}" is not a platform such as linux/amd64 or linux/arm/v7`,
    });
  }
  t.throws(() => parsePlatform('platform', 'bogus'), {
    message: 'platform: "bogus" is neither an operating system nor an architecture',
  });
  t.throws(() => parsePlatform('platform', 'windows/amd64'), {
    message: /operating system "windows" is not supported/,
  });
});
