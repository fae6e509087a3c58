import { invalidArgument } from '@gantry/core/errors';
import type { ArchiveFiles } from './archive-files.js';
import type { ArchivedImage } from './archived-image.js';
import { readLegacyForm } from './legacy-form.js';
import { readManifestForm } from './manifest-form.js';
import { readOciLayout } from './oci-layout.js';

/**
 * Finds the images of an archive: of the `manifest.json` form, of an OCI image layout, or of the legacy form of the
 * specification (one directory per layer, a `repositories` file). An archive with several forms is read as the newest.
 */
export async function readArchive(files: ArchiveFiles): Promise<readonly ArchivedImage[]> {
  if (files.has('manifest.json')) return readManifestForm(files);
  if (files.has('index.json')) return readOciLayout(files);
  const layers = files.names().filter((name) => /^[^/]+\/json$/.test(name));
  if (files.has('repositories') || layers.length > 0) return readLegacyForm(files, layers);
  throw invalidArgument('the archive holds no image: it has neither manifest.json, index.json nor repositories');
}
