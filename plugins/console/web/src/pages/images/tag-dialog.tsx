import { useState } from 'preact/hooks';
import { imagePath } from '../../api/image-types';
import { post } from '../../api/request';
import { TextField } from '../../components/fields';
import { FormDialog } from '../../components/form-dialog';
import { withTag } from '../../transfer/pull-image';

export function TagDialog({ id, close }: { readonly id: string; readonly close: () => void }) {
  const [value, setValue] = useState('');
  const submit = () => {
    const reference = withTag(value.trim());
    const at = reference.lastIndexOf(':');
    return post(`${imagePath(id)}/tag`, { repo: reference.slice(0, at), tag: reference.slice(at + 1) });
  };
  return (
    <FormDialog title="Tag the image" action="Tag" close={close} submit={submit}>
      <TextField label="Tag" required placeholder="registry.example/name:tag" value={value} onChange={setValue} />
    </FormDialog>
  );
}
