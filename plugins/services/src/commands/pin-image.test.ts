import { silentLogger } from '@gantry/core/driver';
import { notFound } from '@gantry/core/errors';
import type { RegistryTarget } from '@gantry/registry/service';
import test from 'ava';
import { PinImage } from './pin-image.js';

const digest = `sha256:${'a'.repeat(64)}`;

function fixture() {
  const asked: RegistryTarget[] = [];
  const registry = {
    resolve: async (target: RegistryTarget) => {
      asked.push(target);
      if (target.reference.includes('absent')) throw notFound('there is no such image');
      return { digest } as never;
    },
  };
  return { asked, pinImage: new PinImage(registry, silentLogger) };
}

const specOf = (image: string) => ({ Name: 'web', TaskTemplate: { ContainerSpec: { Image: image, Env: ['A=1'] } } });

test('a tag gets the digest that the registry has for it', async (t) => {
  const { asked, pinImage } = fixture();
  const auth = Buffer.from(JSON.stringify({ username: 'jo', password: 'secret' })).toString('base64');
  t.deepEqual(await pinImage.pin(specOf('registry.example/app:1'), auth), {
    spec: specOf(`registry.example/app:1@${digest}`),
    warnings: [],
  });
  t.deepEqual(asked, [{ reference: 'registry.example/app:1', credentials: { username: 'jo', password: 'secret' } }]);
});

test('an image without a tag is that of latest', async (t) => {
  const { pinImage } = fixture();
  const { spec } = await pinImage.pin(specOf('registry.example/app'), undefined);
  t.deepEqual(spec, specOf(`registry.example/app:latest@${digest}`));
});

test('an image by digest is left alone, and so is a specification without one', async (t) => {
  const { asked, pinImage } = fixture();
  for (const spec of [specOf(`registry.example/app@${digest}`), { Name: 'web' }])
    t.deepEqual(await pinImage.pin(spec, undefined), { spec, warnings: [] });
  t.deepEqual(asked, []);
});

test('an image whose digest no registry has is kept, with a warning', async (t) => {
  const { pinImage } = fixture();
  const { spec, warnings } = await pinImage.pin(specOf('registry.example/absent:1'), undefined);
  t.deepEqual(spec, specOf('registry.example/absent:1'));
  t.is(warnings.length, 1);
  t.regex(warnings[0] ?? '', /^image registry\.example\/absent:1 could not be accessed on a registry/);
});
