import { invalidArgument } from '@gantry/core/errors';
import type { Platform } from '../configuration/platform.js';
import type { ArchiveFiles } from './archive-files.js';
import { readLegacyForm } from './read-legacy-form.js';
import { readManifestForm } from './read-manifest-form.js';
import { readOciLayout } from './read-oci-layout.js';
import type { ArchivedImage } from './with-configuration.js';

/**
 * Reads the images of an archive in one of three forms: `manifest.json`, an OCI image layout, or the legacy form of the
 * specification (a directory per layer and a `repositories` file). Of several forms the first in this order counts.
 */
export async function readArchive(files: ArchiveFiles, platform?: Platform): Promise<readonly ArchivedImage[]> {
  if (files.has('manifest.json')) return readManifestForm(files);
  if (files.has('index.json')) return readOciLayout(files, platform);
  const layers = files.names().filter((name) => /^[^/]+\/json$/.test(name));
  if (files.has('repositories') || layers.length > 0) return readLegacyForm(files, layers);
  throw invalidArgument('the archive holds no image: it has neither manifest.json, index.json nor repositories');
}
