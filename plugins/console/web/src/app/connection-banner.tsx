import { eventStream } from '../events/event-stream';
import type { Session } from '../session/session';
import { useStore } from '../store/store';

export function ConnectionBanner({ session }: { readonly session: Session }) {
  const connection = useStore(eventStream.connection);
  const refusal = useStore(eventStream.refusal);
  const unreachable =
    session.state === 'unreachable' || (session.state === 'signed-in' && connection === 'unreachable');
  return (
    <div role="alert">
      {unreachable && <p class="banner">The engine does not answer; trying again</p>}
      {!unreachable && session.state === 'signed-in' && refusal !== undefined && (
        <p class="banner">
          Pages do not update by themselves: the engine refuses its events: <bdi>{refusal}</bdi>
        </p>
      )}
    </div>
  );
}
