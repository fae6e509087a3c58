import { call, post } from '../../../api/request';
import { Button } from '../../../components/button';
import { CopyButton } from '../../../components/copy-button';
import { KeyValues } from '../../../components/key-values';
import { Panel } from '../../../components/panel';
import { Loaded } from '../../../components/status-views';
import { useResource } from '../../../events/use-resource';
import { formatTime } from '../../../format/format-time';
import { attempt } from '../../../notices/notices';
import type { Swarm } from '../swarm-types';
import { leaveSwarm } from './leave-swarm';

/** The swarm itself: how others join it, and how this engine leaves it. */
export function Membership({ left }: { readonly left: () => void }) {
  const [swarm, reload] = useResource((signal) => call<Swarm>('/swarm', { signal }), [], ['node', 'swarm']);
  return (
    <Loaded what="the swarm" resource={swarm} reload={reload}>
      {(value) => (
        <div class="panels">
          <Panel title="Swarm" actions={<LeaveButton left={left} />}>
            <KeyValues
              entries={[
                ['Identifier', value.ID],
                ['Made', formatTime(value.CreatedAt)],
                ['Managers are locked', value.Spec.EncryptionConfig?.AutoLockManagers ? 'yes' : 'no'],
              ]}
            />
          </Panel>
          <TokenPanel joiner="worker" token={value.JoinTokens.Worker} swarm={value} reload={reload} />
          <TokenPanel joiner="manager" token={value.JoinTokens.Manager} swarm={value} reload={reload} />
        </div>
      )}
    </Loaded>
  );
}

const LeaveButton = ({ left }: { readonly left: () => void }) => (
  <Button kind="danger" onPress={() => leaveSwarm().then(left)}>
    Leave…
  </Button>
);

interface TokenPanelProps {
  readonly joiner: 'worker' | 'manager';
  readonly token: string;
  readonly swarm: Swarm;
  readonly reload: () => void;
}

function TokenPanel({ joiner, token, swarm, reload }: TokenPanelProps) {
  const rotate = async (): Promise<void> => {
    const parameter = joiner === 'worker' ? 'rotateWorkerToken' : 'rotateManagerToken';
    const query = { version: swarm.Version.Index, [parameter]: true };
    await attempt(
      `Rotating the token of ${joiner}s`,
      () => post('/swarm/update', query, swarm.Spec),
      'The old token is void.',
    );
    reload();
  };
  return (
    <Panel title={`Token of ${joiner}s`} actions={<Button onPress={rotate}>Rotate</Button>}>
      <details>
        <summary>Show the token</summary>
        <p class="token">
          <code>{token}</code> <CopyButton value={token} what={`the token of ${joiner}s`} />
        </p>
      </details>
      <p class="hint">An engine joins as a {joiner} with it.</p>
    </Panel>
  );
}
