import type { ComponentChildren } from 'preact';
import { Empty } from '../../components/status-views';
import { Text } from '../../components/text';
import type { About } from './daemon-types';

interface PackageNeededProps {
  readonly units: About['units'];
  /** The plugin's id, which is that of the package behind `@gantry/`. */
  readonly id: string;
  /** What it is for: `The daemon's own figures`. */
  readonly what: string;
  readonly children: ComponentChildren;
}

/** Shows what a package serves, or that it does not run and how to change that. */
export function PackageNeeded({ children, id, units, what }: PackageNeededProps) {
  const unit = units.find(({ name }) => name === id);
  if (unit?.state === 'ready') return <>{children}</>;
  return (
    <Empty>
      <p>
        {what} are served by the package <code>@gantry/{id}</code>, which this daemon does not run.
      </p>
      {unit?.reason === undefined ? (
        <p>
          Add <code>{`"extraPackages": ["@gantry/${id}"]`}</code> to its configuration, and start it again.
        </p>
      ) : (
        <p>
          It failed: <Text value={unit.reason} limit={500} />
        </p>
      )}
    </Empty>
  );
}
