import { useState } from 'preact/hooks';
import type { ContainerDetails } from '../../api/container-types';
import { post } from '../../api/request';
import { Button } from '../../components/button';
import { openDialog } from '../../components/dialog';
import { TextField } from '../../components/fields';
import { FormDialog } from '../../components/form-dialog';
import { attempt } from '../../notices/notices';
import { goTo } from '../../routing/route';
import { askRemoval } from './ask-removal';
import { removeContainer, runVerb, type Verb, verbs } from './container-actions';

export function ContainerButtons({ container }: { readonly container: ContainerDetails }) {
  const { Id, State } = container;
  const name = container.Name.replace(/^\//, '');
  const short = name.slice(0, 80);
  const run = (verb: Verb) => () => attempt(`${verb.name} ${short}`, () => runVerb(verb, Id), `${verb.done} ${short}.`);
  const dispose = async (): Promise<void> => {
    const how = await askRemoval(name);
    if (how === undefined) return;
    const removed = await attempt(
      `Remove ${short}`,
      () => removeContainer(Id, how.force, how.volumes),
      `Removed ${short}.`,
    );
    if (removed) goTo('containers');
  };
  const rename = () => openDialog((close) => <RenameDialog id={Id} name={name} close={close} />);
  const running = State.Running && !State.Paused;
  return (
    <>
      {!State.Running && (
        <Button kind="primary" onPress={run(verbs.start)}>
          Start
        </Button>
      )}
      {running && <Button onPress={run(verbs.stop)}>Stop</Button>}
      <Button onPress={run(verbs.restart)}>Restart</Button>
      {State.Paused ? (
        <Button onPress={run(verbs.unpause)}>Unpause</Button>
      ) : (
        running && <Button onPress={run(verbs.pause)}>Pause</Button>
      )}
      {running && <Button onPress={run(verbs.kill)}>Kill</Button>}
      <Button onPress={rename}>Rename…</Button>
      <Button kind="danger" onPress={dispose}>
        Remove…
      </Button>
    </>
  );
}

function RenameDialog({ id, name, close }: { readonly id: string; readonly name: string; readonly close: () => void }) {
  const [value, setValue] = useState(name);
  return (
    <FormDialog
      title="Rename the container"
      action="Rename"
      close={close}
      submit={() => post(`/containers/${id}/rename`, { name: value })}
    >
      <TextField label="Name" required value={value} onChange={setValue} />
    </FormDialog>
  );
}
