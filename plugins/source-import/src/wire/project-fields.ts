import { type SourceDriver, SourceDrivers } from '@gantry/core/contracts';
import { type DriverSet, inject, injectable } from '@gantry/core/driver';

type ProjectField = 'tfvc_project' | 'svn_root';

/** The API's name for a project, by the version control system. */
@injectable()
export class ProjectFields {
  constructor(@inject(SourceDrivers.token) private readonly drivers: DriverSet<SourceDriver>) {}

  fieldOf(vcs: string | undefined): ProjectField {
    if (vcs === undefined || !this.drivers.has(vcs)) return 'svn_root';
    return this.drivers.get(vcs).capabilities.projects === 'names' ? 'tfvc_project' : 'svn_root';
  }
}
