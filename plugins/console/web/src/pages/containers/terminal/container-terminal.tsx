import { useState } from 'preact/hooks';
import type { ContainerDetails } from '../../../api/container-types';
import { post } from '../../../api/request';
import { Button } from '../../../components/button';
import { TextField } from '../../../components/fields';
import { Empty } from '../../../components/status-views';
import { parseCommand } from '../../../format/parse-lines';
import { attempt } from '../../../notices/notices';

const shells = ['/bin/sh', '/bin/bash', '/bin/ash', '/bin/zsh'];

/** A process of its own in the container, or the container's own input and output. */
export function ContainerTerminal({ container }: { readonly container: ContainerDetails }) {
  const [command, setCommand] = useState('/bin/sh');
  const [user, setUser] = useState('');
  const [address, setAddress] = useState<string>();
  const [round, setRound] = useState(0);
  const { Id, Config, State } = container;
  if (!State.Running) return <Empty>The container does not run: start it to open a terminal.</Empty>;
  const show = (next: string): void => {
    setAddress(next);
    setRound(round + 1);
  };
  const exec = () =>
    attempt('Starting the terminal', async () => {
      const body = {
        AttachStdin: true,
        AttachStdout: true,
        AttachStderr: true,
        Tty: true,
        Cmd: parseCommand(command),
        Env: ['TERM=xterm-256color'],
        ...(user === '' ? {} : { User: user }),
      };
      const created = await post<{ Id: string }>(`/containers/${Id}/exec`, undefined, body);
      show(`terminal.html#exec/${created.Id}`);
    });
  return (
    <div class="log-page">
      <form
        class="toolbar log-tools"
        onSubmit={(event) => {
          event.preventDefault();
          void exec();
        }}
      >
        <TextField label="Command" value={command} onChange={setCommand} list={shells} required />
        <TextField label="User" value={user} onChange={setUser} placeholder="the container's" />
        <button type="submit" class="button primary">
          Open a terminal
        </button>
        <Button onPress={() => show(`terminal.html#attach/${Id}/${Config.Tty ? 1 : 0}`)}>
          Attach to the container
        </Button>
        {address !== undefined && <Button onPress={() => setAddress(undefined)}>Close</Button>}
      </form>
      {address === undefined ? (
        <Empty>No terminal is open.</Empty>
      ) : (
        <iframe key={round} class="terminal-frame" title="Terminal" src={address} />
      )}
    </div>
  );
}
