import { type ServicePoint, servicePoint } from '@gantry/core/driver';

/** How an image enters that no registry is asked for: by a load, or by an import. */
export type ArchiveTransport = 'docker-archive' | 'tarball';

/** Decides whether clients may bring images as archives. Without a package that provides it, they may. */
export interface ArchivePolicy {
  /** Called before anything of the archive is read. @throws EngineError `forbidden` with the reason. */
  checkArchive(transport: ArchiveTransport): void;
}

export const ArchivePolicy: ServicePoint<ArchivePolicy> = servicePoint<ArchivePolicy>('archive-policy', {
  fallback: () => ({ checkArchive: () => undefined }),
});
