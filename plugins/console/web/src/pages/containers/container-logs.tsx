import type { ContainerDetails } from '../../api/container-types';
import { LogView } from '../../components/log/log-view';

export function ContainerLogs({ container }: { readonly container: ContainerDetails }) {
  const started = Date.parse(container.State.StartedAt);
  return (
    <LogView
      path={`/containers/${container.Id}/logs`}
      isTerminal={container.Config.Tty}
      name={container.Name.replace(/^\//, '').slice(0, 80)}
      round={Number.isNaN(started) ? 0 : started}
    />
  );
}
