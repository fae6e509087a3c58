import { useState } from 'preact/hooks';
import { type ContainerSummary, nameOf } from '../../api/container-types';
import { get, post } from '../../api/request';
import { TextField } from '../../components/fields';
import { FormDialog } from '../../components/form-dialog';
import { useResource } from '../../events/use-resource';

export function ConnectDialog({ id, close }: { readonly id: string; readonly close: () => void }) {
  const [container, setContainer] = useState('');
  const [aliases, setAliases] = useState('');
  const [address, setAddress] = useState('');
  const read = (signal: AbortSignal) => get<ContainerSummary[]>('/containers/json', { all: true }, signal);
  const [containers] = useResource(read, [], ['container']);
  const submit = () => {
    const words = aliases.split(/[\s,]+/).filter((word) => word !== '');
    const family = address.includes(':') ? { IPv6Address: address } : { IPv4Address: address };
    return post(`/networks/${id}/connect`, undefined, {
      Container: container.trim(),
      EndpointConfig: {
        Aliases: words.length === 0 ? undefined : words,
        IPAMConfig: address === '' ? undefined : family,
      },
    });
  };
  return (
    <FormDialog title="Connect a container" action="Connect" close={close} submit={submit}>
      <TextField
        label="Container"
        required
        list={containers.state === 'ready' ? containers.value.map(nameOf) : []}
        value={container}
        onChange={setContainer}
      />
      <TextField label="Aliases" hint="Further names on this network" value={aliases} onChange={setAliases} />
      <TextField label="Address" placeholder="chosen by the engine" value={address} onChange={setAddress} />
    </FormDialog>
  );
}
