import { isRecord } from '@gantry/core/driver';
import { invalidArgument } from '@gantry/core/errors';
import type { ArchiveFiles } from './archive-files.js';
import { ListedImages } from './listed-images.js';
import { type ArchivedImage, withConfiguration } from './with-configuration.js';

const strings = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];

/** Images listed by `manifest.json`. */
export async function readManifestForm(files: ArchiveFiles): Promise<readonly ArchivedImage[]> {
  const manifest = await files.json('manifest.json');
  if (!Array.isArray(manifest)) throw invalidArgument('manifest.json in the archive is no list');
  const listed = new ListedImages();
  listed.add(manifest.length);
  const images: ArchivedImage[] = [];
  for (const item of manifest) {
    if (!isRecord(item) || typeof item.Config !== 'string') {
      throw invalidArgument('manifest.json in the archive has an image without Config');
    }
    const configuration = await files.text(item.Config);
    const names = strings(item.RepoTags);
    listed.add(names.length);
    const parent = typeof item.Parent === 'string' && item.Parent !== '' ? item.Parent : undefined;
    images.push(withConfiguration(files, configuration, strings(item.Layers), names, parent));
  }
  return images;
}
